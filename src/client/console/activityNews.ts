/** What has happened since a cursor, from memory or from storage. */
import type { Entry } from '../../log/entry/entry.ts';
import { lowerBound, walk } from '../../timeline/logSource.ts';
import { wakingAmong } from './activityEvents.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';

export type ActivityServer = Pick<ServerHandle, 'id' | 'name' | 'log' | 'source'>;

/** The last entry that was read, by the id of its server. */
export type Position = ReadonlyMap<string, number>;

export interface News {
  readonly tab: ActivityServer;
  /** Those that wake. */
  readonly entries: readonly Entry[];
  /** How far the log was read: what comes after this is news for the next one who asks. */
  readonly readTo: number;
  readonly isTruncated: boolean;
}

/** The rest is read from `readTo` on, by the next call. */
const MOST_EVENTS = 100_000;

export function position(servers: readonly ActivityServer[]): Position {
  return new Map(servers.map(({ id, log }) => [id, log.state.nextSeq - 1]));
}

export function readNews(servers: readonly ActivityServer[], from: Position): Promise<readonly News[]> {
  return Promise.all(servers.map((tab) => readNewsOf(tab, from.get(tab.id) ?? 0)));
}

async function readNewsOf(tab: ActivityServer, after: number): Promise<News> {
  const found: Entry[] = [];
  let readTo = Math.min(after, tab.log.state.nextSeq - 1);
  let isTruncated = false;
  let state = stateBefore(tab, after);
  for await (const entries of entriesAfter(tab, after)) {
    const [first] = entries;
    if (!first) continue;
    if (first.seq > readTo + 1) isTruncated = true;
    for (const { entry } of wakingAmong(entries, state)) found.push(entry);
    state = lastState(entries) ?? state;
    readTo = entries.at(-1)?.seq ?? readTo;
    if (found.length >= MOST_EVENTS) break;
  }
  return { tab, entries: found, readTo, isTruncated };
}

async function* entriesAfter(
  { log, source }: ActivityServer,
  after: number,
): AsyncGenerator<readonly Entry[]> {
  const { tail } = log;
  const isInMemory = log.state.nextSeq - 1 <= after || (tail[0]?.seq ?? Infinity) <= after + 1;
  if (isInMemory) yield tail.slice(lowerBound(tail, after + 1));
  else yield* walk(source, after + 1);
}

function stateBefore({ log }: ActivityServer, seq: number) {
  return lastState(log.tail.slice(0, lowerBound(log.tail, seq + 1)));
}

function lastState(entries: readonly Entry[]) {
  const last = entries.findLast((entry) => entry.kind === 'state');
  return last?.kind === 'state' ? last.state.name : undefined;
}

export function printPosition(position: Position): string {
  return new URLSearchParams([...position].map(([id, seq]) => [id, String(seq)])).toString();
}

export function parsePosition(text: string | undefined): Position | undefined {
  if (text === undefined) return undefined;
  const pairs = [...new URLSearchParams(text)].filter(([, seq]) => /^\d+$/.test(seq));
  return new Map(pairs.map(([id, seq]) => [id, Number(seq)]));
}
