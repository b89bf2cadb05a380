/**
 * The link that a bridge prints: `#server=…&server=…`. Each server URL is one of the origin that serves this page, and
 * has the token of the bridge in its query. Only such a link is followed without asking.
 */

/** The server URLs of the link, token included; none if it isn't the link of the page's own bridge. */
export function readBridgeLink(page: URL): readonly string[] {
  const urls = new URLSearchParams(page.hash.slice(1)).getAll('server');
  const isOwn = (text: string) => {
    const url = URL.parse(text);
    return url?.origin === page.origin && (url.searchParams.get('token') ?? '') !== '';
  };
  return urls.every(isOwn) ? urls : [];
}
