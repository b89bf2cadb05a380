/** What a reload cost a call: told only if the server has resumed it, so that it is true or not there. */
import type { Exchanges } from '../exchanges.ts';
import { gapsOf } from '../gaps.ts';
import type { CallSpan, StreamConnectionSpan } from '../span.ts';

interface Survival {
  /** How many page loads began while the call was running. */
  readonly reloads: number;
  readonly recovered: number;
  /** From the request that resumed the stream to the last missed event; unknown where nothing was missed. */
  readonly recoveredInMs: number | undefined;
}

const LOST: ReadonlySet<string> = new Set(['lost', 'unknown', 'expired']);

function reloadsOf({ from, to }: Pick<CallSpan, 'from' | 'to'>, exchanges: Exchanges): number {
  return gapsOf(exchanges).filter((gap) => gap.to > from && gap.from < (to ?? Infinity)).length;
}

export function survivalOf(call: CallSpan, exchanges: Exchanges): Survival | undefined {
  const reloads = reloadsOf(call, exchanges);
  if (reloads === 0 || LOST.has(call.end)) return undefined;
  const resumed = exchanges.carriages.filter(
    ({ stream, resumedFrom, status }) =>
      stream === call.callId && resumedFrom !== undefined && status >= 200 && status < 300,
  );
  if (resumed.length === 0) return undefined;
  return {
    reloads,
    recovered: resumed.reduce((sum, { replayed }) => sum + replayed, 0),
    recoveredInMs: sumOf(resumed.map(tookOf).filter((ms) => ms !== undefined)),
  };
}

function tookOf({ from, replayedTo }: StreamConnectionSpan): number | undefined {
  return replayedTo === undefined ? undefined : Math.max(0, replayedTo - from);
}

const sumOf = (numbers: readonly number[]): number | undefined =>
  numbers.length === 0 ? undefined : numbers.reduce((sum, n) => sum + n, 0);
