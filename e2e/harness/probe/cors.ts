/** Asks a server what a browser would ask on behalf of a page. */
import { Redactor } from '../../../src/wire/redact.ts';
import type { Era } from '../context.ts';
import type { Exchange } from '../report/facts.ts';
import { judgeCors, type CorsProblem } from './judgeCors.ts';
import { envelope } from './rawStateless.ts';
import { send } from './send.ts';

export interface CorsFinding {
  readonly problems: readonly CorsProblem[];
  readonly exchange: Exchange;
}

const NEEDED: Readonly<Record<Era, readonly string[]>> = {
  session: ['content-type', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'],
  stateless: ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
};

export async function probeCors(
  url: string,
  origin: string,
  headers: Readonly<Record<string, string>>,
  era: Era,
): Promise<CorsFinding> {
  const needed = [...NEEDED[era], ...Object.keys(headers).map((name) => name.toLowerCase())];
  const asked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': needed.join(','),
  };
  const preflight = await fetch(url, { method: 'OPTIONS', headers: asked, redirect: 'manual' });
  await preflight.body?.cancel();
  const abort = new AbortController();
  const first = FIRST[era]();
  const actual = await send(url, {
    method: 'POST',
    headers: { ...headers, ...first.headers, origin },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'cors', method: first.method, params: first.params }),
    signal: abort.signal,
  });
  const sessionId = actual.headers.get('mcp-session-id');
  const problems = judgeCors({ origin, needed, era, hasSession: sessionId !== null, preflight, actual });
  abort.abort();
  if (sessionId !== null) {
    await send(url, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': sessionId } }).catch(
      () => undefined,
    );
  }
  const exchange: Exchange = {
    method: 'OPTIONS',
    url,
    requestHeaders: asked,
    status: preflight.status,
    responseHeaders: new Redactor().headers(preflight.headers),
  };
  return { problems, exchange };
}

/** The first request of a page, which it must be able to read. */
const FIRST: Readonly<
  Record<Era, () => { method: string; headers: Record<string, string>; params: object }>
> = {
  session: () => ({
    method: 'initialize',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'mcp-reprise cors', version: '1' },
    },
  }),
  stateless: () => {
    const { headers, meta } = envelope('server/discover');
    return { method: 'server/discover', headers, params: { _meta: meta } };
  },
};
