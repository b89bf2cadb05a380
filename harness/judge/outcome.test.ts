import { describe, expect, it } from 'vitest';
import type { BridgeReplay } from '../../src/base/bridgeContract.ts';
import type { Outcome, Returned, ScenarioResult, Verdict } from '../report/facts.ts';
import { exitCodeOf, gradeOf, outcomeOf } from './outcome.ts';

const RESUMED: Returned = {
  givesEventIds: true,
  wasBlind: false,
  restarted: false,
  refused: false,
  resultDelivered: true,
  followedAsTask: false,
  missed: 2,
  recovered: 2,
};
const results = (verdicts: Readonly<Record<string, Verdict>>): ScenarioResult[] =>
  Object.entries(verdicts).map(([name, verdict]) => ({ name, verdict, why: '' }));
const interrupted = (...returns: Partial<Returned>[]): ScenarioResult[] =>
  returns.map((returned) => ({ name: '', verdict: 'pass', why: '', returned: { ...RESUMED, ...returned } }));

const SESSION = { hasSession: true };
const LOST = { resultDelivered: false, recovered: 0 };

describe('outcomeOf', () => {
  it.each<[Outcome | null, Partial<Returned>[]]>([
    ['A', [{}]],
    ['A', [{ refused: true }]],
    ['B', [{ ...LOST, restarted: true }]],
    ['C', [{ ...LOST, restarted: true, isRevived: true }]],
    ['D', [LOST]],
    ['D', [{ ...LOST, givesEventIds: false, refused: true }]],
    ['E', [{ ...LOST, refused: true }]],
    ['T', [{ followedAsTask: true }]],
    ['D', [{ ...LOST, followedAsTask: true }]],
    // Nothing was replayed, so nothing shows that the server can.
    [null, [{ missed: 0, recovered: 0 }]],
    [null, [{ missed: 2, recovered: 0 }]],
    ['A', [{ missed: 0, recovered: 0 }, {}]],
    // One lost result is enough, whichever scenario lost it.
    ['D', [{}, LOST]],
    ['B', [{}, {}, { ...LOST, restarted: true }]],
    // Also one that was lost before its first event ID: a priming event would have saved it.
    ['D', [{}, { ...LOST, wasBlind: true }]],
    [
      'E',
      [
        { ...LOST, wasBlind: true },
        { ...LOST, refused: true },
      ],
    ],
    ['D', [{ ...LOST, wasBlind: true }]],
  ])('%s for %o', (letter, returns) => {
    expect(outcomeOf(interrupted(...returns), SESSION)).toBe(letter);
  });

  it('has no letter where no call was interrupted', () => {
    const passed = results({ cors: 'pass', control: 'pass', 'reload-after-result': 'pass' });
    expect(outcomeOf(passed, SESSION)).toBeNull();
    expect(outcomeOf(passed, { hasSession: false })).toBeNull();
  });

  it('is S or T where there is no session', () => {
    expect(outcomeOf(interrupted(LOST), { hasSession: false })).toBe('S');
    expect(outcomeOf(interrupted(LOST, { followedAsTask: true }), { hasSession: false })).toBe('T');
  });
});

