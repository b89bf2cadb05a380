import { describe, expect, it } from 'vitest';
import { HarnessError } from '../harnessError.ts';
import { parseReports } from './merge.ts';
import { parseVerify } from './options.ts';
import { parseTargets, takeShard } from './targets.ts';

const URL_ = 'http://localhost:3000/mcp';

describe('parseVerify', () => {
  it('has defaults for everything but the address', () => {
    expect(parseVerify([URL_])).toEqual({
      name: 'verify',
      url: URL_,
      base: { headers: {}, reloads: 2, timeoutMs: 60_000, allowNoCors: false, seed: 1 },
      headed: false,
      output: {},
    });
  });

  it('reads every option', () => {
    const argv = `${URL_} --tool t --header X-Key:a:b --bearer k --scenario cors --reloads 3 --timeout 5 --seed 9 --headed`;
    const { base, headed } = parseVerify([...argv.split(' '), '--args', '{"a":1}', '--allow-no-cors']);
    expect(headed).toBe(true);
    expect(base).toEqual({
      tool: 't',
      args: { a: 1 },
      headers: { 'X-Key': 'a:b' },
      bearer: 'k',
      scenarios: ['cors'],
      reloads: 3,
      timeoutMs: 5000,
      allowNoCors: true,
      seed: 9,
    });
  });

  it('writes JSON to standard output, or to a file that follows', () => {
    expect(parseVerify(['--json', URL_]).output).toEqual({ json: true });
    expect(parseVerify([URL_, '--json', 'out/a.json', '--junit=b.xml']).output).toEqual({
      json: 'out/a.json',
      junit: 'b.xml',
    });
  });

  it.each([
    [[], 'Which server?'],
    [['nonsense'], 'is not the address of a server'],
    [['ftp://x/'], 'is not the address of a server'],
    [[URL_, 'http://other/'], 'One server at a time'],
    [[URL_, '--nope'], "Unknown option '--nope'"],
    [[URL_, '--args', '[1]'], '--args must be a JSON object'],
    [[URL_, '--header', 'nocolon'], '--header must look like'],
    [[URL_, '--scenario', 'f5'], 'There is no scenario "f5". There are: cors, control'],
    [[URL_, '--reloads', '0'], '--reloads must be a whole number from 1'],
    [[URL_, '--seed', 'x'], '--seed must be a whole number'],
    [[URL_, '--shard', '1/2'], '--shard divides the servers of --targets'],
    [['--targets', 't.json', '--shard', '3/2'], '--shard must look like 1/4'],
    [['--targets', 't.json', URL_], 'not both'],
    [[URL_, '--json', '--junit'], 'cannot both go to standard output'],
  ])('refuses %j in words', (argv, words) => {
    const refusal = (() => {
      try {
        return parseVerify(argv);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(HarnessError);
    expect(refusal).toMatchObject({ kind: 'usage', message: expect.stringContaining(words) });
  });
});

describe('parseTargets', () => {
  const { base } = parseVerify([URL_, '--timeout', '9']);

  it('lays what a target says over what all share', () => {
    const text = JSON.stringify([URL_, { url: 'http://b/mcp', tool: 't', headers: { a: 'b' } }]);
    expect(parseTargets(text, 'f', base)).toMatchObject([
      { url: URL_, timeoutMs: 9000 },
      { url: 'http://b/mcp', tool: 't', headers: { a: 'b' }, timeoutMs: 9000 },
    ]);
  });

  it.each(['{', '{}', '[{}]', '["nonsense"]'])('refuses %s', (text) => {
    expect(() => parseTargets(text, 'f', base)).toThrow(HarnessError);
  });
});

describe('takeShard', () => {
  it('gives every target to exactly one shard', () => {
    const all = [1, 2, 3, 4, 5];
    const shards = [1, 2, 3].map((index) => takeShard(all, { index, total: 3 }));
    expect(shards).toEqual([[1, 4], [2, 5], [3]]);
  });
});

describe('parseReports', () => {
  it('takes one report, or the reports of a run', () => {
    const report = { target: 'http://a/', scenarios: [] };
    expect(parseReports(JSON.stringify(report))).toHaveLength(1);
    expect(parseReports(JSON.stringify({ reports: [report, report] }))).toHaveLength(2);
    expect(() => parseReports('{"a":1}')).toThrow();
  });
});
