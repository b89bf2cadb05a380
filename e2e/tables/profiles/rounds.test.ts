import { describe, expect, it } from 'vitest';
import { jobsLeft, readRuns, tallyOf, type Run } from './rounds.ts';

const run = (name: string, seed: number, more: Partial<Run> = {}): Run => ({
  name,
  seed,
  own: true,
  wrong: [],
  verdicts: 'A, control pass',
  ...more,
});
const rows = [{ name: 'resumable' }, { name: 'json' }];
const names = rows.map(({ name }) => name);

describe('the rounds of verify:profiles', () => {
  it('go on where an earlier run stopped, round after round', () => {
    const left = jobsLeft(rows, [1, 2], [run('resumable', 1), run('json', 2)]);
    expect(left.map(({ row, seed }) => `${row.name} ${seed}`)).toEqual(['json 1', 'resumable 2']);
  });

  it('are read from the file, but for a line that was cut off and for rounds of another kind', () => {
    const lines = [run('json', 1), run('json', 2, { own: false }), run('json', 7), run('gone', 1)];
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"name":"json","se`;
    expect(readRuns(text, { names, seeds: [1, 2], own: true })).toEqual([run('json', 1)]);
  });

  it('are whole when every profile was judged', () => {
    const runs = [run('resumable', 1), run('json', 1), run('json', 2, { wrong: ['outcome D instead of A'] })];
    expect(tallyOf(runs, names, [1, 2])).toMatchObject({ runs: 3, passed: 2, failed: 1, rounds: 1 });
  });

  it('name a profile whose verdicts change', () => {
    const other = run('json', 2, { verdicts: 'D, control pass' });
    const { changing } = tallyOf([run('json', 1), other, run('resumable', 1)], names, [1, 2]);
    expect(changing).toEqual([{ name: 'json', verdicts: ['A, control pass', 'D, control pass'] }]);
  });
});
