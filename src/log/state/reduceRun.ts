/** How a run changes the calls of a server: what its messages would do one by one, at the cost of one. */
import { entryAt, runLength, type EntryRun } from '../entry/entryRun.ts';
import { messageOf } from '../entry/messageOf.ts';
import { progressOf } from '../protocol/callMessages.ts';
import type { Call, CallProgress } from './call.ts';
import type { MutableServerState } from './mutableServerState.ts';

/** @returns how many log messages there are in it */
export function receiveRun(state: MutableServerState, run: EntryRun): number {
  const counts = countShapes(run);
  for (const callId of new Set(run.shapes.map((shape) => shape.callId))) {
    const received = sum(run.shapes.map((shape, i) => (shape.callId === callId ? (counts[i] ?? 0) : 0)));
    state.calls.edit(callId, (call) => withRun(call, run, received));
  }
  return sum(run.shapes.map(({ method }, i) => (method === 'notifications/message' ? (counts[i] ?? 0) : 0)));
}

function withRun(call: Call, run: EntryRun, count: number): Call {
  const received = call.received + count;
  const replayed = call.replayed + (run.replayed ? count : 0);
  const hasProgress = run.shapes.some(
    ({ callId, method }) => callId === call.id && method === 'notifications/progress',
  );
  const progress = hasProgress ? (lastProgress(run, call.id) ?? call.progress ?? { progress: 0 }) : undefined;
  const counted = { ...call, received, replayed, ...(progress && { progress }) };
  return counted.name === 'sending' ? { ...counted, name: 'open' } : counted;
}

function lastProgress(run: EntryRun, callId: string): CallProgress | undefined {
  const shape = run.shapes.findIndex(
    (one) => one.callId === callId && one.method === 'notifications/progress',
  );
  for (let i = runLength(run) - 1; i >= 0; i -= 1) {
    if ((run.shapeOf?.[i] ?? 0) !== shape) continue;
    const progress = progressOf(messageOf(entryAt(run, i)) ?? {});
    if (progress) return progress;
  }
  return undefined;
}

function countShapes({ shapes, shapeOf, raw }: EntryRun): readonly number[] {
  if (!shapeOf) return [raw.ends.length];
  const counts = shapes.map(() => 0);
  for (const shape of shapeOf) counts[shape] = (counts[shape] ?? 0) + 1;
  return counts;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
