/** Did a server run a request again that it already had? Read from what came before the repetition, and after. Pure. */
import type { JsonObject } from '../../src/base/json.ts';
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
  /**
   * `isProven`: by the IDs of its events, or by its time. Otherwise the response of the first run may have ended the
   * stream before a second run could be seen on it.
   */
  | { readonly name: 'joined'; readonly isProven: boolean }
  | { readonly name: 'ran-twice'; readonly how: string }
  | { readonly name: 'unanswered' };

/** It is repeated after its end: who has kept the response sends it at once, who runs it again takes as long as a call. */
const KEPT_SHARE = 0.5;

export function judgeRepeat({ status, before, after: received, share }: Repetition): RepeatVerdict {
  if (status >= 400) return { name: 'refused', status };
  // An event that is replayed twice has one ID, and came from one run.
  const after = received.filter(
    ({ id }, at) => id === undefined || received.findIndex((event) => event.id === id) === at,
  );
  const isAnswered = after.some(({ message }) => message && message['method'] === undefined);
  const progress = numbersIn(after);
  const twice = progress.find((number, at) => progress.indexOf(number) < at);
  if (twice !== undefined) return { name: 'ran-twice', how: `progress ${twice} arrived twice` };
  if (!isAnswered) return { name: 'unanswered' };
  const known = new Set(before.flatMap(({ id }) => id ?? []));
  if (after.some(({ id }) => id !== undefined && known.has(id))) {
    return { name: 'joined', isProven: true };
  }
  const last = Math.max(-Infinity, ...numbersIn(before));
  const again = progress.find((number) => number <= last);
  if (again !== undefined)
    return { name: 'ran-twice', how: `progress ${again} arrived again, as a new event` };
  if (share !== undefined && share > KEPT_SHARE) {
    return { name: 'ran-twice', how: 'it took as long as a new call' };
  }
  return { name: 'joined', isProven: share !== undefined };
}

const numbersIn = (events: readonly Event[]): number[] =>
  events.flatMap(({ message }) => (message && progressOf(message)) ?? []);
