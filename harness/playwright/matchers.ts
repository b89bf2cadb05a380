/** What can be expected of a call. Each matcher waits for the call to end. */
import { plural } from '../../src/base/format.ts';
import type { Control } from '../context.ts';
import { checkNumbers, compareWithControl, type Comparison } from '../judge/compare.ts';
import { errorIn } from '../judge/errorIn.ts';
import { findFailure, unrecovered, type Failure } from '../judge/judgeCall.ts';
import type { Observed } from '../judge/observe.ts';
import { describeExchange } from '../report/text.ts';
import type { TestCall } from './testInspector.ts';

export interface Answer {
  readonly pass: boolean;
  readonly message: () => string;
  readonly name: string;
}

export interface State {
  readonly isNot: boolean;
  readonly utils: { matcherHint(name: string, received: string, expected: string, options: object): string };
}

export interface LostNothing {
  /** A call that was left alone. */
  readonly comparedWith?: TestCall;
  /** An error is a result too. */
  readonly mayFail?: boolean;
}

export const callMatchers = {
  /** Its response has come: a result, or an error of the tool. */
  async toBeSettled(this: State, call: TestCall, options: { timeoutMs?: number } = {}) {
    const { name, why } = await call.ended(options.timeoutMs);
    const reason = why === undefined ? '' : `: ${why}`;
    if (name === 'settled') return answer(this, 'toBeSettled', true, 'The call is settled.');
    const text = `Expected the call to settle, but it is ${name}${reason}`;
    return answer(this, 'toBeSettled', false, text, failureOf(await call.observed()));
  },

  /** At least so many of its messages came by a resume. */
  async toHaveReplayed(this: State, call: TestCall, atLeast: number = 1) {
    const { replayed } = await call.ended();
    const isMet = replayed >= atLeast;
    const text = isMet
      ? `The call got ${plural(replayed, 'replayed message')}.`
      : `Expected at least ${plural(atLeast, 'replayed message')}, got ${replayed}.`;
    return answer(this, 'toHaveReplayed', isMet, text, failureOf(await call.observed()));
  },

  /**
   * Its result is there, and nothing is missing, twice, or out of order: compared with a call that was left alone, or
   * by the numbers of its progress. A call that missed nothing while it was interrupted proves nothing, and fails.
   */
  async toHaveLostNothing(this: State, call: TestCall, options: LostNothing = {}) {
    const ended = await call.ended();
    const { name, duplicates, why } = ended;
    const observed = await call.observed();
    const control = await options.comparedWith?.observed();
    const compared = control
      ? compareWithControl(control.messages, observed.messages)
      : checkNumbers(observed.messages);
    const found = { ...compared, lost: Math.max(compared.lost, unrecovered(observed, call.missed() ?? [])) };
    const error = options.mayFail === true ? undefined : errorIn(ended);
    const faults = [
      ...(name === 'settled' ? [] : [`the call is ${name}${why === undefined ? '' : ` (${why})`}`]),
      ...(error === undefined ? [] : [`it returned an error (${error})`]),
      ...(found.lost > 0 ? [`${plural(found.lost, 'message')} lost`] : []),
      ...(found.outOfOrder > 0 ? [`${found.outOfOrder} out of order`] : []),
      ...(duplicates > 0 ? [plural(duplicates, 'duplicate event')] : []),
    ];
    const isUnproven = call.missed()?.length === 0 && ended.replayed === 0;
    if (faults.length === 0 && isUnproven) faults.push(MISSED_NOTHING);
    const text =
      faults.length > 0
        ? `Expected the call to lose nothing: ${faults.join(', ')}.`
        : 'The call lost nothing.';
    return answer(this, 'toHaveLostNothing', faults.length === 0, text, failureOf(observed, found, control));
  },
};

const MISSED_NOTHING =
  'no events were missed, because the server sent none while the page was closed. Interrupt a longer call';

/** What `verify` says of the same finding. */
function failureOf(
  observed: Observed,
  comparison: Comparison = { lost: 0, outOfOrder: 0, missing: [] },
  control: Observed = observed,
): Failure | undefined {
  const measure: Control = {
    observed: control,
    durationMs: 0,
    shortestMs: 0,
    repeatable: true,
    hasLongSilence: true,
    isPrimed: true,
  };
  const failure = findFailure(observed, comparison, measure);
  return failure?.isSlow ? undefined : failure;
}

function answer(
  { utils, isNot }: State,
  name: string,
  pass: boolean,
  text: string,
  failure?: Failure,
): Answer {
  const exchange = failure?.exchange && describeExchange(failure.exchange);
  const parts = [
    utils.matcherHint(name, 'call', '', { isNot }),
    text,
    ...(pass || !failure ? [] : [exchange, `Fix: ${failure.fix}`]),
  ];
  return { name, pass, message: () => parts.filter((part) => part !== undefined).join('\n\n') };
}
