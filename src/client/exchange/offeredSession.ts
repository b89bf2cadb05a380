/** A 404 that carries the ID of a new session: a hint that is told, and never used. */
import type { Entry } from '../../log/entry/entry.ts';
import type { Draft } from '../../log/entry/draft.ts';
import type { ResponseHead } from '../../wire/exchange.ts';

const SESSION_ID = 'mcp-session-id';

/** MCP 2025-11-25, "Session Management": after 404 a client must initialize without a session ID, hint or not. */
export function offersSession({ status, requestHeaders, responseHeaders }: ResponseHead): boolean {
  const offered = responseHeaders.get(SESSION_ID);
  return status === 404 && offered !== null && offered !== requestHeaders.get(SESSION_ID);
}

/** @returns nothing where it was said of this session already: each stream gets its own 404 */
export function noteOfferedSession(tail: readonly Entry[]): readonly Draft[] {
  const last = tail.findLast(
    (entry) => entry.kind === 'session' || (entry.kind === 'note' && entry.reason.code === 'session-offered'),
  );
  if (last?.kind === 'note') return [];
  return [{ body: { kind: 'note', level: 'warn', reason: { code: 'session-offered' } } }];
}
