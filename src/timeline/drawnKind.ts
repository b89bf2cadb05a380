/** How a kind of entry is drawn and filtered: the columns of the table in `entryKinds.ts`. */
import type { Entry } from '../log/entry/entry.ts';

/** Never told apart by colour alone: each has its own shape on the screen. */
export type Mark =
  | 'sent'
  | 'live'
  | 'replayed'
  | 'duplicate'
  | 'lost'
  | 'unknown'
  | 'waiting'
  | 'answered'
  | 'plain';

export const LANE_KINDS = [
  'page',
  'connection',
  'requests',
  'calls',
  'stream',
  'questions',
  'tasks',
  'app',
  'auth',
  'notes',
  'errors',
] as const;
export type LaneKind = (typeof LANE_KINDS)[number];

export interface EntryLine {
  readonly mark: Mark;
  readonly kind: string;
  readonly label: string;
  /** A little of what it says. */
  readonly gist: string;
  readonly stream: string;
  readonly tone: 'plain' | 'look' | 'bad';
}

/** What a kind says in its line; the rest is the same for all. */
export type LineOf = Pick<EntryLine, 'label'> & Partial<EntryLine>;

export interface DrawnKind<E extends Entry> {
  /** For `lane:` of the filter, too. */
  lane(entry: E): LaneKind;
  mark(entry: E): Mark;
  /** For the lane of errors. */
  isError(entry: E): boolean;
  line(entry: E): LineOf;
  /** Why it is as it is, where that is not plain to see. */
  why(entry: E): string | undefined;
}
