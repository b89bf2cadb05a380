/** Missed events are seen arriving: how far they have come since the page got to know of them. */
import { callRowId, type ExchangeRow } from '../../../timeline/story/exchangeRows.ts';
import type { Exchanges } from '../../../timeline/exchanges.ts';

const TAKES_MS = 600;
/** What came longer ago has arrived. */
const RECENT_MS = 2500;

interface Moment {
  /** By the clock of the log, which differs from the page's while a log is played. */
  readonly now: number;
  /** By the clock of the page. */
  readonly drawnAt: number;
}

export class Arrivals {
  /** The newest arrival of each row: when it was resumed, and when the page got to know of it. */
  readonly #begun = new Map<string, { readonly from: number; readonly at: number }>();

  /** @returns whether something is still on its way, so that another frame is due */
  look(rows: readonly ExchangeRow[], { carriages }: Exchanges, { now, drawnAt }: Moment): boolean {
    for (const { callId, from, replayed, replayedTo = 0 } of carriages.slice(-50)) {
      if (callId === undefined || replayed === 0 || now - replayedTo >= RECENT_MS) continue;
      const id = callRowId(callId);
      const known = this.#begun.get(id);
      if ((known?.from ?? -Infinity) >= from || !rows.some((row) => row.id === id)) continue;
      this.#begun.set(id, { from, at: drawnAt });
    }
    return [...this.#begun.values()].some(({ at }) => drawnAt - at < TAKES_MS);
  }

  /** How far the events of this row that came at this time are. */
  share(id: string, time: number, drawnAt: number): number {
    const begun = this.#begun.get(id);
    return begun && time >= begun.from ? Math.min(1, (drawnAt - begun.at) / TAKES_MS) : 1;
  }
}
