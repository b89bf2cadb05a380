/** The session is ended from elsewhere, and the page is loaded again: it must learn that, and begin anew. */
import { randomUUID } from 'node:crypto';
import type { Finding, Scenario } from '../context.ts';
import { NoResponse, rawExchange, type RawSession } from '../probe/rawSession.ts';
import type { SseReader } from '../probe/sseReader.ts';

export const endedSession: Scenario = {
  name: 'ended-session',
  summary: 'ends the session (DELETE), then reloads the page',
  needs: ['page', 'session'],
  async run(context) {
    const { inspector, context: tab, sessionId } = await context.open();
    const raw = await context.newRawSession();
    const own = raw.sessionId;
    try {
      raw.sessionId = sessionId();
      const ended = await raw.delete();
      const { status, ok } = ended.response;
      await ended.close();
      if (!ok) {
        return {
          verdict: 'unsupported',
          why: `The server doesn't allow clients to end a session (HTTP ${status}).`,
        };
      }
      const asked = await ping(raw);
      if (!asked) return UNANSWERED;
      await asked.until(() => asked.messages.length > 0, 3000);
      const exchange = rawExchange(asked, 'POST', { 'mcp-session-id': '‹the ended session›' });
      await asked.close();
      await inspector.reload();
      const state = await inspector.untilConnected(Math.min(20_000, context.timeoutMs));
      const fault = faultIn(asked.response);
      if (fault) return { verdict: 'fail', ...fault, exchange };
      // The end of its stream may have told the page before the reload, so the second handshake may be in either load.
      const handshakes = await inspector.entries('kind:session');
      if (state.name !== 'connected' || handshakes.length < 2) {
        const why = `The page couldn't start a new session (state: ${state.name}).`;
        const fix = 'After 404, accept a new initialize without a session ID.';
        return { verdict: 'fail', why, fix, cause: 'ended-session-status', exchange };
      }
      return { verdict: 'pass', why: 'The ended session returned HTTP 404, and the page started a new one.' };
    } finally {
      raw.sessionId = own;
      await raw.close();
      await context.close(tab);
    }
  },
};

const FIX = 'Respond with 404 to every request in an ended session (2025-11-25, Session Management).';

const UNANSWERED: Finding = {
  verdict: 'fail',
  why: 'A request in an ended session gets no response instead of HTTP 404.',
  fix: FIX,
  cause: 'ended-session-status',
};

/** `undefined` if the server does not answer. */
async function ping(raw: RawSession): Promise<SseReader | undefined> {
  try {
    return await raw.post({ jsonrpc: '2.0', id: randomUUID(), method: 'ping' });
  } catch (error) {
    if (error instanceof NoResponse) return undefined;
    throw error;
  }
}

export function faultIn({
  status,
  ok,
  headers,
}: Pick<Response, 'status' | 'ok' | 'headers'>): Pick<Finding, 'why' | 'fix' | 'cause'> | undefined {
  const rest = { fix: FIX, cause: 'ended-session-status' } as const;
  if (ok) return { why: `The session still responds after DELETE (HTTP ${status}).`, ...rest };
  if (status !== 404)
    return { why: `A request in an ended session returns HTTP ${status} instead of 404.`, ...rest };
  if (!headers.has('mcp-session-id')) return undefined;
  return {
    why: 'The 404 for an ended session contains a new session ID, but clients must initialize anyway.',
    fix: 'Assign session IDs only in the initialize response (2025-11-25, Session Management).',
    cause: 'ended-session-new-id',
  };
}
