/** The progress of a call, number by number: how each of them got here. Pure. */
import { numberField, objectField } from '../../base/json.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { messageOf } from '../../log/entry/messageOf.ts';

export type TickHow = 'before' | 'recovered' | 'live' | 'due';

export interface Tick {
  readonly n: number;
  readonly how: TickHow;
  /** When it got here. */
  readonly at: number;
}

/** More than this can't be told apart on a screen. */
const MOST = 40;

/** @returns nothing for a call whose progress isn't counted in whole numbers up to a small total */
export function ticksOf(entries: readonly Entry[], total: number | undefined): readonly Tick[] {
  if (total === undefined || !Number.isInteger(total) || total < 2 || total > MOST) return [];
  const came = new Map<number, Entry & { kind: 'received' }>();
  for (const entry of entries) {
    if (entry.kind !== 'received' || entry.method !== 'notifications/progress') continue;
    const n = numberField(objectField(messageOf(entry), 'params'), 'progress');
    if (n !== undefined && !came.has(n)) came.set(n, entry);
  }
  const replayed = [...came.values()].filter(isReplayed);
  const firstReload = replayed.length === 0 ? Infinity : Math.min(...replayed.map(({ load }) => load));
  return Array.from({ length: total }, (_, i): Tick => {
    const entry = came.get(i + 1);
    if (!entry) return { n: i + 1, how: 'due', at: 0 };
    const how = isReplayed(entry) ? 'recovered' : entry.load < firstReload ? 'before' : 'live';
    return { n: i + 1, how, at: entry.at };
  });
}

const isReplayed = (entry: Entry): boolean => 'replayed' in entry && entry.replayed;

/** Ticks that are alike stand together. */
export interface TickGroup {
  readonly how: TickHow;
  readonly ticks: readonly Tick[];
}

export function grouped(ticks: readonly Tick[]): readonly TickGroup[] {
  const groups: { how: TickHow; ticks: Tick[] }[] = [];
  for (const tick of ticks) {
    const last = groups.at(-1);
    if (last?.how === tick.how) last.ticks.push(tick);
    else groups.push({ how: tick.how, ticks: [tick] });
  }
  return groups;
}
