import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * The document that describes this app to authorization servers (Client ID Metadata Document). Its own address is the
 * client's id, so only a build that knows where it will be published can have one: REPRISE_PUBLIC_URL, under https.
 */
export function clientMetadata(publicUrl: string | undefined): Plugin {
  const client = publicUrl === undefined ? undefined : describeClient(new URL(publicUrl));
  return {
    name: 'reprise:client-metadata',
    transformIndexHtml: () => (client ? [client.tag] : []),
    generateBundle() {
      if (!client) return;
      const source = `${JSON.stringify(client.document, undefined, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: client.fileName, source });
    },
  };
}

const FILE_NAME = 'client-metadata.json';

export function describeClient(site: URL) {
  if (site.protocol !== 'https:') {
    throw new Error(`REPRISE_PUBLIC_URL must be an https URL (got ${site.href})`);
  }
  const address = new URL(FILE_NAME, site).href;
  const tag: HtmlTagDescriptor = {
    tag: 'meta',
    attrs: { name: 'client-metadata', content: address },
    injectTo: 'head',
  };
  const document = {
    client_id: address,
    client_name: 'Reprise',
    client_uri: site.href,
    redirect_uris: [new URL('.', site).href],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  return { address, fileName: FILE_NAME, tag, document };
}
