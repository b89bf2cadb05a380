import type { Plugin } from 'vite';

/**
 * The document that describes this app to authorization servers (Client ID Metadata Document). Its own address is the
 * client's id, so only a build that knows where it will be published can have one: REPRISE_PUBLIC_URL, under https.
 */
export function clientMetadata(publicUrl: string | undefined): Plugin {
  const site = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (site && site.protocol !== 'https:') {
    throw new Error(`REPRISE_PUBLIC_URL must be an https address, but it is ${site.href}`);
  }
  const address = site && new URL('client-metadata.json', site).href;
  return {
    name: 'reprise:client-metadata',
    config: () => ({ define: { __REPRISE_CLIENT_METADATA__: JSON.stringify(address ?? '') } }),
    generateBundle() {
      if (!site || address === undefined) return;
      const document = {
        client_id: address,
        client_name: 'Reprise',
        client_uri: site.href,
        redirect_uris: [new URL('.', site).href],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
      const source = `${JSON.stringify(document, undefined, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'client-metadata.json', source });
    },
  };
}
