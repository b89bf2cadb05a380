/** One limit for the logs of all servers together: how full it is, and whose entries go when it is reached. Pure. */
import type { SegmentInfo } from './records.ts';
import { totals } from './segmenter.ts';

export const DEFAULT_LIMIT_BYTES = 500_000_000;
export const LEAST_LIMIT_BYTES = 1_000_000;
const WARNED_SHARE = 0.8;
/** At the limit so much is removed that it is not reached again with the next message. */
const KEPT_SHARE = 0.9;

/** What the log of one server takes. */
export interface StoredShare {
  readonly id: string;
  readonly segments: readonly SegmentInfo[];
  /** When a message was last sent or received. */
  readonly usedAt: number;
  /** The oldest entry that an open call needs. */
  readonly neededSince: number;
}

export interface StorageUsage {
  readonly limitBytes: number;
  readonly usedBytes: number;
  readonly isAlmostFull: boolean;
  /** The largest first. */
  readonly servers: readonly { readonly id: string; readonly usedBytes: number }[];
}

/** What is to be left of the log of a server. */
export interface Removal {
  readonly id: string;
  readonly keepBytes: number;
}

export function usageOf(shares: readonly StoredShare[], limitBytes: number): StorageUsage {
  const servers = shares
    .map(({ id, segments }) => ({ id, usedBytes: totals(segments).sizeBytes }))
    .sort((a, b) => b.usedBytes - a.usedBytes);
  const usedBytes = servers.reduce((sum, server) => sum + server.usedBytes, 0);
  return { limitBytes, usedBytes, isAlmostFull: usedBytes >= WARNED_SHARE * limitBytes, servers };
}

/** The oldest entries of the least recently used server go first, then those of the next. */
export function planRemovals(shares: readonly StoredShare[], limitBytes: number): readonly Removal[] {
  const { usedBytes } = usageOf(shares, limitBytes);
  if (usedBytes < limitBytes) return [];
  let excessBytes = usedBytes - KEPT_SHARE * limitBytes;
  const removals: Removal[] = [];
  for (const share of [...shares].sort((a, b) => a.usedAt - b.usedAt)) {
    const freedBytes = Math.min(excessBytes, removableBytes(share));
    if (freedBytes <= 0) continue;
    excessBytes -= freedBytes;
    removals.push({ id: share.id, keepBytes: totals(share.segments).sizeBytes - freedBytes });
  }
  return removals;
}

/** The newest segment is still being written. */
function removableBytes({ segments, neededSince }: StoredShare): number {
  return totals(segments.slice(0, -1).filter(({ last }) => last < neededSince)).sizeBytes;
}

/** @param text megabytes, as they were set; the default, where they can't be read */
export function parseLimitBytes(text: string | undefined): number {
  const bytes = Number(text) * 1_000_000;
  return text !== undefined && bytes >= LEAST_LIMIT_BYTES && Number.isFinite(bytes)
    ? bytes
    : DEFAULT_LIMIT_BYTES;
}
