import { describe, expect, it } from 'vitest';
import type { Verdict } from '../report/facts.ts';
import { exitCodeOf, gradeOf, outcomeOf, type ReturnFacts } from './outcome.ts';

const RESUMED: ReturnFacts = {
  hasSession: true,
  givesEventIds: true,
  restarted: false,
  refused: false,
  resultDelivered: true,
  followedAsTask: false,
};
const results = (verdicts: Readonly<Record<string, Verdict>>) =>
  Object.entries(verdicts).map(([name, verdict]) => ({ name, verdict, why: '' }));

describe('outcomeOf', () => {
  it.each<[string, Partial<ReturnFacts>]>([
    ['A', {}],
    ['A', { refused: true }],
    ['B', { restarted: true, resultDelivered: false }],
    ['C', { restarted: true }],
    ['D', { resultDelivered: false }],
    ['D', { resultDelivered: false, givesEventIds: false, refused: true }],
    ['E', { resultDelivered: false, refused: true }],
    ['S', { hasSession: false, resultDelivered: false }],
    ['T', { hasSession: false, followedAsTask: true }],
    ['D', { followedAsTask: true, resultDelivered: false }],
  ])('%s for %o', (letter, facts) => {
    expect(outcomeOf({ ...RESUMED, ...facts })).toBe(letter);
  });
});

describe('gradeOf', () => {
  it('is the best only where nothing failed', () => {
    expect(gradeOf('A', results({ control: 'pass', 'pending-question': 'unsupported' }))).toBe(
      'refresh-proof',
    );
    expect(gradeOf('A', results({ control: 'pass', 'unknown-cursor': 'fail' }))).toBe('resumes, with faults');
  });
  it('says that pages are kept out before it says anything else', () => {
    expect(gradeOf('S', results({ cors: 'fail', control: 'skipped' }), { isBlocked: true })).toBe(
      'blocked for pages',
    );
    expect(gradeOf('A', results({ cors: 'fail', control: 'pass' }))).toBe('resumes, with faults');
  });
  it('measures a stateless server by what its revision allows', () => {
    const stateless = { era: 'stateless' } as const;
    expect(gradeOf('S', results({ 'reload-cancels': 'pass' }), stateless)).toBe('as its revision allows');
    expect(gradeOf('S', results({ 'reload-with-question': 'fail' }), stateless)).toBe(
      'stateless, with faults',
    );
    expect(gradeOf('T', results({ 'reload-with-task': 'pass' }), stateless)).toBe('refresh-proof');
  });
  it('names what is lost, and what could not be judged', () => {
    expect(gradeOf('D', [])).toBe('loses calls');
    expect(gradeOf('S', [])).toBe('no session');
    expect(gradeOf(null, [])).toBe('not judged');
  });
});

describe('exitCodeOf', () => {
  it('is 1 for a failure, and 0 for what the server does not offer', () => {
    expect(exitCodeOf(results({ control: 'pass', cors: 'unsupported' }))).toBe(0);
    expect(exitCodeOf(results({ control: 'pass', cors: 'fail' }))).toBe(1);
  });
});
