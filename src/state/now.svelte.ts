/** The time, for durations on the screen: it ticks only while somebody looks. */
import { createSubscriber } from 'svelte/reactivity';

const TICK_MS = 1000;

export class Now {
  readonly #played: () => number | undefined;
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, TICK_MS);
    return () => clearInterval(timer);
  });

  /** @param played the moment that is shown while a log is played */
  constructor(played: () => number | undefined = () => undefined) {
    this.#played = played;
  }

  get ms(): number {
    const played = this.#played();
    if (played !== undefined) return played;
    this.#subscribe();
    return Date.now();
  }
}
