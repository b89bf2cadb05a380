/** Begins a session with a server that also speaks 2026-07-28, to see what it can do there. */
import type { Clock } from '../../base/clock.ts';
import type { EraVerdict } from '../../log/protocol/era.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { Session } from './session.ts';
import type { SessionTry } from '../protocol/chooseEra.ts';

/** What of a connection matters for the choice between the eras. */
export interface EraConnection {
  readonly driver: { readonly era: EraVerdict['era'] };
  readonly verdict: Omit<EraVerdict, 'at'>;
  readonly session: Session;
  readonly peer: { ping(options: { readonly timeoutMs: number }): Promise<unknown> };
  /** The status of a GET without a session ID, where this page may read it. */
  statusOfGet(timeoutMs: number): Promise<number | undefined>;
  open(): Promise<unknown>;
  terminate(): Promise<unknown>;
  close(): Promise<unknown>;
}

const PING_MS = 5000;
/** These say nothing about sessions: a login is missing, or the server is busy. */
const NO_EVIDENCE: ReadonlySet<number> = new Set([401, 403, 408, 429]);

export async function trySession(
  connection: Pick<EraConnection, 'open' | 'session' | 'peer'>,
  { log, clock }: { readonly log: ServerLog; readonly clock: Clock },
  timeoutMs: number,
): Promise<SessionTry> {
  try {
    await within(timeoutMs, connection.open(), clock);
    const hasSessionId = connection.session.sessionId !== undefined;
    // The response to `initialize` mostly has an event ID already. Where it came as plain JSON, one more request tells.
    await log.folded();
    if (hasSessionId && !log.state.sendsEventIds) {
      await connection.peer.ping({ timeoutMs: PING_MS }).catch(() => undefined);
      await log.folded();
    }
    return { kind: 'opened', hasSessionId, sendsEventIds: log.state.sendsEventIds };
  } catch (error) {
    return readFailure(error);
  }
}

/** By what the errors have: their classes are in the part of the page that comes later. */
function readFailure(error: unknown): SessionTry {
  const { status, code } = error as { status?: unknown; code?: unknown };
  if (typeof status === 'number') {
    const isRejected = status >= 400 && status < 500 && !NO_EVIDENCE.has(status);
    return isRejected ? { kind: 'rejected', status } : { kind: 'no-answer', error };
  }
  // A JSON-RPC error has a number as its code.
  return typeof code === 'number' ? { kind: 'rejected', status: undefined } : { kind: 'no-answer', error };
}

function within(timeoutMs: number, work: Promise<unknown>, clock: Clock): Promise<unknown> {
  let cancel = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(timeoutMs, () => reject(new Error('no response to initialize')));
  });
  return Promise.race([work, late]).finally(cancel);
}
