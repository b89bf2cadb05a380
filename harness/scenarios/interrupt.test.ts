import { describe, expect, it } from 'vitest';
import type { Control, Finding } from '../context.ts';
import type { Judged } from '../judge/judgeCall.ts';
import { judgeSteadily } from './interrupt.ts';

const CONTROL = { repeatable: true } as Control;
const WHOLE: Finding = { verdict: 'pass', why: 'All came.', lost: 0, resultDelivered: true };
const LOST: Finding = { verdict: 'fail', why: 'One never arrived.', lost: 1, resultDelivered: true };

/** Finds a message missing as long as the control call says what must come. */
const judgeAll = (judged: Judged) => (control: Control) => [control.repeatable ? judged : { finding: WHOLE }];

async function verdictOf(found: Finding, steady: boolean, { isSeenLost = false } = {}) {
  let asked = 0;
  const isSteady = async () => {
    asked += 1;
    return steady;
  };
  const [judged] = await judgeSteadily({ isSteady }, CONTROL, judgeAll({ finding: found, isSeenLost }));
  return { verdict: judged?.finding.verdict, asked };
}

describe('judgeSteadily', () => {
  it('counts a missing message that every call has that is left alone', async () => {
    expect(await verdictOf(LOST, true)).toEqual({ verdict: 'fail', asked: 1 });
  });

  it('does not blame the reload for a message that other calls lack too', async () => {
    expect(await verdictOf(LOST, false)).toEqual({ verdict: 'pass', asked: 1 });
  });

  it('makes no further calls where nothing is missing, or the wire has shown the loss', async () => {
    expect(await verdictOf(WHOLE, false)).toEqual({ verdict: 'pass', asked: 0 });
    expect(await verdictOf(LOST, false, { isSeenLost: true })).toEqual({ verdict: 'fail', asked: 0 });
    expect(await verdictOf({ ...LOST, resultDelivered: false }, false)).toMatchObject({ asked: 0 });
  });
});
