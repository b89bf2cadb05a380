/** What a person can do with a timeline, by key, by button or by pointer. */
import type { FoldedScale } from '../timeline/story/foldedScale.ts';
import type { TimeRange } from '../timeline/timeScale.ts';
import type { StoryOf } from './story.ts';
import type { TimelineView } from './timelineView.svelte.ts';

/** Computing in shares of the width needs no screen. */
const UNIT = 1000;
const ZOOM = 1.6;
const PAN = 0.25;

export class TimelineActions {
  readonly #server: StoryOf;

  constructor(server: StoryOf) {
    this.#server = server;
  }

  get #view(): TimelineView {
    return this.#server.timeline;
  }

  zoom(direction: 'in' | 'out'): void {
    // Who looks at the live end wants to go on seeing it.
    const at = this.#view.isGoingOn ? UNIT : UNIT / 2;
    this.#move((scale) => scale.zoom(direction === 'in' ? ZOOM : 1 / ZOOM, at));
  }

  pan(direction: 'earlier' | 'later'): void {
    this.#move((scale) => scale.pan((direction === 'later' ? PAN : -PAN) * UNIT));
  }

  /** What is running, selected or new; where that is shown already, everything. */
  fit(): void {
    this.#view.change({ story: this.#view.engine?.story.fitted(this.#server) });
  }

  follow(): void {
    this.#view.change({ isFollowing: true, playhead: undefined, story: undefined });
  }

  toggleFollow(): void {
    if (this.#view.setting.isFollowing) this.#view.change({ isFollowing: false });
    else this.follow();
  }

  toggleTimes(): void {
    this.#view.change({ times: this.#view.setting.times === 'clock' ? 'since' : 'clock' });
  }

  toggleLanes(): void {
    this.#view.change({ mode: this.#view.setting.mode === 'both' ? 'table' : 'both' });
  }

  async select(seq: number | undefined): Promise<void> {
    if (seq === undefined) {
      this.#view.change({ selected: undefined });
      return;
    }
    this.#view.change({ selected: seq, isFollowing: false });
    const at = await this.#timeOf(seq);
    if (at !== undefined) this.#show(at);
  }

  /** The next entry of the list, or the one before. */
  step(by: 1 | -1): void {
    const { seqs, setting } = this.#view;
    if (seqs.length === 0) return;
    const { selected } = setting;
    const at = selected === undefined ? (by > 0 ? -1 : seqs.length) : seqs.indexOf(selected);
    const from = selected !== undefined && seqs.at(at) !== selected && by > 0 ? at - 1 : at;
    void this.select(seqs.at(Math.min(seqs.length - 1, Math.max(0, from + by))));
  }

  async setZero(): Promise<void> {
    const { selected, zero } = this.#view.setting;
    const at = await this.#timeOf(selected);
    this.#view.change({ zero: at === undefined || at === zero ? undefined : at });
  }

  toggleBookmark(): void {
    const { selected, bookmarks } = this.#view.setting;
    if (selected !== undefined) this.#view.change({ bookmarks: toggled(bookmarks, selected) });
  }

  toBookmark(by: 1 | -1): void {
    const { selected = 0, bookmarks } = this.#view.setting;
    const next =
      by > 0
        ? (bookmarks.find((seq) => seq > selected) ?? bookmarks[0])
        : (bookmarks.findLast((seq) => seq < selected) ?? bookmarks.at(-1));
    if (next !== undefined) void this.select(next);
  }

  togglePin(seq = this.#view.setting.selected): void {
    if (seq !== undefined) this.#view.change({ pins: toggled(this.#view.setting.pins, seq) });
  }

  /** Lets the range begin or end at the selected entry, or at the playhead. */
  async setRangeEnd(end: 'from' | 'to'): Promise<void> {
    const { selected, playhead, range } = this.#view.setting;
    const at = (await this.#timeOf(selected)) ?? playhead;
    if (at === undefined) return;
    const whole = range ?? this.#extent();
    if (!whole) return;
    const next = end === 'from' ? { from: at, to: whole.to } : { from: whole.from, to: at + 1 };
    if (next.from < next.to) this.#view.change({ range: next });
  }

  /** Takes away one thing after the other: the playhead, the range, the selection. */
  clear(): void {
    const { playhead, range } = this.#view.setting;
    if (playhead !== undefined) this.#view.change({ playhead: undefined });
    else if (range) this.#view.change({ range: undefined });
    else this.#view.change({ selected: undefined });
  }

  setPlayhead(at: number): void {
    this.#view.change({ playhead: at, isFollowing: false });
    this.#show(at);
  }

  /** To the moment of the next entry, or of the one before. */
  stepPlayhead(by: 1 | -1): void {
    const index = this.#view.engine?.index;
    if (!index || index.length === 0) return;
    const { playhead = index.timeAt(index.length - 1) + 1 } = this.#view.setting;
    const i = by > 0 ? index.positionAt(playhead + 1) : index.positionAt(playhead) - 1;
    this.setPlayhead(index.timeAt(Math.min(index.length - 1, Math.max(0, i))));
  }

  #scale(): FoldedScale | undefined {
    return this.#view.engine?.story.scale(this.#server, UNIT);
  }

  #extent(): TimeRange | undefined {
    return this.#view.engine?.story.extent(this.#server);
  }

  #move(moved: (scale: FoldedScale) => TimeRange): void {
    const scale = this.#scale();
    if (scale) this.#view.change({ story: moved(scale) });
  }

  /** Moves the lanes as little as possible, so that this moment can be seen. */
  #show(at: number): void {
    const scale = this.#scale();
    if (scale && (at < scale.from || at > scale.to)) this.#view.change({ story: scale.showing(at) });
  }

  async #timeOf(seq: number | undefined): Promise<number | undefined> {
    if (seq === undefined) return undefined;
    return (this.#view.entry(seq) ?? (await this.#view.readEntry(seq)))?.at;
  }
}

function toggled(seqs: readonly number[], seq: number): readonly number[] {
  return seqs.includes(seq) ? seqs.filter((one) => one !== seq) : [...seqs, seq].sort((a, b) => a - b);
}
