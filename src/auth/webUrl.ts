/** Addresses that come from a server: http and https, and nothing that could run in this page. */
function isWebUrl(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

export function requireWebUrl(url: URL, what: string): URL {
  if (isWebUrl(url)) return url;
  throw new Error(
    `${what} begins with “${url.protocol}”, which this page refuses to open. Only http and https are safe.`,
  );
}
