/** Something answers, but not as MCP: looks for the server at the usual paths of the same origin. */
import type { Implementation } from '@modelcontextprotocol/client';
import type { Fetch } from '../../wire/recordingFetch.ts';
import { withPath } from '../settings/address.ts';
import { ask } from './probe.ts';

export type Found =
  | { readonly name: 'streamable'; readonly url: string }
  /** HTTP+SSE, the transport of 2024-11-05. */
  | { readonly name: 'old-sse'; readonly url: string };

const SNIFFED_CHARS = 2000;

export async function findOtherAddress(
  url: string,
  fetch: Fetch,
  clientInfo: Implementation,
): Promise<Found | undefined> {
  for (const candidate of candidates(url, 'mcp')) {
    if (await isStreamable(candidate, fetch, clientInfo)) return { name: 'streamable', url: candidate };
  }
  for (const candidate of candidates(url, 'sse')) {
    if (await isOldSse(candidate, fetch)) return { name: 'old-sse', url: candidate };
  }
  return undefined;
}

/** `/mcp` of the origin, and below the path that was given. With the query: it may have a key that the server needs. */
export function candidates(url: string, name: string): readonly string[] {
  const { pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '').replace(/\/(sse|mcp)$/, '');
  const paths = new Set([`/${name}`, `${path}/${name}`]);
  return [...paths].filter((one) => one !== pathname).map((one) => withPath(url, one));
}

/** A server that asks who it is talks MCP as well, as far as anybody can tell before the login. */
async function isStreamable(url: string, fetch: Fetch, clientInfo: Implementation): Promise<boolean> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 'reprise-probe',
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo,
    },
  });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const found = await ask(url, fetch, { method: 'POST', headers, body }, async (response) => {
    if (response.status === 401) return { isMcp: true, session: null };
    const isMcp = response.ok && (await beginningOf(response)).includes('"protocolVersion"');
    return { isMcp, session: response.headers.get('mcp-session-id') };
  });
  // Nobody comes back to this session.
  if (found?.isMcp && found.session !== null) {
    void ask(url, fetch, { method: 'DELETE', headers: { 'mcp-session-id': found.session } }, () => true);
  }
  return found?.isMcp === true;
}

async function isOldSse(url: string, fetch: Fetch): Promise<boolean> {
  const init = { method: 'GET', headers: { accept: 'text/event-stream' } };
  const found = await ask(url, fetch, init, async (response) => {
    if (!response.ok || !response.headers.get('content-type')?.includes('text/event-stream')) return false;
    return /^event:\s*endpoint/m.test(await beginningOf(response));
  });
  return found === true;
}

/** A stream need not end: its first pieces are enough. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length < SNIFFED_CHARS && !/"protocolVersion"|event:\s*endpoint/.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  return text;
}
