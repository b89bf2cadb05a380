/**
 * How many messages of a view are handled. The sandbox lets half of them through and reports the rest, so that its reports
 * aren't dropped here; but a hostile view can get around it.
 */
import { isObject } from '../base/json.ts';

export interface Budget {
  readonly left: number;
  readonly at: number;
  readonly dropped: number;
}

export const BURST = 1000;
const PER_SECOND = 200;
/** A view that goes on is stopped. */
const MOST_DROPPED = 20_000;

export const newBudget = (now: number): Budget => ({ left: BURST, at: now, dropped: 0 });

export function spend(
  { left, at, dropped }: Budget,
  now: number,
): { readonly budget: Budget; readonly verdict: 'pass' | 'drop' | 'stop' } {
  const room = Math.min(BURST, left + (Math.max(0, now - at) / 1000) * PER_SECOND);
  if (room >= 1) return { budget: { left: room - 1, at: now, dropped }, verdict: 'pass' };
  const more = dropped + 1;
  return { budget: { left: room, at: now, dropped: more }, verdict: more > MOST_DROPPED ? 'stop' : 'drop' };
}

const MOST_CHARS = 10_000_000;
const MOST_PARTS = 200_000;

/** Whether a message may be handled at all. Looks at no more than a limited number of its parts. */
export function isTooBig(message: unknown): boolean {
  let chars = 0;
  const rest: unknown[] = [message];
  for (let looked = 0; rest.length > 0; looked += 1) {
    const one = rest.pop();
    if (typeof one === 'string') chars += one.length;
    else if (ArrayBuffer.isView(one) || one instanceof ArrayBuffer) chars += one.byteLength;
    else if (Array.isArray(one)) {
      if (one.length > MOST_PARTS) return true;
      for (const item of one) rest.push(item);
    } else if (isObject(one)) {
      for (const key in one) {
        rest.push(key, one[key]);
        if (rest.length > MOST_PARTS) return true;
      }
    }
    if (chars > MOST_CHARS || looked > MOST_PARTS) return true;
  }
  return false;
}
