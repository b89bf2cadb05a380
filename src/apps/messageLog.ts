/** Records the messages of a view. Those that follow each other too fast are counted, so that no view floods the log. */
import type { Clock } from '../base/clock.ts';
import type { AppBody } from '../log/entry/entry.ts';

export type AppRecord = Omit<AppBody, 'callId' | 'view'>;

/** So many like each other are recorded in a window; the rest are counted. */
const MOST_ALIKE = 10;
/** So many of all kinds. */
const MOST = 60;
const WINDOW_MS = 1000;
const MOST_CHARS = 16_000;

interface Alike {
  readonly last: AppRecord;
  readonly count: number;
}

export class MessageLog {
  readonly #record: (records: readonly AppRecord[]) => void;
  readonly #clock: Clock;
  readonly #alike = new Map<string, Alike>();
  #recorded = 0;
  #stopTimer: (() => void) | undefined;

  constructor(record: (records: readonly AppRecord[]) => void, clock: Clock) {
    this.#record = record;
    this.#clock = clock;
  }

  add(record: AppRecord): void {
    this.#stopTimer ??= this.#clock.after(WINDOW_MS, () => this.flush());
    const key = `${record.step} ${record.method ?? ''} ${record.finding ?? ''}`;
    const count = (this.#alike.get(key)?.count ?? 0) + 1 + (record.more ?? 0);
    const isKept = count <= MOST_ALIKE && this.#recorded < MOST;
    this.#alike.set(key, { last: record, count });
    if (!isKept) return;
    this.#recorded += 1;
    this.#record([shortened(record)]);
  }

  /** Records how many weren't, with the last one of each kind. */
  flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const kept = this.#recorded;
    const rest = [...this.#alike.values()].filter(({ count }) => count > MOST_ALIKE || kept >= MOST);
    this.#alike.clear();
    this.#recorded = 0;
    const records = rest.map(({ last, count }) => ({
      ...shortened(last),
      more: Math.max(0, count - MOST_ALIKE - 1),
    }));
    if (records.length > 0) this.#record(records);
  }
}

function shortened(record: AppRecord): AppRecord {
  const { appText } = record;
  if (appText === undefined || appText.length <= MOST_CHARS) return record;
  return { ...record, appText: `${appText.slice(0, MOST_CHARS)}… (${appText.length} characters)` };
}
