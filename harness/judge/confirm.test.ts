import { describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../report/facts.ts';
import type { Cause } from './causes.ts';
import { isOverturned, needsQuiet, settleAlone } from './confirm.ts';

const found = (verdict: ScenarioResult['verdict'], cause?: Cause): ScenarioResult => ({
  name: 'reload-mid-call',
  verdict,
  why: 'Because.',
  durationMs: 10,
  ...(cause && { cause }),
});

describe('a verdict that was found beside other scenarios', () => {
  test.each<[string, ScenarioResult, readonly Cause[], boolean]>([
    ['a pass counts', found('pass'), [], false],
    ['what the server does not offer counts', found('unsupported'), [], false],
    ['a call that was over too early is tried alone', found('skipped'), [], true],
    ['what was never run counts', { name: 'control', verdict: 'skipped', why: 'No tool.' }, [], false],
    ['what could not be carried out is tried alone', found('fail'), [], true],
    ['a failure is tried alone', found('fail', 'events-lost'), [], true],
    ['one of a cause that was seen alone counts', found('fail', 'events-lost'), ['events-lost'], false],
    ['a slow one is tried alone each time', found('fail', 'stream-stalls'), ['stream-stalls'], true],
    ['a wrong order counts, because no load can cause it', found('fail', 'out-of-order'), [], false],
    ['so does a second run', found('fail', 'runs-twice'), [], false],
  ])('%s', (_title, result, confirmed, expected) => {
    expect(needsQuiet(result, new Set(confirmed))).toBe(expected);
  });

  test('falls if the scenario passes alone, and the report has both', () => {
    const [beside, alone] = [found('fail', 'session-dropped'), found('pass')];
    expect(isOverturned(beside, alone)).toBe(true);
    expect(settleAlone(beside, alone)).toMatchObject({
      verdict: 'pass',
      remarks: ['"reload-mid-call" failed while other scenarios ran, and passed alone. Because.'],
    });
    expect(settleAlone(beside, beside)).toBe(beside);
  });
});
