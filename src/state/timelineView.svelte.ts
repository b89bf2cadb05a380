/** The list of entries of one server: which part of the log it shows, filtered or not. */
import { createSubscriber } from 'svelte/reactivity';
import type { ServerTab } from '../client/serverTab.ts';
import { reason } from '../base/words.ts';
import type { Entry } from '../log/entry.ts';
import { EntryWindow } from '../timeline/entryWindow.ts';
import { parseFilter } from '../timeline/filter.ts';
import { FilteredEntries } from '../timeline/filteredEntries.ts';
import type { FrameBatcher } from './frameBatcher.ts';

const FILTER_MS = 8;

export class TimelineView {
  readonly #tab: ServerTab;
  readonly #frames: FrameBatcher;
  readonly #subscribe: () => void;
  #tell: (() => void) | undefined;
  #filterText = $state('');
  #filterProblem = $state<string>();
  #isReading = $state(false);
  #earlier: readonly Entry[] = [];
  #filtered: FilteredEntries | undefined;

  constructor(tab: ServerTab, frames: FrameBatcher) {
    this.#tab = tab;
    this.#frames = frames;
    this.#subscribe = createSubscriber((update) => {
      this.#tell = update;
      frames.schedule(this.#refresh);
      return tab.log.appended.on(() => frames.schedule(this.#refresh));
    });
  }

  get entries(): EntryWindow {
    this.#subscribe();
    return this.#filtered?.window ?? this.#all();
  }

  get filterText(): string {
    return this.#filterText;
  }

  get filterProblem(): string | undefined {
    return this.#filterProblem;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** Are there entries before the first one here that could be read? */
  get hasEarlier(): boolean {
    this.#subscribe();
    return this.#earlier.length === 0 && (this.#tab.log.tail[0]?.seq ?? 1) > 1;
  }

  setFilter(text: string): void {
    this.#filterText = text;
    try {
      this.#filtered = text.trim() === '' ? undefined : new FilteredEntries(this.#tab.id, parseFilter(text));
      this.#filterProblem = undefined;
    } catch (error) {
      this.#filterProblem = reason(error);
    }
    this.#refresh();
  }

  async readEarlier(): Promise<void> {
    this.#isReading = true;
    try {
      this.#earlier = await this.#tab.entries();
      // A filter has passed these by already.
      this.setFilter(this.#filterText);
    } finally {
      this.#isReading = false;
    }
  }

  #all(): EntryWindow {
    return new EntryWindow(this.#earlier, this.#tab.log.tail);
  }

  readonly #refresh = (): void => {
    this.#dropEarlierAfterGap();
    if (this.#filtered && this.#isBehind(this.#filtered)) this.#frames.schedule(this.#refresh);
    this.#tell?.();
  };

  /** Filters for as long as a frame has room for it. */
  #isBehind(filtered: FilteredEntries): boolean {
    const all = this.#all();
    const until = performance.now() + FILTER_MS;
    let isBehind = filtered.advance(all);
    while (isBehind && performance.now() < until) isBehind = filtered.advance(all);
    return isBehind;
  }

  /** The log keeps its newest entries in memory; where it has let go of some in between, the list begins after them. */
  #dropEarlierAfterGap(): void {
    const last = this.#earlier.at(-1);
    const first = this.#tab.log.tail[0];
    if (last && first && first.seq > last.seq + 1) this.#earlier = [];
  }
}
