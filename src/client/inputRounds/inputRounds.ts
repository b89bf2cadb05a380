/**
 * Multi-round-trip requests (MCP 2026-07-28): when all that a server asked for is answered, the same request is sent
 * again under a new id, with the answers and with the server's state, byte for byte.
 */
import type { Clock } from '../../base/clock.ts';
import { isOpen } from '../../log/state/call.ts';
import { isReady, type Round } from '../../log/state/callContinuations.ts';
import type { Log } from '../../log/log.ts';
import { followUpId } from '../../log/protocol/wireId.ts';
import { backoffMs } from '../../base/backoff.ts';

export interface InputRoundsOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly flushed: () => Promise<void>;
  readonly calls: { retry(wireId: string, round: Round): void };
}

/** A server that never asks and never answers is not waited for for ever. */
const MAX_ROUNDS = 50;

export class InputRounds {
  readonly #options: InputRoundsOptions;
  readonly #stopListening: () => void;
  readonly #timers = new Map<string, () => void>();

  constructor(options: InputRoundsOptions) {
    this.#options = options;
    this.#stopListening = options.log.changed.on((transitions) => {
      for (const one of transitions) if (one.kind === 'roundChanged') this.#consider(one.callId);
    });
  }

  /** A page may have left after the last answer, and before the request that carries it. */
  resume(): void {
    for (const { callId } of this.#options.log.state.continuations.rounds.values()) this.#consider(callId);
  }

  close(): void {
    this.#stopListening();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #consider(callId: string): void {
    const { log, clock } = this.#options;
    const round = log.state.continuations.rounds.get(callId);
    const call = log.state.calls.get(callId);
    if (!round || !isReady(round) || !call || !isOpen(call) || this.#timers.has(callId)) return;
    if (round.number > MAX_ROUNDS) {
      const reason = { code: 'too-many-rounds', rounds: MAX_ROUNDS } as const;
      log.append({ body: { kind: 'call', callId, change: { name: 'lost', reason } } });
      return;
    }
    // With nothing to answer, the server asks for patience: it gets the same request again, ever more calmly.
    const delayMs = round.keys.length > 0 ? 0 : backoffMs(round.number, 'calm', clock.random());
    this.#timers.set(
      callId,
      clock.after(delayMs, () => {
        this.#timers.delete(callId);
        void this.#retry(round);
      }),
    );
  }

  /** The intent is stored before the request leaves: it must not leave twice. */
  async #retry(round: Round): Promise<void> {
    const { log, flushed, calls } = this.#options;
    const { callId, number } = round;
    if (log.state.continuations.rounds.get(callId) !== round) return;
    log.append({ body: { kind: 'call', callId, change: { name: 'retrying' } } });
    await flushed();
    calls.retry(followUpId(callId, 'round', String(number)), round);
  }
}
