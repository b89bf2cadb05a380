/** Asks a server whether it still knows the session: the status of a refused stream alone does not tell. */
import type { Verdict } from './classifyFailure.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export type SessionHealth =
  | { readonly name: 'alive' }
  | { readonly name: 'gone'; readonly reason: Reason }
  | { readonly name: 'no-answer' };

/** The connection whose session is asked for. */
interface Pinged {
  ping(options: { readonly timeoutMs: number }): Promise<unknown>;
}

const ALIVE: SessionHealth = { name: 'alive' };

const PING_TIMEOUT_MS = 10_000;
/** Behind some gateways a forgotten session shows as 503 for ever. */
const UNAVAILABLE_BEFORE_GONE = 4;
/** Network errors in a row, after which it is asked whether the server responds at all. */
const FAILURES_BEFORE_PROBE = 3;

export class SessionCheck {
  #running: Promise<SessionHealth> | undefined;
  #verdict: Verdict | undefined;
  #unavailable = 0;
  #failures = 0;
  readonly #responds: () => Promise<boolean>;

  /** @param responds does the server respond at all, whether or not the page may read it? */
  constructor(responds: () => Promise<boolean>) {
    this.#responds = responds;
  }

  /** Several streams that ask at the same time get one ping. */
  run(peer: Pinged): Promise<SessionHealth> {
    this.#running ??= this.#ping(peer).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** The exchange of the ping failed. */
  pingFailed(verdict: Verdict): void {
    this.#verdict = verdict;
  }

  async #ping(peer: Pinged): Promise<SessionHealth> {
    this.#verdict = undefined;
    try {
      await peer.ping({ timeoutMs: PING_TIMEOUT_MS });
    } catch (error) {
      if (this.#verdict) return this.#judge(this.#verdict, peer);
      // A server that answers the ping with a JSON-RPC error is alive; one that doesn't answer in time may hang.
      if (isTimeout(error)) return { name: 'no-answer' };
    }
    this.#unavailable = 0;
    this.#failures = 0;
    return ALIVE;
  }

  async #judge({ name, reason }: Verdict, peer: Pinged): Promise<SessionHealth> {
    if (name === 'retry') this.#unavailable += 1;
    this.#failures = name === 'no-answer' ? this.#failures + 1 : 0;
    if (this.#failures > FAILURES_BEFORE_PROBE) {
      this.#failures = 0;
      // A server that rejects an ended session without CORS headers looks as if it were gone.
      return { name: 'gone', reason: { code: 'session-blocked' } };
    }
    // The server may have come back after the ping: only a ping that fails while it responds was blocked.
    if (this.#failures === FAILURES_BEFORE_PROBE) {
      if (await this.#responds()) return this.#ping(peer);
      this.#failures -= 1;
    }
    const isGone = name === 'session-gone' || this.#unavailable >= UNAVAILABLE_BEFORE_GONE;
    return isGone ? { name: 'gone', reason } : { name: 'no-answer' };
  }
}

/** By its code: the class is in the part of the page that comes later. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'REQUEST_TIMEOUT';
}
