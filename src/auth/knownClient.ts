/** A client that the user has registered by hand. */
export interface KnownClient {
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** An id that is an https address names a document that describes the client (Client ID Metadata Document). */
export function isDocument({ clientId, clientSecret }: KnownClient): boolean {
  const url = clientId === undefined || clientSecret !== undefined ? null : URL.parse(clientId);
  return url?.protocol === 'https:' && url.pathname !== '/';
}
