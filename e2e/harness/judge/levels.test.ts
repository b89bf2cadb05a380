import { describe, expect, it } from 'vitest';
import type { Returned, ScenarioResult } from '../report/facts.ts';
import { failsAt, withLevel } from './levels.ts';

const failed = (name: string, more: Partial<ScenarioResult> = {}): ScenarioResult =>
  withLevel({ name, verdict: 'fail', why: '', ...more });

describe('withLevel', () => {
  it('ranks a failure by what the standard says, and nothing else', () => {
    expect(failed('ended-session')).toMatchObject({
      level: 'must',
      clause: expect.stringContaining('Session'),
    });
    expect(failed('unknown-cursor').level).toBe('advice');
    expect(failed('unknown-cursor').clause).toBeUndefined();
    expect(failed('reload-mid-call').level).toBe('should');
    expect(failed('reload-mid-call', { level: 'must' }).level).toBe('must');
    expect(withLevel({ name: 'cors', verdict: 'pass', why: '' }).level).toBeUndefined();
  });
});

describe('failsAt', () => {
  const delivered = { resultDelivered: true } as Returned;

  it.each([
    ['ended-session', { must: true, should: true, advice: true }],
    ['standalone-stream', { must: false, should: true, advice: true }],
    ['unknown-cursor', { must: false, should: false, advice: true }],
  ] as const)('%s: %o', (name, expected) => {
    for (const level of ['must', 'should', 'advice'] as const) {
      expect(failsAt(failed(name), level)).toBe(expected[level]);
    }
  });

  it('never lets a lost call, a lost message or a second run pass', () => {
    expect(failsAt(failed('repeated-request'), 'must')).toBe(true);
    const lost = { returned: { ...delivered, resultDelivered: false } };
    expect(failsAt(failed('reload-mid-call', lost), 'must')).toBe(true);
    expect(failsAt(failed('reload-mid-call', { returned: delivered, lost: 1 }), 'must')).toBe(true);
    expect(failsAt(failed('reload-mid-call', { returned: delivered, lost: 0 }), 'must')).toBe(false);
  });
});
