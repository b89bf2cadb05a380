/** The keys and shapes of what is stored for one server's log. */
import { isObject } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { VERSION, type Entry } from '../log/entry/entry.ts';
import { isEntryKind } from '../log/entry/entryKinds.ts';
import type { ServerStateSnapshot } from '../log/state/mutableServerState.ts';
import { isRun, type EntryRun, type Packed, type TextColumn } from '../log/entry/entryRun.ts';
import { packEntries, unpackEntries } from '../log/entry/packedEntries.ts';
import { upgrade } from '../log/entry/upgrade.ts';

export interface SegmentInfo {
  readonly n: number;
  readonly first: number;
  readonly last: number;
  readonly sizeBytes: number;
}

export interface LogIndexRecord {
  readonly v: number;
  readonly head: ServerStateSnapshot;
  readonly segments: readonly SegmentInfo[];
  /** The log came from a file: it is read, and nothing is added to it. */
  readonly isImported?: true;
}

export interface SegmentRecord {
  readonly v: number;
  readonly runs: readonly Packed[];
}

/** Everything of a server stands under one prefix. Encoded, so no ID is the beginning of another's. */
export const serverPrefix = (id: string): string => `servers/${encodeURIComponent(id)}/`;
export const logIndexKey = (id: string): string => `${serverPrefix(id)}log/head`;
export const segmentKey = (id: string, n: number): string => `${serverPrefix(id)}log/segment/${n}`;
export const damagedKey = (id: string, name: string): string => `${serverPrefix(id)}damaged/${name}`;

/** The number of a segment key, or undefined for any other key. */
export function segmentNumber(id: string, key: string): number | undefined {
  const prefix = `${serverPrefix(id)}log/segment/`;
  if (!key.startsWith(prefix)) return undefined;
  const n = Number(key.slice(prefix.length));
  return Number.isInteger(n) ? n : undefined;
}

export const segmentRecord = (items: readonly Packed[]): SegmentRecord => ({
  v: VERSION,
  runs: packEntries(items),
});

export function parseLogIndex(record: unknown): Result<LogIndexRecord, string> {
  const upgraded = upgrade(record);
  if (!upgraded.ok) return upgraded;
  const { head, segments, isImported } = upgraded.value;
  if (!isStateSnapshot(head)) return err('saved state damaged');
  if (!Array.isArray(segments) || !segments.every(isSegmentInfo)) return err('index damaged');
  return ok({ v: VERSION, head, segments, ...(isImported === true && { isImported }) });
}

export function parseSegment(record: unknown): Result<readonly Entry[], string> {
  const upgraded = upgrade(record);
  if (!upgraded.ok) return upgraded;
  const { runs } = upgraded.value;
  if (!Array.isArray(runs) || !runs.every((item) => isWholeRun(item) || isEntry(item))) {
    return err('entries damaged');
  }
  try {
    return ok(unpackEntries(runs.map(knownOrNote)));
  } catch {
    // A run whose columns don't fit each other.
    return err('entries damaged');
  }
}

function isStateSnapshot(value: unknown): value is ServerStateSnapshot {
  return (
    isObject(value) &&
    typeof value['load'] === 'number' &&
    typeof value['nextSeq'] === 'number' &&
    isObject(value['state']) &&
    Array.isArray(value['streams']) &&
    Array.isArray(value['calls']) &&
    Array.isArray(value['questions'])
  );
}

function isSegmentInfo(value: unknown): value is SegmentInfo {
  return isObject(value) && ['n', 'first', 'last', 'sizeBytes'].every((k) => typeof value[k] === 'number');
}

function isWholeRun(value: unknown): value is EntryRun {
  return (
    isObject(value) &&
    Array.isArray(value['shapes']) &&
    Array.isArray(value['times']) &&
    ['firstSeq', 'load'].every((name) => typeof value[name] === 'number') &&
    typeof value['stream'] === 'string' &&
    isTextColumn(value['raw'])
  );
}

function isTextColumn(value: unknown): value is TextColumn {
  return isObject(value) && typeof value['text'] === 'string' && value['ends'] instanceof Uint32Array;
}

/** Another version may have stored a kind that this one doesn't know. It costs only itself. */
function knownOrNote(item: Packed): Packed {
  if (isRun(item) || isEntryKind(item.kind)) return item;
  const { seq, at, load } = item;
  return { seq, at, load, kind: 'note', level: 'warn', reason: { code: 'not-processed' } };
}

function isEntry(value: unknown): value is Entry {
  return (
    isObject(value) &&
    typeof value['seq'] === 'number' &&
    typeof value['at'] === 'number' &&
    typeof value['kind'] === 'string' &&
    (value['raw'] === undefined || typeof value['raw'] === 'string')
  );
}
