/** What a person can do with a timeline, by key, by button or by pointer. */
import { extentOf, fitted, panned, shownRange, withMoment, zoomed } from '../timeline/shown.ts';
import type { TimeRange } from '../timeline/timeScale.ts';
import type { TimelineMode } from './timelineKept.svelte.ts';
import type { TimelineView } from './timelineView.svelte.ts';

const MODES: readonly TimelineMode[] = ['both', 'lanes', 'table'];

export class TimelineActions {
  readonly #view: TimelineView;

  constructor(view: TimelineView) {
    this.#view = view;
  }

  /** From the first entry to the last; to now, while something is going on. */
  extent(): TimeRange {
    const { engine } = this.#view;
    const index = engine?.index;
    const { now } = this.#view;
    if (!index) return { from: now - 1000, to: now };
    return extentOf(index, this.#view.isGoingOn ? now : 0);
  }

  shown(): TimeRange {
    return shownRange(this.#view.setting, this.extent());
  }

  zoom(factor: number, share = 0.5): void {
    const { isFollowing } = this.#view.setting;
    // Who follows the live end wants to go on seeing it.
    this.#view.change({ shown: zoomed(this.shown(), factor, isFollowing && share === 0.5 ? 1 : share) });
  }

  pan(share: number): void {
    this.#view.change({ shown: panned(this.shown(), share), isFollowing: false });
  }

  show(shown: TimeRange): void {
    this.#view.change({ shown, isFollowing: false });
  }

  /** All of it, or all of the range. */
  fit(): void {
    const { range } = this.#view.setting;
    this.#view.change(range ? { shown: fitted(range), isFollowing: false } : { shown: undefined });
  }

  follow(): void {
    this.#view.change({ isFollowing: true, playhead: undefined });
  }

  toggleFollow(): void {
    if (this.#view.setting.isFollowing) this.#view.change({ shown: this.shown(), isFollowing: false });
    else this.follow();
  }

  nextMode(): void {
    const { mode } = this.#view.setting;
    this.#view.change({ mode: MODES[(MODES.indexOf(mode) + 1) % MODES.length] ?? 'both' });
  }

  async select(seq: number | undefined): Promise<void> {
    if (seq === undefined) {
      this.#view.change({ selected: undefined });
      return;
    }
    this.#view.change({ selected: seq, isFollowing: false, shown: this.shown() });
    const at = await this.#timeOf(seq);
    if (at !== undefined) this.#view.change({ shown: withMoment(this.shown(), at) });
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
    const whole = range ?? this.extent();
    const next = end === 'from' ? { from: at, to: whole.to } : { from: whole.from, to: at + 1 };
    if (next.from < next.to) this.#view.change({ range: next });
  }

  setRange(range: TimeRange | undefined): void {
    this.#view.change({ range });
  }

  /** Takes away one thing after the other: the playhead, the range, the selection. */
  clear(): void {
    const { playhead, range } = this.#view.setting;
    if (playhead !== undefined) this.#view.change({ playhead: undefined });
    else if (range) this.#view.change({ range: undefined });
    else this.#view.change({ selected: undefined });
  }

  setPlayhead(at: number): void {
    this.#view.change({ playhead: at, isFollowing: false, shown: withMoment(this.shown(), at) });
  }

  /** To the moment of the next entry, or of the one before. */
  stepPlayhead(by: 1 | -1): void {
    const index = this.#view.engine?.index;
    if (!index || index.length === 0) return;
    const { playhead = this.extent().to } = this.#view.setting;
    const i = by > 0 ? index.positionAt(playhead + 1) : index.positionAt(playhead) - 1;
    this.setPlayhead(index.timeAt(Math.min(index.length - 1, Math.max(0, i))));
  }

  async #timeOf(seq: number | undefined): Promise<number | undefined> {
    if (seq === undefined) return undefined;
    return (this.#view.entry(seq) ?? (await this.#view.readEntry(seq)))?.at;
  }
}

function toggled(seqs: readonly number[], seq: number): readonly number[] {
  return seqs.includes(seq) ? seqs.filter((one) => one !== seq) : [...seqs, seq].sort((a, b) => a - b);
}
