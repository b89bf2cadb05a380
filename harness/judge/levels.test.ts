import { describe, expect, it } from 'vitest';
import type { Returned, ScenarioResult } from '../report/facts.ts';
import { CAUSE_NAMES, rankOf, type Cause } from './causes.ts';
import { failsAt, withLevel } from './levels.ts';

const failed = (cause: Cause, more: Partial<ScenarioResult> = {}): ScenarioResult =>
  withLevel({ name: 'x', verdict: 'fail', why: '', cause, ...more });

describe('withLevel', () => {
  it('ranks a failure by its cause, with the clause of the standard', () => {
    expect(failed('ended-session-status')).toMatchObject({
      level: 'must',
      clause: '2025-11-25, Streamable HTTP: Session Management',
    });
    expect(failed('no-priming')).toMatchObject({
      level: 'should',
      clause: '2025-11-25, Streamable HTTP: Sending Messages to the Server, 6',
    });
    expect(failed('unknown-event-id')).toMatchObject({ level: 'advice' });
    expect(failed('unknown-event-id').clause).toBeUndefined();
    expect(withLevel({ name: 'cors', verdict: 'pass', why: '', cause: 'cors' }).level).toBeUndefined();
  });

  it('has a clause for everything that the standard asks for, and none for advice', () => {
    for (const cause of CAUSE_NAMES.filter((name) => name !== 'control' && name !== 'interface-changed')) {
      const { level, clause } = rankOf(cause);
      expect(clause === undefined, cause).toBe(level === 'advice');
    }
  });
});

describe('failsAt', () => {
  const delivered = { resultDelivered: true } as Returned;

  it.each([
    ['ended-session-status', { must: true, should: true, advice: true }],
    ['standalone-not-resumed', { must: false, should: true, advice: true }],
    ['unknown-event-id', { must: false, should: false, advice: true }],
  ] as const)('%s: %o', (cause, expected) => {
    for (const level of ['must', 'should', 'advice'] as const) {
      expect(failsAt(failed(cause), level)).toBe(expected[level]);
    }
  });

  it('never lets a lost call, a lost message or a second run pass', () => {
    expect(failsAt(failed('runs-twice'), 'must')).toBe(true);
    const lost = { returned: { ...delivered, resultDelivered: false } };
    expect(failsAt(failed('json-response', lost), 'must')).toBe(true);
    expect(failsAt(failed('events-lost', { returned: delivered, lost: 1 }), 'must')).toBe(true);
    expect(failsAt(failed('out-of-order', { returned: delivered, lost: 0 }), 'must')).toBe(false);
  });
});
