/** How a person has set up a timeline: it is the same after a reload, in this tab. */
import { isObject, numberField, objectField, stringField } from '../base/json.ts';
import type { Chip, Earlier } from '../timeline/story/shownRows.ts';
import type { TimeRange } from '../timeline/timeScale.ts';
import type { KeptText } from './storage/keptText.ts';

/** The log: its entries alone, or below the lanes of the calls. */
export type TimelineMode = 'both' | 'table';

export type TimelineTab = 'calls' | 'log';

export interface TimelineSetting {
  /** The calls with their lanes, or every entry. */
  readonly tab: TimelineTab;
  readonly chip: Chip;
  /** What the lanes of the calls show; without one, what is running, selected or new. */
  readonly story: TimeRange | undefined;
  /** Calls that began before this entry were cleared from the list. */
  readonly clearedSeq: number;
  /** Calls that ended before the newest ones. */
  readonly earlier: Earlier;
  /** Shows event IDs, ends of streams and the like, too. */
  readonly showsPlumbing: boolean;
  readonly mode: TimelineMode;
  readonly filter: string;
  readonly selected: number | undefined;
  readonly isFollowing: boolean;
  /** Everything else is left out. */
  readonly range: TimeRange | undefined;
  /** How the times of entries are written: since the page load, or by the clock. */
  readonly times: 'since' | 'clock';
  /** The moment that times are counted from, if it is not the page load. */
  readonly zero: number | undefined;
  readonly playhead: number | undefined;
  readonly bookmarks: readonly number[];
  readonly pins: readonly number[];
}

const NOTHING_SET: TimelineSetting = {
  tab: 'calls',
  chip: 'all',
  story: undefined,
  clearedSeq: 0,
  earlier: 'folded',
  showsPlumbing: false,
  mode: 'both',
  filter: '',
  selected: undefined,
  isFollowing: true,
  range: undefined,
  times: 'since',
  zero: undefined,
  playhead: undefined,
  bookmarks: [],
  pins: [],
};

/** Changed with every frame while somebody moves about. */
const MOVES: ReadonlySet<string> = new Set(['isFollowing', 'story']);
const CHIPS: readonly string[] = ['all', 'running', 'errors', 'tools', 'load'] satisfies readonly Chip[];

export class TimelineKept {
  readonly #kept: KeptText;
  readonly #key: string;
  readonly #later: (write: () => void) => void;
  #setting = $state.raw(NOTHING_SET);
  // Moving about changes the setting with every frame; who reads only these is not told. Not derived: a derived value
  // belongs to the part of the page that made it, and is stale once that is gone.
  #range = $state.raw<TimeRange>();
  #filter = $state('');

  /** @param later runs an update a little later, and the same one only once */
  constructor(kept: KeptText, server: string, later: (write: () => void) => void) {
    this.#kept = kept;
    this.#later = later;
    this.#key = `reprise.timeline/${encodeURIComponent(server)}`;
    this.#set(parseSetting(kept.read(this.#key)));
  }

  get setting(): TimelineSetting {
    return this.#setting;
  }

  get range(): TimeRange | undefined {
    return this.#range;
  }

  get filter(): string {
    return this.#filter;
  }

  change(change: Partial<TimelineSetting>): void {
    this.#set({ ...this.#setting, ...change });
    const isMove = Object.keys(change).every((name) => MOVES.has(name));
    // A wheel turns faster than anybody could want it kept.
    if (isMove) this.#later(this.#write);
    else this.#write();
  }

  #set(setting: TimelineSetting): void {
    this.#setting = setting;
    this.#range = setting.range;
    this.#filter = setting.filter;
  }

  readonly #write = (): void => {
    this.#kept.write(this.#key, JSON.stringify(this.#setting));
  };
}

function parseSetting(text: string | undefined): TimelineSetting {
  const value = text === undefined ? {} : parse(text);
  const chip = stringField(value, 'chip') ?? '';
  return {
    tab: stringField(value, 'tab') === 'log' ? 'log' : 'calls',
    chip: CHIPS.includes(chip) ? (chip as Chip) : 'all',
    story: rangeField(value, 'story'),
    clearedSeq: numberField(value, 'clearedSeq') ?? 0,
    earlier: stringField(value, 'earlier') === 'shown' ? 'shown' : 'folded',
    showsPlumbing: isObject(value) && value['showsPlumbing'] === true,
    mode: stringField(value, 'mode') === 'table' ? 'table' : 'both',
    filter: stringField(value, 'filter') ?? '',
    selected: numberField(value, 'selected'),
    isFollowing: !isObject(value) || value['isFollowing'] !== false,
    range: rangeField(value, 'range'),
    times: stringField(value, 'times') === 'clock' ? 'clock' : 'since',
    zero: numberField(value, 'zero'),
    playhead: numberField(value, 'playhead'),
    bookmarks: numbersField(value, 'bookmarks'),
    pins: numbersField(value, 'pins'),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function rangeField(value: unknown, name: string): TimeRange | undefined {
  const range = objectField(value, name);
  const from = numberField(range, 'from');
  const to = numberField(range, 'to');
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
}

function numbersField(value: unknown, name: string): readonly number[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter((one) => typeof one === 'number') : [];
}
