/** What can be expected of a call. Each matcher waits for the call to end. */
import { expect as baseExpect } from '@playwright/test';
import { count } from '../../../src/base/words.ts';
import { checkNumbers, compareWithControl } from '../judge/compare.ts';
import type { TestCall } from './testInspector.ts';

interface Answer {
  readonly pass: boolean;
  readonly message: () => string;
  readonly name: string;
}

const answer = (name: string, pass: boolean, text: string): Answer => ({ name, pass, message: () => text });

export const expect = baseExpect.extend({
  /** Its response has come: a result, or an error of the tool. */
  async toBeSettled(call: TestCall, options: { timeoutMs?: number } = {}) {
    const { name, why } = await call.ended(options.timeoutMs);
    const reason = why === undefined ? '' : `: ${why}`;
    return answer('toBeSettled', name === 'settled', `The call is ${name}${reason}`);
  },

  /** At least so many of its messages came by a resume. */
  async toHaveReplayed(call: TestCall, atLeast = 1) {
    const { replayed } = await call.ended();
    const text = `${count(replayed, 'message')} of the call came by a resume; expected were at least ${atLeast}.`;
    return answer('toHaveReplayed', replayed >= atLeast, text);
  },

  /**
   * Its result is there, and nothing is missing, twice, or out of order: compared with a call that was left alone, or
   * by the numbers of its progress.
   */
  async toHaveLostNothing(call: TestCall, options: { comparedWith?: TestCall } = {}) {
    const { name, duplicates, why } = await call.ended();
    const { messages } = await call.observed();
    const control = await options.comparedWith?.observed();
    const found = control ? compareWithControl(control.messages, messages) : checkNumbers(messages);
    const faults = [
      ...(name === 'settled' ? [] : [`the call is ${name}${why === undefined ? '' : ` (${why})`}`]),
      ...(found.lost > 0 ? [`${count(found.lost, 'message')} lost`] : []),
      ...(found.outOfOrder > 0 ? [`${found.outOfOrder} out of order`] : []),
      ...(duplicates > 0 ? [`${count(duplicates, 'event')} sent again by the server`] : []),
    ];
    const text = faults.length > 0 ? `Of the call: ${faults.join(', ')}.` : 'The call has lost nothing.';
    return answer('toHaveLostNothing', faults.length === 0, text);
  },
});
