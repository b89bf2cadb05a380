/** Whether what one try has shown counts, or another try has to show it. Pure: one row, one test. */
import type { Again } from './judgeCall.ts';

/** Whether the page should be back while the call still runs. */
export type Aim = 'back-mid-call' | 'back-after-end';

/** @param before why the tries before this one did not count */
export function counts(again: Again | undefined, aim: Aim, before: readonly Again[]): boolean {
  switch (again) {
    case undefined:
      return true;
    case 'missed-nothing':
      return false;
    // What took too long must take too long twice, as the machine may have been busy.
    case 'was-slow':
      return before.includes('was-slow');
    case 'ended-away':
      return aim === 'back-after-end';
    case 'away-too-long':
      return true;
  }
}
