/** Did a server run a request again that it already had? Read from what came before the repetition, and after. Pure. */
import type { JsonObject } from '../../../src/base/json.ts';
import { progressOf } from './compare.ts';

/** One event of a stream. */
export interface Event {
  readonly id: string | undefined;
  readonly message: JsonObject | undefined;
}

export interface Repetition {
  readonly status: number;
  /** Of the first POST, until its connection was cut; and of the second. */
  readonly before: readonly Event[];
  readonly after: readonly Event[];
  /**
   * For a call that reports nothing on its way: how long the second POST took, as a part of a call that was made at
   * the same time.
   */
  readonly share?: number;
}

export type RepeatVerdict =
  /** The server answered with an error status. */
  | { readonly name: 'refused'; readonly status: number }
  | { readonly name: 'joined' }
  | { readonly name: 'ran-twice'; readonly how: string }
  | { readonly name: 'unanswered' };

/** It is repeated after its end: who has kept the response sends it at once, who runs it again takes as long as a call. */
const WHOLE_SHARE = 0.8;

export function judgeRepeat({ status, before, after, share }: Repetition): RepeatVerdict {
  if (status >= 400) return { name: 'refused', status };
  const isAnswered = after.some(({ message }) => message && message['method'] === undefined);
  const progress = numbersIn(after);
  const twice = progress.find((number, at) => progress.indexOf(number) < at);
  if (twice !== undefined) return { name: 'ran-twice', how: `progress ${twice} came twice` };
  if (!isAnswered) return { name: 'unanswered' };
  const known = new Set(before.flatMap(({ id }) => id ?? []));
  if (after.some(({ id }) => id !== undefined && known.has(id))) return { name: 'joined' };
  const last = Math.max(-Infinity, ...numbersIn(before));
  const again = progress.find((number) => number <= last);
  if (again !== undefined) return { name: 'ran-twice', how: `progress ${again} came again, as a new event` };
  if (share !== undefined && share >= WHOLE_SHARE) {
    return { name: 'ran-twice', how: 'it took as long as a new call' };
  }
  return { name: 'joined' };
}

const numbersIn = (events: readonly Event[]): number[] =>
  events.flatMap(({ message }) => (message && progressOf(message)) ?? []);
