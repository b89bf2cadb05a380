/** The time, for durations on the screen: it ticks only while somebody looks. */
import { createSubscriber } from 'svelte/reactivity';

const TICK_MS = 1000;

export class Now {
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, TICK_MS);
    return () => clearInterval(timer);
  });

  get ms(): number {
    this.#subscribe();
    return Date.now();
  }
}
