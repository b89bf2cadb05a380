/** Asks a server what a browser would ask on behalf of a page. */
import type { Exchange } from '../report/facts.ts';
import { judgeCors, type CorsProblem } from './judgeCors.ts';

export interface CorsFinding {
  readonly problems: readonly CorsProblem[];
  readonly exchange: Exchange;
}

const NEEDED = ['content-type', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'];

export async function probeCors(
  url: string,
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<CorsFinding> {
  const needed = [...NEEDED, ...Object.keys(headers).map((name) => name.toLowerCase())];
  const asked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': needed.join(','),
  };
  const preflight = await fetch(url, { method: 'OPTIONS', headers: asked });
  await preflight.body?.cancel();
  const abort = new AbortController();
  const actual = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      origin,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'cors',
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'mcp-reprise cors', version: '1' },
      },
    }),
    signal: abort.signal,
  });
  const sessionId = actual.headers.get('mcp-session-id');
  const problems = judgeCors({ origin, needed, hasSession: sessionId !== null, preflight, actual });
  abort.abort();
  if (sessionId !== null) {
    await fetch(url, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': sessionId } }).catch(
      () => undefined,
    );
  }
  const exchange: Exchange = {
    method: 'OPTIONS',
    url,
    requestHeaders: asked,
    status: preflight.status,
    responseHeaders: Object.fromEntries(preflight.headers),
  };
  return { problems, exchange };
}
