/** The log of one server as the screen reads it: its entries, its page loads, and what went wrong with it. */
import type { Call } from '../log/state/call.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { EntryBatch } from '../log/entry/entryBatch.ts';
import { reasonText } from '../log/reasons/reasonText.ts';
import { LoadTimes } from './loadTimes.ts';
import { newEntries, type ShownServer } from './shownServer.ts';

export class ServerLog {
  readonly #tab: ShownServer;
  /** The tab, for what is drawn. */
  readonly #track: () => ShownServer;
  readonly #loads = new LoadTimes();
  #warnings = $state.raw<readonly string[]>([]);

  constructor(tab: ShownServer, track: () => ShownServer) {
    this.#tab = tab;
    this.#track = track;
    this.#loads.note(tab.log.tail);
    this.#noteWarnings(newEntries(tab));
    tab.log.appended.on(({ others }) => {
      this.#loads.note(others);
      this.#noteWarnings(others);
    });
  }

  /** The newest entries, as many as are in memory. */
  get tail(): readonly Entry[] {
    return this.#track().log.tail;
  }

  /** All entries, oldest first, a few at a time. */
  entries(): AsyncGenerator<readonly Entry[]> {
    return this.#tab.entries();
  }

  newest(count: number, passes: (entry: Entry) => boolean): Promise<readonly Entry[]> {
    return this.#tab.newestEntries(count, passes);
  }

  /** All entries as they may be shared. */
  sharedEntries(): AsyncGenerator<readonly Entry[]> {
    return this.#tab.sharedEntries();
  }

  /** These as they may be shared. */
  shared(entries: readonly Entry[]): readonly Entry[] {
    return entries.map((entry) => this.#tab.shared(entry));
  }

  /** @returns the undo */
  onAppended(listener: (batch: EntryBatch) => void): () => void {
    return this.#tab.log.appended.on(listener);
  }

  /** The page load that this page is. */
  get load(): number {
    return this.#track().log.state.load;
  }

  /** The number that the next entry gets. */
  get nextSeq(): number {
    return this.#track().log.state.nextSeq;
  }

  loadBeganAt(load: number): number | undefined {
    return this.#loads.beganAt(load);
  }

  /** How many page loads began while this call was running. */
  reloadsDuring({ startedAt, settledAt }: Pick<Call, 'startedAt' | 'settledAt'>): number {
    const { role, isImported } = this.#track();
    const noted = this.#loads.countIn(startedAt, settledAt ?? Infinity);
    // This page's own load is noted a moment after the first frame, and must not move what that frame has drawn.
    const isComing = role === 'undecided' && !isImported && settledAt === undefined;
    return isComing ? noted + 1 : noted;
  }

  /** What went wrong with the log itself in this page load. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  dismissWarnings(): void {
    this.#warnings = [];
  }

  #noteWarnings(entries: readonly Entry[]): void {
    const texts = entries.flatMap((entry) =>
      entry.kind === 'note' && entry.level !== 'info' ? [reasonText(entry.reason)] : [],
    );
    if (texts.length > 0) this.#warnings = [...this.#warnings, ...texts];
  }
}
