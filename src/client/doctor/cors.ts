/** Which answer, or which header, keeps a page from reading what a server says. */
import type { Fetch } from '../../wire/recordingFetch.ts';
import { canRead } from './probe.ts';

export type Blocked =
  | { readonly name: 'answers' | 'post-answers' | 'preflight' | 'nothing' }
  | { readonly name: 'headers'; readonly headers: readonly string[] };

/** Values that no server takes for its own. */
const PROTOCOL_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-11-25',
  'mcp-session-id': 'reprise-probe',
  'last-event-id': 'reprise-probe',
};

/**
 * A POST of text needs no preflight; with a header of its own, the preflight must allow that one. A GET might open a
 * stream, whose response Firefox hands out only with its first byte.
 */
export async function findBlocked(
  url: string,
  fetch: Fetch,
  headerNames: readonly string[],
): Promise<Blocked> {
  const post = { method: 'POST', body: '{}' };
  if ((await canRead(url, fetch, post)) === 'no') {
    const isGetRead = (await canRead(url, fetch, { method: 'GET' })) === 'yes';
    return { name: isGetRead ? 'post-answers' : 'answers' };
  }
  const custom = headerNames.map((name) => [name.toLowerCase(), 'reprise-probe'] as const);
  const headers = [...Object.entries(PROTOCOL_HEADERS), ...custom];
  const readable = await Promise.all(
    headers.map(([name, value]) => canRead(url, fetch, { ...post, headers: { [name]: value } })),
  );
  const refused = headers.flatMap(([name], i) => (readable[i] === 'no' ? [name] : []));
  if (refused.length === headers.length) return { name: 'preflight' };
  if (refused.length > 0) return { name: 'headers', headers: refused };
  return { name: 'nothing' };
}

/** What the server has to send, for this page and what it sends. */
export function corsHeaders(pageOrigin: string, headerNames: readonly string[]): string {
  const allowed = ['authorization', ...Object.keys(PROTOCOL_HEADERS), ...headerNames];
  return [
    `Access-Control-Allow-Origin: ${pageOrigin}`,
    'Access-Control-Allow-Methods: GET, POST, DELETE, OPTIONS',
    `Access-Control-Allow-Headers: ${[...new Set(allowed.map((name) => name.toLowerCase()))].join(', ')}`,
    'Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate',
  ].join('\n');
}
