import { describe, expect, test } from 'vitest';
import type { ScenarioResult } from './report/facts.ts';
import { sideBySide } from './sideBySide.ts';

type Verdict = (job: string, running: number) => Partial<ScenarioResult>;

async function play(jobs: readonly string[], workers: number, verdict: Verdict, stopAfter = Infinity) {
  const runs: string[] = [];
  const ended: ScenarioResult[] = [];
  let running = 0;
  let most = 0;
  await sideBySide(jobs, {
    workers,
    async run(name) {
      running += 1;
      most = Math.max(most, running);
      runs.push(name);
      const beside = running;
      await new Promise((resolve) => setTimeout(resolve, 1));
      const seen = Math.max(beside, running);
      running -= 1;
      return { name, verdict: 'pass', why: '', durationMs: 1, ...verdict(name, seen) };
    },
    ended: (result) => void ended.push(result),
    isOver: () => ended.length >= stopAfter,
  });
  return { runs, ended, most };
}

const ALL = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('scenarios side by side', () => {
  test('run as many at a time as was asked for, and each once', async () => {
    const { runs, ended, most } = await play(ALL, 3, () => ({}));
    expect(runs).toEqual(ALL);
    expect(ended.map(({ name }) => name).sort()).toEqual(ALL);
    expect(most).toBe(3);
  });

  test('one at a time, a failure is not run again', async () => {
    const { runs } = await play(ALL, 1, () => ({ verdict: 'fail', cause: 'events-lost' }));
    expect(runs).toEqual(ALL);
  });

  test('a failure is run again alone, and its cause is then believed', async () => {
    const { runs, ended } = await play(ALL, 3, () => ({ verdict: 'fail', cause: 'events-lost' }));
    expect(runs).toEqual(['a', 'b', 'c', 'a', 'd', 'e', 'f']);
    expect(ended).toHaveLength(6);
  });

  test('a server that takes one session at a time gets the verdicts of one at a time', async () => {
    const single: Verdict = (_job, running) =>
      running > 1 ? { verdict: 'fail', cause: 'session-dropped', why: 'Gone.' } : {};
    const { runs, ended, most } = await play(ALL, 3, single);
    expect(ended.map(({ verdict }) => verdict)).toEqual(ALL.map(() => 'pass'));
    expect(ended.filter(({ remarks }) => remarks).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(runs).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'd', 'e', 'f']);
    expect(most).toBe(3);
  });

  test('when the run is over, nothing more is started', async () => {
    const { runs } = await play(ALL, 2, () => ({}), 1);
    expect(runs.length).toBeLessThanOrEqual(2);
  });
});
