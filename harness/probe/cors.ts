/** Asks a server what a browser would ask on behalf of a page. */
import { Redactor } from '../../src/wire/redact.ts';
import type { Era } from '../context.ts';
import type { Exchange } from '../report/facts.ts';
import { judgeCors, missingHeaders, type CorsProblem } from './judgeCors.ts';
import { envelope } from './rawStateless.ts';
import { send } from './send.ts';
import { SseReader } from './sseReader.ts';

export interface CorsFinding {
  readonly problems: readonly CorsProblem[];
  /** The one that shows the first problem. */
  readonly exchange: Exchange;
}

/** The answer to the first request comes within this time, or says nothing about event IDs. */
const ANSWER_MS = 3000;

export async function probeCors(
  url: string,
  origin: string,
  headers: Readonly<Record<string, string>>,
  era: Era,
): Promise<CorsFinding> {
  const abort = new AbortController();
  const first = FIRST[era]();
  const posted = { ...headers, ...first.headers, origin };
  const actual = await send(url, {
    method: 'POST',
    headers: posted,
    body: JSON.stringify({ jsonrpc: '2.0', id: 'cors', method: first.method, params: first.params }),
    signal: abort.signal,
  });
  const reader = new SseReader(actual, abort);
  await reader.until(() => reader.messages.length > 0, ANSWER_MS);
  const sessionId = actual.headers.get('mcp-session-id');
  const hasSession = sessionId !== null;
  const givesEventIds = reader.events.some(({ id }) => id !== undefined);
  await reader.close();
  if (hasSession) {
    const ended = { ...headers, 'mcp-session-id': sessionId };
    await send(url, { method: 'DELETE', headers: ended }).catch(() => undefined);
  }

  const needed = neededHeaders({ era, hasSession, givesEventIds }, Object.keys(headers));
  const { asked, preflight } = await ask(url, origin, needed);
  const alone = new Set<string>();
  for (const name of missingHeaders(needed, preflight.headers)) {
    const own = await ask(url, origin, [name]);
    if (missingHeaders([name], own.preflight.headers).length === 0) alone.add(name);
  }
  const answers = { origin, needed, hasSession, preflight, actual };
  const problems = judgeCors(answers, (name) => alone.has(name));
  const shown =
    problems[0]?.in === 'actual'
      ? { method: 'POST', requestHeaders: { origin, ...first.headers }, answer: actual }
      : { method: 'OPTIONS', requestHeaders: asked, answer: preflight };
  const exchange: Exchange = {
    method: shown.method,
    url,
    requestHeaders: shown.requestHeaders,
    status: shown.answer.status,
    responseHeaders: new Redactor().headers(shown.answer.headers),
  };
  return { problems, exchange };
}

/** What a page sends to this server, and nothing that it never would. */
export function neededHeaders(
  { era, hasSession, givesEventIds }: { era: Era; hasSession: boolean; givesEventIds: boolean },
  own: readonly string[],
): readonly string[] {
  return [
    'content-type',
    'mcp-protocol-version',
    ...(era === 'stateless' ? ['mcp-method', 'mcp-name'] : []),
    ...(hasSession ? ['mcp-session-id'] : []),
    ...(hasSession && givesEventIds ? ['last-event-id'] : []),
    ...own.map((name) => name.toLowerCase()),
  ];
}

async function ask(url: string, origin: string, needed: readonly string[]) {
  const asked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': needed.join(','),
  };
  const preflight = await fetch(url, { method: 'OPTIONS', headers: asked, redirect: 'manual' });
  await preflight.body?.cancel();
  return { asked, preflight };
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
