/** The interfaces that a server had, with dates: a new one is kept when it differs from the one before. Pure. */
import { isObject, numberField } from '../../../base/json.ts';
import { diffInterfaces } from './diff.ts';
import { parseSnapshot, type InterfaceSnapshot } from './snapshot.ts';

export interface InterfaceVersion {
  /** When it was first seen. */
  readonly at: number;
  readonly snapshot: InterfaceSnapshot;
}

/** The oldest first. */
export type InterfaceHistory = readonly InterfaceVersion[];

export interface HistoryLimit {
  readonly versions: number;
  readonly chars: number;
}

const LIMIT: HistoryLimit = { versions: 20, chars: 4_000_000 };

/** @returns the same history, if nothing has changed */
export function remember(
  history: InterfaceHistory,
  snapshot: InterfaceSnapshot,
  at: number,
  limit: HistoryLimit = LIMIT,
): InterfaceHistory {
  const last = history.at(-1);
  if (last && diffInterfaces(last.snapshot, snapshot).length === 0) return history;
  return withinLimit([...history, { at, snapshot }], limit);
}

/** The newest stay, and the last one in any case. */
function withinLimit(history: InterfaceHistory, { versions, chars }: HistoryLimit): InterfaceHistory {
  let left = chars;
  const kept: InterfaceVersion[] = [];
  for (const version of history.slice(-versions).reverse()) {
    left -= JSON.stringify(version.snapshot).length;
    if (left < 0 && kept.length > 0) break;
    kept.unshift(version);
  }
  return kept;
}

export function parseHistory(value: unknown): InterfaceHistory {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((record) => {
    const at = numberField(record, 'at');
    const snapshot = parseSnapshot(record['snapshot']);
    return at === undefined || !snapshot ? [] : [{ at, snapshot }];
  });
}
