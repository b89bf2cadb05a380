/** Times in which nothing was recorded, found once for each entry of a log that grows. */
import type { LogIndex } from '../logIndex.ts';
import type { TimeRange } from '../timeScale.ts';

/** Shorter pauses are never folded. */
const SHORTEST_MS = 2000;

export class IdleTimes {
  readonly times: TimeRange[] = [];
  #index: LogIndex | undefined;
  #seen = 0;

  /** Looks at what is new. */
  read(index: LogIndex): readonly TimeRange[] {
    if (this.#index !== index) {
      this.#index = index;
      this.#seen = 0;
      this.times.length = 0;
    }
    while (this.#seen < index.length) {
      // Entries of a block are seldom far apart: its ends tell whether to look inside.
      const end = index.blockEnd(this.#seen);
      const from = this.#seen === 0 ? index.timeAt(0) : index.timeAt(this.#seen - 1);
      if (index.timeAt(end - 1) - from >= SHORTEST_MS) this.#look(index, this.#seen, end);
      this.#seen = end;
    }
    return this.times;
  }

  #look(index: LogIndex, begin: number, end: number): void {
    for (let i = Math.max(1, begin); i < end; i += 1) {
      const [from, to] = [index.timeAt(i - 1), index.timeAt(i)];
      if (to - from >= SHORTEST_MS) this.times.push({ from, to });
    }
  }
}
