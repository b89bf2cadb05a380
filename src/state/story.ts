/** The calls of a server as rows with lanes: which rows there are, which time they show, and how one moves in it. */
import { rememberLast } from '../base/rememberLast.ts';
import {
  isRunning,
  rememberRows,
  spansOf,
  streamsOf,
  type ExchangeRow,
} from '../timeline/story/exchangeRows.ts';
import { foldIdle, merged, type Folds } from '../timeline/story/folds.ts';
import { FoldedScale } from '../timeline/story/foldedScale.ts';
import { IdleTimes } from '../timeline/story/idle.ts';
import { shownRows } from '../timeline/story/shownRows.ts';
import { storyRange } from '../timeline/story/storyRange.ts';
import type { LogIndex } from '../timeline/logIndex.ts';
import type { Seqs } from '../timeline/seqs.ts';
import { extentOf } from '../timeline/extent.ts';
import { fit, type TimeRange } from '../timeline/timeScale.ts';
import type { ServerView } from './serverView.svelte.ts';
import type { TimelineView } from './timelineView.svelte.ts';

/** So many of the newest matches of a filter decide which rows are shown. */
const MOST_MATCHES = 10_000;

/** What of the screen the picture depends on. */
export type StoryOf = Pick<ServerView, 'timeline' | 'selection'>;

export class Story {
  readonly #index: () => LogIndex;
  readonly #rowsOf = rememberRows();
  readonly #idle = new IdleTimes();
  readonly #shown = rememberLast<readonly ExchangeRow[]>();
  readonly #drawn = rememberLast<readonly ExchangeRow[]>();
  readonly #range = rememberLast<TimeRange>();
  readonly #busy = rememberLast<readonly TimeRange[]>();
  readonly #folded = rememberLast<Folds>();
  #unfolded: ReadonlySet<number> = new Set();
  #known: { readonly of: string; readonly keys: ReadonlySet<string> } | undefined;

  constructor(index: () => LogIndex) {
    this.#index = index;
  }

  /** All rows, oldest first. */
  all(): readonly ExchangeRow[] {
    return this.#rowsOf(this.#index().exchanges);
  }

  /** What the list shows, from top to bottom. */
  rows({ timeline, selection }: StoryOf): readonly ExchangeRow[] {
    const { tab, showsPlumbing, range, clearedSeq, earlier } = timeline.setting;
    // The log has filters of its own.
    const chip = tab === 'log' ? 'all' : timeline.setting.chip;
    const index = this.#index();
    const all = this.all();
    const found = this.#found(timeline);
    const selected = selection.row;
    // Moving about changes the setting with every frame, and none of this.
    const from = [all, index.length, chip, showsPlumbing, range, clearedSeq, earlier, selected, found];
    return this.#shown(from, () => {
      const load = index.exchanges.loads.at(-1);
      const matches = found && ((row: ExchangeRow) => streamsOf(row).some((stream) => found.has(stream)));
      return shownRows(all, {
        chip,
        showsPlumbing,
        range,
        clearedSeq,
        earlier,
        selected,
        load,
        matches,
      });
    });
  }

  /** From the first entry to the last; to now, while something is going on. */
  extent({ timeline }: StoryOf): TimeRange {
    return extentOf(this.#index(), timeline.isGoingOn ? timeline.now : 0);
  }

  scale(server: StoryOf, width: number): FoldedScale {
    const { story, range, clearedSeq } = server.timeline.setting;
    const { length } = this.#index();
    const rows = this.#drawn([this.all(), length, clearedSeq], () =>
      this.all().filter((row) => row.kind !== 'plumbing' && (row.first >= clearedSeq || isRunning(row))),
    );
    const extent = this.extent(server);
    const shown = story ?? (range ? wide(range) : this.#newest(server, rows));
    return new FoldedScale(shown, width, this.#folds(rows, story ? wide(extent) : shown));
  }

  /** What is running, selected or new; where that is shown already, everything. */
  fitted(server: StoryOf): TimeRange | undefined {
    return server.timeline.setting.story ? undefined : wide(this.extent(server));
  }

  unfold({ from }: TimeRange): void {
    const start = this.#idle.times.findLast((time) => time.from <= from)?.from;
    if (start !== undefined) this.#unfolded = new Set([...this.#unfolded, start]);
  }

  /** What is running, selected or new. */
  #newest(server: StoryOf, rows: readonly ExchangeRow[]): TimeRange {
    const { row } = server.selection;
    const extent = this.#sinceCleared(server);
    return this.#range([rows, row, extent.from, extent.to], () => storyRange(rows, row, extent));
  }

  /** What is left of the log when the list was cleared. */
  #sinceCleared(server: StoryOf): TimeRange {
    const index = this.#index();
    const { from, to } = this.extent(server);
    const cleared = index.positionOf(server.timeline.setting.clearedSeq);
    return { from: cleared < index.length ? index.timeAt(cleared) : Math.max(from, to - 1000), to };
  }

  #folds(rows: readonly ExchangeRow[], within: TimeRange): Folds {
    const times = this.#idle.read(this.#index());
    const busy = this.#busy([rows], () =>
      merged(rows.flatMap((row) => spansOf(row).map(({ from, to }) => ({ from, to: to ?? Infinity })))),
    );
    return this.#folded([busy, times.length, within.from, within.to, this.#unfolded], () =>
      foldIdle(within, { times, busy, unfolded: this.#unfolded }),
    );
  }

  /** The calls and streams of what was found, again only when more was found. */
  #keysOf(found: Seqs, filter: string): ReadonlySet<string> {
    const index = this.#index();
    const of = `${filter} ${found.length} ${index.length}`;
    if (this.#known?.of === of) return this.#known.keys;
    const keys = new Set<string>();
    for (let i = Math.max(0, found.length - MOST_MATCHES); i < found.length; i += 1) {
      const { callId, stream } = index.shapeAt(index.positionOf(found.at(i)));
      keys.add(callId).add(stream);
    }
    this.#known = { of, keys };
    return keys;
  }

  /** The calls and streams that the filter has found, if there is one. */
  #found({ engine, setting }: TimelineView): ReadonlySet<string> | undefined {
    const found = setting.filter.trim() === '' ? undefined : engine?.found?.seqs;
    return found && this.#keysOf(found, setting.filter);
  }
}

function wide(range: TimeRange): TimeRange {
  const { from, to } = fit(range, 1000);
  return { from, to };
}
