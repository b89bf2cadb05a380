/** Reads a stored log back: the state and the tail at once, anything older on demand. */
import type { Entry } from '../log/entry/entry.ts';
import { ServerReducer } from '../log/state/serverReducer.ts';
import { EMPTY_STATE, type ServerStateSnapshot } from '../log/state/mutableServerState.ts';
import { foldStored } from '../log/state/foldStored.ts';
import type { Reason } from '../log/reasons/reason.ts';
import {
  damagedKey,
  logIndexKey,
  parseLogIndex,
  parseSegment,
  segmentKey,
  segmentNumber,
  type SegmentInfo,
} from './records.ts';
import type { Store } from './store.ts';

/** Enough for the first screen. */
const TAIL_ENTRIES = 300;
/** Segments that are read at once when the whole log is walked through. */
const READ_AHEAD = 8;

/** A log without its entries. */
export interface RestoredIndex {
  readonly state: ServerStateSnapshot;
  readonly segments: readonly SegmentInfo[];
  readonly isImported?: true;
  /** What could not be read; the records themselves were put aside. */
  readonly damage: readonly Reason[];
}

export interface RestoredLog extends RestoredIndex {
  readonly tail: readonly Entry[];
}

export class LogReader {
  readonly #store: Store;
  readonly #server: string;

  constructor(store: Store, server: string) {
    this.#store = store;
    this.#server = server;
  }

  async restore(): Promise<RestoredLog> {
    const index = await this.index();
    const damage = [...index.damage];
    const tail = await this.#readTail(index.segments, damage);
    return { ...index, tail, damage };
  }

  /** What `restore` gives, without reading an entry. */
  async index(): Promise<RestoredIndex> {
    const stored = await this.#store.get(logIndexKey(this.#server));
    if (stored === undefined) return { state: EMPTY_STATE, segments: [], damage: [] };
    const parsed = parseLogIndex(stored);
    if (!parsed.ok) return this.#rebuild(stored, parsed.error);
    const { head: state, segments, isImported } = parsed.value;
    return { state, segments, damage: [], ...(isImported && { isImported }) };
  }

  /** Every stored entry from `since` on, oldest first, a few segments at a time. */
  async *entriesSince(
    segments: readonly SegmentInfo[],
    since = 0,
    damage: Reason[] = [],
  ): AsyncGenerator<readonly Entry[]> {
    const wanted = segments.filter((segment) => segment.last >= since);
    for (let i = 0; i < wanted.length; i += READ_AHEAD) {
      const infos = wanted.slice(i, i + READ_AHEAD);
      const records = await this.#store.getMany(infos.map(({ n }) => segmentKey(this.#server, n)));
      for (const [k, info] of infos.entries()) {
        const entries = indexed(await this.#parse(info, records[k], damage), info);
        yield entries.filter((entry) => entry.seq >= since);
      }
    }
  }

  /** The entries of these segments. */
  async read(
    segments: readonly SegmentInfo[],
    damage: Reason[] = [],
  ): Promise<readonly (readonly Entry[])[]> {
    const records = await this.#store.getMany(segments.map(({ n }) => segmentKey(this.#server, n)));
    return Promise.all(
      segments.map(async (info, i) => indexed(await this.#parse(info, records[i], damage), info)),
    );
  }

  /** The entry with this number, if it is still stored. */
  async entry(segments: readonly SegmentInfo[], seq: number): Promise<Entry | undefined> {
    const info = segments.find(({ first, last }) => first <= seq && seq <= last);
    if (!info) return undefined;
    const record = await this.#store.get(segmentKey(this.#server, info.n));
    const entries = await this.#parse(info, record, []);
    return entries.find((entry) => entry.seq === seq);
  }

  async #readTail(segments: readonly SegmentInfo[], damage: Reason[]): Promise<readonly Entry[]> {
    let first = segments.length;
    let found = 0;
    while (first > 0 && found < TAIL_ENTRIES) {
      first -= 1;
      const info = segments[first];
      if (info) found += info.last - info.first + 1;
    }
    return (await this.read(segments.slice(first), damage)).flat();
  }

  async #parse(info: SegmentInfo, record: unknown, damage: Reason[]): Promise<readonly Entry[]> {
    const parsed = parseSegment(record);
    if (parsed.ok) return parsed.value;
    await this.#putAside(`segment-${info.n}`, record);
    const { first, last } = info;
    damage.push({ code: 'storage-damaged', how: 'entries', first, last, text: parsed.error });
    return [];
  }

  /** Every entry that can be read, without the state: for a log that can't be restored. */
  async *salvage(): AsyncGenerator<readonly Entry[]> {
    for (const n of await this.#segmentNumbers()) {
      try {
        const parsed = parseSegment(await this.#store.get(segmentKey(this.#server, n)));
        if (parsed.ok) yield parsed.value;
      } catch {
        // One segment that can't be read must not cost the others.
      }
    }
  }

  async #segmentNumbers(): Promise<readonly number[]> {
    return (await this.#store.keys())
      .map((key) => segmentNumber(this.#server, key))
      .filter((n) => n !== undefined)
      .sort((a, b) => a - b);
  }

  /** The state is a fold over the segments, so a damaged one can be made again from them. */
  async #rebuild(stored: unknown, text: string): Promise<RestoredIndex> {
    await this.#putAside('head', stored);
    const damage: Reason[] = [{ code: 'storage-damaged', how: 'head', text }];
    const state = new ServerReducer(this.#server);
    const segments: SegmentInfo[] = [];
    for (const n of await this.#segmentNumbers()) {
      const record = await this.#store.get(segmentKey(this.#server, n));
      const entries = await this.#parse({ n, first: 0, last: 0, sizeBytes: 0 }, record, damage);
      const first = entries[0];
      const last = entries.at(-1);
      if (!first || !last) continue;
      foldStored(state, entries);
      const sizeBytes = entries.reduce((sum, e) => sum + ('raw' in e ? e.raw.length : 100), 0);
      segments.push({ n, first: first.seq, last: last.seq, sizeBytes });
    }
    return { state: state.snapshot(), segments, damage };
  }

  #putAside(name: string, record: unknown): Promise<void> {
    return this.#store.write([[damagedKey(this.#server, name), record ?? null]]);
  }
}

/** A page that ends while a large batch is written leaves entries that no index knows of: they come once more. */
function indexed(entries: readonly Entry[], { last }: SegmentInfo): readonly Entry[] {
  return (entries.at(-1)?.seq ?? 0) <= last ? entries : entries.filter(({ seq }) => seq <= last);
}
