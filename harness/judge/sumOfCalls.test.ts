import { describe, expect, it } from 'vitest';
import type { Judged } from './judgeCall.ts';
import { sumOfCalls } from './sumOfCalls.ts';

const PASS: Judged = {
  finding: { verdict: 'pass', why: 'Fine.', received: 5, lost: 0, resultDelivered: true },
};
const SLOW: Judged = { finding: { verdict: 'fail', why: 'Slow.', received: 5 }, again: 'was-slow' };
const LOST: Judged = {
  finding: { verdict: 'fail', why: 'Lost.', received: 3, lost: 2, resultDelivered: false },
};
const NOTHING: Judged = { finding: { verdict: 'skipped', why: 'Nothing missed.' }, again: 'missed-nothing' };

describe('sumOfCalls', () => {
  it('leaves one call as it is', () => {
    expect(sumOfCalls([SLOW])).toEqual({ ...SLOW, at: 0 });
  });

  it('shows a failure that is certain before one that may be the machine’s', () => {
    const { finding, again, at } = sumOfCalls([PASS, SLOW, LOST]);
    expect({ again, at }).toEqual({ again: undefined, at: 2 });
    expect(finding).toMatchObject({ verdict: 'fail', why: '2 of 3 calls: Lost.', received: 13, lost: 2 });
    expect(finding.resultDelivered).toBe(false);
  });

  it('asks for another try where a call was slow, or missed nothing', () => {
    expect(sumOfCalls([PASS, SLOW, NOTHING]).again).toBe('was-slow');
    expect(sumOfCalls([PASS, NOTHING]).again).toBe('missed-nothing');
    expect(sumOfCalls([PASS, PASS])).toMatchObject({
      finding: { why: 'All 2 calls completed with nothing lost.' },
    });
  });
});
