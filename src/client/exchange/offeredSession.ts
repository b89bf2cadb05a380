/** A 404 that carries the ID of a new session: a hint that is told, and never used. */
import type { Entry } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { ResponseHead } from '../../wire/exchange.ts';

const SESSION_ID = 'mcp-session-id';

/** MCP 2025-11-25, "Session Management": after 404 a client must initialize without a session ID, hint or not. */
export function offersSession({ status, requestHeaders, responseHeaders }: ResponseHead): boolean {
  const offered = responseHeaders.get(SESSION_ID);
  return status === 404 && offered !== null && offered !== requestHeaders.get(SESSION_ID);
}

/** The logs that are about to say so. */
const telling = new WeakSet<ServerLog>();

/** Says it once for each session: each stream gets its own 404. */
export async function noteOfferedSession(log: ServerLog): Promise<void> {
  if (telling.has(log)) return;
  telling.add(log);
  await log.folded();
  if (!isTold(log.tail)) {
    log.append({ body: { kind: 'note', level: 'warn', reason: { code: 'session-offered' } } });
    await log.folded();
  }
  telling.delete(log);
}

function isTold(tail: readonly Entry[]): boolean {
  const last = tail.findLast(
    (entry) => entry.kind === 'session' || (entry.kind === 'note' && entry.reason.code === 'session-offered'),
  );
  return last?.kind === 'note';
}
