/** The URL of a server as it is typed. */

/** Throws, in words, if it is none. */
export function parseAddress(address: string): URL {
  const url = readAddress(address);
  if (url) return url;
  throw new Error(`“${address.trim()}” isn’t a server URL. Use a URL like http://localhost:3000/mcp`);
}

/** Where a request to this address would go; `undefined` while it is no address yet. */
export function originOf(address: string): string | undefined {
  return readAddress(address)?.origin;
}

/** Another path of the same server, with the query that was given. */
export function withPath(url: string, path: string): string {
  const changed = new URL(url);
  changed.pathname = path;
  changed.hash = '';
  return changed.href;
}

function readAddress(address: string): URL | undefined {
  const text = address.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = /\s/.test(text) ? null : URL.parse(withScheme);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
}

/** The name of a server that was given none. */
export function defaultName(url: URL): string {
  return `${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}
