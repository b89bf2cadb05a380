/** The timeline of one server: which entries its list shows, and how it is set up. */
import { createSubscriber } from 'svelte/reactivity';
import { loadPart } from '../base/loadPart.ts';
import { isOpen } from '../log/state/call.ts';
import type { Entry } from '../log/entry/entry.ts';
import { EntryPages } from '../timeline/entryPages.ts';
import type { QueryProblem } from '../timeline/filter/query.ts';
import { SeqRange, SeqSlice, type Seqs } from '../timeline/seqs.ts';
import type { Shape } from '../timeline/shape.ts';
import type { FrameBatcher } from '../base/frameBatcher.ts';
import type { KeptText } from './storage/keptText.ts';
import type { TimelineEngine } from './timelineEngine.ts';
import { TimelineKept, type TimelineSetting, type TimelineTab } from './timelineKept.svelte.ts';
import type { ShownServer } from './shownServer.ts';

const WITHOUT_PLUMBING = '-kind:plumbing';

export interface Outline {
  readonly at?: number;
  readonly shape?: Shape;
}

export class TimelineView {
  readonly #tab: ShownServer;
  readonly #frames: FrameBatcher;
  readonly #pages: EntryPages;
  readonly #kept: TimelineKept;
  readonly #subscribe: () => void;
  #tell: (() => void) | undefined;
  #engine = $state.raw<TimelineEngine>();
  #loading: Promise<TimelineEngine> | undefined;
  #isMissing = $state(false);
  /** Pages that were read. Those who draw entries follow it; the lanes, which know all of them, do not. */
  #pagesRead = $state(0);

  constructor(tab: ShownServer, frames: FrameBatcher, kept: KeptText) {
    this.#tab = tab;
    this.#frames = frames;
    this.#pages = new EntryPages(tab.source);
    this.#kept = new TimelineKept(kept, tab.id, (write) => frames.schedule(write));
    this.#subscribe = createSubscriber((update) => {
      this.#tell = update;
      return tab.log.appended.on(() => frames.schedule(this.#refresh));
    });
  }

  get setting(): TimelineSetting {
    return this.#kept.setting;
  }

  /** What the list shows: everything, or what is found, within the range. */
  get seqs(): Seqs {
    this.#subscribe();
    const all = this.#engine?.found?.seqs ?? this.#all();
    const { range } = this.#kept;
    const [first, last] = (range && this.#engine?.numbersIn(range)) ?? [0, Infinity];
    // A new one each time: what it stands for may have grown.
    return new SeqSlice(all, first, last);
  }

  /** How many entries there are in all. */
  get total(): number {
    this.#subscribe();
    return this.#all().length;
  }

  get problem(): QueryProblem | undefined {
    const { unsearched } = this;
    if (this.#engine?.problem) return this.#engine.problem;
    const to = this.#kept.filter.length;
    return unsearched === undefined ? undefined : { message: unsearched, from: 0, to };
  }

  /** Why the entries could not be searched. */
  get unsearched(): string | undefined {
    this.#subscribe();
    return this.#engine?.found?.problem;
  }

  /** The lanes and the filter could not be fetched. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** Does something happen at this moment, so that bars grow? */
  get isGoingOn(): boolean {
    this.#subscribe();
    return [...this.#tab.log.state.calls.values()].some(isOpen);
  }

  /** Where bars end that have no end yet. */
  get now(): number {
    return this.#tab.now?.() ?? Date.now();
  }

  /** What it knows changes with every frame that brings something new. */
  get engine(): TimelineEngine | undefined {
    this.#subscribe();
    return this.#engine;
  }

  /** Is the filter still looking? From 0 to 1. */
  get progress(): number {
    this.#subscribe();
    if (this.#kept.filter.trim() === '') return 1;
    return this.#engine?.found?.progress ?? (this.#engine?.problem ? 1 : 0);
  }

  /** The entry, if it is in memory; else it is read, and then it is. */
  entry(seq: number): Entry | undefined {
    void this.#pagesRead;
    this.#subscribe();
    return this.#pages.get(seq);
  }

  /** What the index knows of an entry, also of one that is not in memory. */
  outline(seq: number): Outline {
    const index = this.engine?.index;
    const i = index?.positionOf(seq) ?? 0;
    return index?.seqAt(i) === seq ? { at: index.timeAt(i), shape: index.shapeAt(i) } : {};
  }

  async want(seqs: readonly number[]): Promise<void> {
    if (await this.#pages.want(seqs)) this.#pagesRead += 1;
  }

  readEntry(seq: number): Promise<Entry | undefined> {
    return this.#pages.entry(seq);
  }

  /** All entries with these numbers that there still are. */
  async readEntries(seqs: readonly number[]): Promise<readonly Entry[]> {
    const found = await Promise.all(seqs.map((seq) => this.#pages.entry(seq)));
    return found.filter((entry) => entry !== undefined);
  }

  change(change: Partial<TimelineSetting>): void {
    this.#kept.change(change);
  }

  setFilter(text: string): void {
    this.#kept.change({ filter: text });
    this.#search();
  }

  /** Somebody is about to filter: what that needs is fetched beforehand. */
  expectFilter(): void {
    this.#engine?.loadFilter().catch(() => undefined);
  }

  /** Shows the calls or the log. */
  setTab(tab: TimelineTab): void {
    this.#kept.change({ tab });
    this.#search();
  }

  /** Shows what is needed to resume and seldom read, or hides it. */
  showPlumbing(showsPlumbing: boolean): void {
    this.#kept.change({ showsPlumbing });
    this.#search();
  }

  #search(): void {
    if (this.#engine) void this.#engine.setFilter(this.#filterInForce());
    else void this.load();
    this.#tell?.();
  }

  /** Who types a filter finds everything with it. */
  #filterInForce(): string {
    const { filter, tab, showsPlumbing } = this.setting;
    return filter.trim() === '' && tab === 'log' && !showsPlumbing ? WITHOUT_PLUMBING : filter;
  }

  /** Loads what the lanes and the filter need. */
  async load(): Promise<TimelineEngine | undefined> {
    try {
      this.#isMissing = false;
      this.#loading ??= loadPart(() => import('./timelineEngine.ts')).then((module) => {
        const { TimelineEngine } = module;
        return new TimelineEngine(this.#tab.source, () => this.#frames.schedule(this.#show), this.#show);
      });
      const engine = await this.#loading;
      if (this.#engine) return engine;
      const filter = this.#filterInForce();
      // At once with what is found, instead of after a glance at everything.
      if (filter.trim() !== '') await engine.setFilter(filter);
      this.#engine = engine;
      return engine;
    } catch {
      this.#loading = undefined;
      this.#isMissing = true;
      return undefined;
    }
  }

  #all(): SeqRange {
    const { tail, stored } = this.#tab.source;
    const first = stored[0]?.first ?? tail[0]?.seq ?? 1;
    return new SeqRange(first, this.#tab.log.state.nextSeq - 1);
  }

  readonly #refresh = (): void => {
    this.#engine?.goOn();
    this.#tell?.();
  };

  readonly #show = (): void => {
    this.#tell?.();
  };
}
