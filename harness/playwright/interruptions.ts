/** Which calls a test has interrupted, and what the server sent meanwhile, as far as the wire shows it. */
import type { Call } from '../contract.ts';
import type { Missed } from '../judge/judgeCall.ts';
import type { BlipProxy } from '../page/blipProxy.ts';

/** A call that says nothing for this long has nothing to miss. */
const PATIENCE_MS = 10_000;
const ENOUGH = 2;

export class Interruptions {
  readonly #network: BlipProxy;
  readonly #missed = new Map<string, Missed>();

  constructor(network: BlipProxy) {
    this.#network = network;
  }

  /** Call it before the page leaves; what it returns resolves when the server has sent two messages for nobody. */
  begin(calls: readonly Call[]): () => Promise<void> {
    const running = calls.filter(({ name }) => name === 'open' || name === 'sending');
    if (running.length === 0) return () => Promise.resolve();
    const missed = this.#network.watch();
    return async () => {
      const wanted = { messages: ENOUGH * running.length, responses: running.length };
      await missed.until(wanted, PATIENCE_MS);
      missed.release();
      for (const { id } of running) this.#missed.set(id, [...(this.#missed.get(id) ?? []), ...missed.list]);
    };
  }

  /** `undefined` for a call that was left alone. */
  of(callId: string): Missed | undefined {
    return this.#missed.get(callId);
  }
}
