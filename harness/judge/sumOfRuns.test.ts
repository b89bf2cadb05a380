import { describe, expect, it } from 'vitest';
import type { Verdict } from '../report/facts.ts';
import { sumOfRuns } from './sumOfRuns.ts';

const run = (verdict: Verdict, why: string) => ({ name: 'reload-mid-call', verdict, why, durationMs: 10 });

describe('sumOfRuns', () => {
  it('is the failure, however seldom it is, and says how seldom', () => {
    expect(sumOfRuns([run('pass', 'ok.'), run('fail', 'Lost.'), run('pass', 'ok.')])).toEqual({
      ...run('fail', 'Lost. (1 of 3 runs)'),
      durationMs: 30,
    });
  });
  it('is a pass only where every run passed', () => {
    expect(sumOfRuns([run('pass', 'ok.'), run('pass', 'ok.')]).why).toBe('ok. (2 runs)');
    expect(sumOfRuns([run('pass', 'ok.')])).toEqual(run('pass', 'ok.'));
    expect(sumOfRuns([run('pass', 'ok.'), run('skipped', 'Nothing was missed.')]).verdict).toBe('skipped');
  });
});
