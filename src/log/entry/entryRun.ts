/**
 * A run: messages of one stream that follow each other and only count, as columns. This is the one form in which many
 * entries are stored, handed to listeners, posted between threads and indexed: copying one text and a few numbers costs a
 * tenth of copying thousands of entries. Whoever needs an entry of it makes it with `entryAt`.
 */
import type { Entry } from './entry.ts';
import type { EntryOf } from './entryKinds.ts';

/** Messages that change nothing but counts, the progress of their call and the position of their stream. */
export const COUNTED_METHODS: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/message',
]);

/** Texts one after the other, and where each of them ends. */
export interface TextColumn {
  readonly text: string;
  readonly ends: Uint32Array;
}

/** `<prefix><first>`, `<prefix><first + 1>` and so on: most servers count their events. */
export interface CountedIds {
  readonly prefix: string;
  readonly first: number;
}

/** What messages of a run may differ in, besides their text. */
export interface RunShape {
  readonly method: string;
  readonly callId?: string;
}

export interface EntryRun {
  /** Of the first entry. The others follow without a gap. */
  readonly firstSeq: number;
  readonly load: number;
  /** Pairs: a time, and how many entries in a row have it. */
  readonly times: readonly number[];
  readonly stream: string;
  readonly replayed?: true;
  readonly shapes: readonly RunShape[];
  /** The shape of each entry, where there is more than one. */
  readonly shapeOf?: Uint8Array;
  /** Either all of the entries have one, or none. */
  readonly eventIds?: CountedIds | TextColumn;
  readonly raw: TextColumn;
}

/** How entries are handed on: alone, or in runs. */
export type Packed = Entry | EntryRun;

type Received = EntryOf<'received'>;

export const isRun = (item: Packed): item is EntryRun => 'shapes' in item;

export const runLength = ({ raw }: Pick<EntryRun, 'raw'>): number => raw.ends.length;

export const lastSeqOf = (item: Packed): number =>
  isRun(item) ? item.firstSeq + runLength(item) - 1 : item.seq;

function textAt({ text, ends }: TextColumn, i: number): string {
  return text.slice(i === 0 ? 0 : ends[i - 1], ends[i]);
}

export function eventIdAt({ eventIds }: Pick<EntryRun, 'eventIds'>, i: number): string | undefined {
  if (!eventIds) return undefined;
  return 'text' in eventIds ? textAt(eventIds, i) : `${eventIds.prefix}${eventIds.first + i}`;
}

function shapeAt({ shapes, shapeOf }: Pick<EntryRun, 'shapes' | 'shapeOf'>, i: number): RunShape {
  const shape = shapes[shapeOf?.[i] ?? 0];
  if (!shape) throw new Error('A run has a shape for each of its entries.');
  return shape;
}

export function timeAt({ times }: Pick<EntryRun, 'times'>, i: number): number {
  let k = 0;
  for (let end = times[1] ?? 0; end <= i && k + 2 < times.length; end += times[k + 1] ?? 0) k += 2;
  return times[k] ?? 0;
}

export function entryAt(run: EntryRun, i: number): Received {
  return makeEntry(run, i, timeAt(run, i));
}

export function entriesOf(run: EntryRun): Received[] {
  const entries: Received[] = [];
  for (let k = 0; k < run.times.length; k += 2) {
    const at = run.times[k] ?? 0;
    for (let left = run.times[k + 1] ?? 0; left > 0; left -= 1) {
      entries.push(makeEntry(run, entries.length, at));
    }
  }
  return entries;
}

/** The first entry of each shape: for whoever asks which kinds of entries there are. */
export function samplesOf(run: EntryRun): Received[] {
  const firsts = run.shapes.map((_, shape) => run.shapeOf?.indexOf(shape) ?? 0);
  return firsts.sort((a, b) => a - b).map((i) => entryAt(run, i));
}

function makeEntry(run: EntryRun, i: number, at: number): Received {
  const { firstSeq, load, stream, replayed, raw } = run;
  const { method, callId } = shapeAt(run, i);
  const entry: { -readonly [K in keyof Received]: Received[K] } = {
    seq: firstSeq + i,
    at,
    load,
    kind: 'received',
    stream,
    method,
    raw: textAt(raw, i),
  };
  const eventId = eventIdAt(run, i);
  if (eventId !== undefined) entry.eventId = eventId;
  if (replayed) entry.replayed = true;
  if (callId !== undefined) entry.callId = callId;
  return entry;
}
