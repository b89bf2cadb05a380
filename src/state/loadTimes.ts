/** When each page load began, as far as the entries that were seen can tell. */
import type { Entry } from '../log/entry/entry.ts';

export class LoadTimes {
  readonly #beganAt = new Map<number, number>();

  note(entries: readonly Entry[]): void {
    for (const { load, at } of entries) {
      if (!this.#beganAt.has(load)) this.#beganAt.set(load, at);
    }
  }

  beganAt(load: number): number | undefined {
    return this.#beganAt.get(load);
  }

  /** How many page loads began within this time. */
  countIn(from: number, to: number): number {
    return [...this.#beganAt.values()].filter((at) => at > from && at < to).length;
  }
}
