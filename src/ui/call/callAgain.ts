/** How a call is made again: at once, or after a question where the tool may do harm a second time. */
import { isOpen, type Call } from '../../log/state/call.ts';
import { codeOf } from '../../log/reasons/reason.ts';

export const AGAIN_KEY = 'a';

export type Again = 'at-once' | 'after-question' | 'no';

/** With a result it's known what the tool did; without one, only a tool that is safe to repeat is called by one key. */
export function againOf(call: Call): Again {
  if (isOpen(call)) return 'no';
  return call.repeatable || call.name === 'settled' ? 'at-once' : 'after-question';
}

/** Its result can't arrive any more, and nobody wanted that: one key is the way to a result. */
export function wantsKey(call: Call): boolean {
  const isCutOff =
    call.name === 'lost' || call.name === 'unknown' || (call.reason && codeOf(call.reason)) === 'reloaded';
  return isCutOff && againOf(call) === 'at-once';
}