describe('gradeOf', () => {
  it('never gives a server the grade of a bridge', () => {
    const bridge = (replay: BridgeReplay) => ({ bridge: { transport: 'http', replay } as const });
    expect(gradeOf('A', results({ control: 'pass' }), bridge('bridge'))).toBe('bridged');
    expect(gradeOf('A', results({ cors: 'fail' }), bridge('bridge'))).toBe('bridged, with issues');
    expect(gradeOf('T', results({ control: 'pass' }), bridge('tasks'))).toBe('bridged');
    expect(gradeOf('D', [], bridge('bridge'))).toBe('loses calls');
    // The replay or the tasks are the server's own, but that a page may connect isn't.
    expect(gradeOf('A', results({ control: 'pass' }), bridge('server'))).toBe('bridged');
    expect(gradeOf('T', results({ control: 'pass' }), bridge('none'))).toBe('bridged');
  });

  it('is the best only where nothing failed', () => {
    expect(gradeOf('A', results({ control: 'pass', 'pending-question': 'unsupported' }))).toBe('reload-safe');
    expect(gradeOf('A', results({ control: 'pass', 'ended-session': 'fail' }))).toBe('resumes, with issues');
    const advice = results({ 'unknown-cursor': 'fail' }).map((one) => ({ ...one, level: 'advice' as const }));
    expect(gradeOf('A', advice)).toBe('reload-safe');
  });
  it('says that pages are kept out before it says anything else', () => {
    expect(gradeOf('S', results({ cors: 'fail', control: 'skipped' }), { isBlocked: true })).toBe(
      'unusable in browsers',
    );
    expect(gradeOf('A', results({ cors: 'fail', control: 'pass' }))).toBe('resumes, with issues');
  });
  it('measures a stateless server by what its revision allows', () => {
    const stateless = { era: 'stateless' } as const;
    expect(gradeOf('S', results({ 'reload-cancels': 'pass' }), stateless)).toBe('stateless, as specified');
    expect(gradeOf('S', results({ 'reload-with-question': 'fail' }), stateless)).toBe(
      'stateless, with issues',
    );
    expect(gradeOf('T', results({ 'reload-with-task': 'pass' }), stateless)).toBe('reload-safe');
  });
  it('says how much of it was run', () => {
    expect(gradeOf('A', results({ control: 'pass', 'reload-mid-call': 'pass' }), { of: 22 })).toBe(
      'reload-safe (2 of 22 scenarios)',
    );
  });
  it('names messages that are lost although the result comes', () => {
    const failed = interrupted({ recovered: 0 }).map((one) => ({
      ...one,
      verdict: 'fail' as const,
      lost: 2,
    }));
    expect(gradeOf(null, failed)).toBe('loses messages');
  });
  it('names what is lost, and what could not be judged', () => {
    expect(gradeOf('D', [])).toBe('loses calls');
    expect(gradeOf('S', [])).toBe('no session');
    expect(gradeOf(null, [])).toBe('not tested');
  });
});

describe('exitCodeOf', () => {
  const exit = (outcome: Outcome | null, verdicts: Readonly<Record<string, Verdict>>, interrupts = true) =>
    exitCodeOf({ outcome, grade: '', scenarios: results(verdicts) }, { interrupts });

  it('is 1 for a failure, and 0 for what the server does not offer', () => {
    expect(exit('A', { control: 'pass', 'pending-question': 'unsupported' })).toBe(0);
    expect(exit('A', { control: 'pass', cors: 'fail' })).toBe(1);
  });
  it('takes into account how binding a failure has to be', () => {
    const scenarios = results({ 'standalone-stream': 'fail' }).map((one) => ({
      ...one,
      level: 'should' as const,
    }));
    const report = { outcome: 'A', grade: '', scenarios } as const;
    expect(exitCodeOf(report, { interrupts: true })).toBe(0);
    expect(exitCodeOf({ ...report, terms: { failOn: 'should' } }, { interrupts: true })).toBe(1);
  });
  it('is 4 where a call was to be interrupted and none could be judged', () => {
    expect(exit(null, { cors: 'pass', control: 'pass', 'reload-mid-call': 'skipped' })).toBe(4);
    expect(exit('S', { control: 'pass', 'reload-mid-call': 'unsupported' })).toBe(0);
  });
  it('needs no letter for scenarios that interrupt nothing', () => {
    expect(exit(null, { cors: 'pass' }, false)).toBe(0);
    expect(exit(null, { control: 'pass', 'unknown-cursor': 'pass' }, false)).toBe(0);
    expect(exit(null, { control: 'skipped', 'unknown-cursor': 'skipped' }, false)).toBe(4);
  });
});
