/** Requests of the harness that carry the user's headers: they reach one URL and no other. */
import { HarnessError } from '../harnessError.ts';

/** As `fetch`, but a redirect isn't followed: the headers would go along, to any origin that the server names. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || location === null) return response;
  await response.body?.cancel();
  throw new HarnessError(
    'unreachable',
    `The server at ${new URL(url).host} redirects to ${shown(location, url)} (HTTP ${response.status}). mcp-reprise doesn't follow redirects, because they would get your headers. Test that URL instead.`,
  );
}

/** Without the query, which may hold a key. */
function shown(location: string, url: string): string {
  if (!URL.canParse(location, url)) return 'an invalid URL';
  const { origin, pathname } = new URL(location, url);
  return `${origin}${pathname}`;
}
