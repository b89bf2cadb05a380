/** Missed events are seen arriving: how far they have come since the page got to know of them. */
import type { ExchangeRow } from '../../../timeline/story/exchangeRows.ts';
import type { Exchanges } from '../../../timeline/exchanges.ts';

const TAKES_MS = 600;
/** What came longer ago has arrived. */
const RECENT_MS = 2500;

export class Arrivals {
  readonly #begun = new Map<string, { replayed: number; at: number }>();

  /** @returns whether something is still on its way, so that another frame is due */
  look(rows: readonly ExchangeRow[], { carriages }: Exchanges, now: number): boolean {
    for (const carriage of carriages.slice(-50)) {
      const { callId, replayed, replayedTo = 0 } = carriage;
      if (callId === undefined || replayed === 0) continue;
      const id = `call/${callId}`;
      if (!rows.some((row) => row.id === id)) continue;
      if (!this.#begun.has(id) && now - replayedTo < RECENT_MS) this.#begun.set(id, { replayed, at: now });
    }
    return [...this.#begun.values()].some(({ at }) => now - at < TAKES_MS);
  }

  share(id: string, now: number): number {
    const begun = this.#begun.get(id);
    return begun ? Math.min(1, (now - begun.at) / TAKES_MS) : 1;
  }
}
