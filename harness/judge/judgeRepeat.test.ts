import { describe, expect, it } from 'vitest';
import { judgeRepeat, type Event } from './judgeRepeat.ts';

const progress = (number: number, id?: string): Event => ({
  id,
  message: { method: 'notifications/progress', params: { progress: number } },
});
const RESULT: Event = { id: 'r', message: { id: 'x', result: {} } };
const BEFORE = [progress(1, 'e1'), progress(2, 'e2')];

describe('judgeRepeat', () => {
  it.each<[string, readonly Event[], readonly Event[], string]>([
    ['the same events again', BEFORE, [...BEFORE, progress(3, 'e3'), RESULT], 'joined'],
    [
      'the same events, some of them twice',
      BEFORE,
      [...BEFORE, ...BEFORE, progress(3, 'e3'), RESULT],
      'joined',
    ],
    ['only what follows', BEFORE, [progress(3, 'e3'), RESULT], 'joined'],
    ['only the result', BEFORE, [RESULT], 'joined'],
    ['two runs on one stream', BEFORE, [progress(3), progress(1), progress(4), progress(3)], 'ran-twice'],
    [
      'a run of its own',
      BEFORE,
      [progress(1, 'f1'), progress(2, 'f2'), progress(3, 'f3'), RESULT],
      'ran-twice',
    ],
    ['a run of its own, without event IDs', [progress(1)], [progress(1), progress(2), RESULT], 'ran-twice'],
    ['no answer', BEFORE, [progress(3, 'e3')], 'unanswered'],
  ])('%s', (_what, before, after, name) => {
    expect(judgeRepeat({ status: 200, before, after }).name).toBe(name);
  });

  it('needs the IDs of events, or the time, to prove that there was one run', () => {
    const isProven = (before: readonly Event[], after: readonly Event[], share?: number) =>
      judgeRepeat({ status: 200, before, after, ...(share !== undefined && { share }) });
    expect(isProven(BEFORE, [...BEFORE, RESULT])).toMatchObject({ name: 'joined', isProven: true });
    expect(isProven([], [RESULT], 0.1)).toMatchObject({ name: 'joined', isProven: true });
    expect(isProven([progress(1)], [RESULT])).toMatchObject({ name: 'joined', isProven: false });
  });

  it('takes an error status for a refusal', () => {
    expect(judgeRepeat({ status: 400, before: BEFORE, after: [] })).toEqual({ name: 'refused', status: 400 });
  });

  it('compares a call that reports nothing with a new one', () => {
    const silent = { status: 200, before: [], after: [RESULT] };
    expect(judgeRepeat({ ...silent, share: 0.5 }).name).toBe('joined');
    expect(judgeRepeat({ ...silent, share: 1 }).name).toBe('ran-twice');
  });
});
