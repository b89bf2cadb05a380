import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HarnessError } from '../harnessError.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import { parseReports } from './merge.ts';
import { parseVerify } from './options.ts';
import { takeShard, takeShare } from './takeShare.ts';
import { parseTargets, readTargets } from './targets.ts';

const URL_ = 'http://localhost:3000/mcp';

const ALL = SCENARIOS.map(({ name }) => name);

const SCENARIO = {
  name: 'reload-mid-call',
  verdict: 'fail',
  why: 'Two messages are missing.',
  lost: 2,
  remarks: ['It was slow.'],
  exchange: {
    method: 'GET',
    url: URL_,
    requestHeaders: { a: 'b' },
    status: 400,
    responseHeaders: {},
    body: '',
  },
  waterfall: {
    durationMs: 10,
    lanes: [{ name: 'call', marks: [{ at: 1, kind: 'live', label: 'one' }] }],
    gaps: [{ from: 1, to: 2, label: 'reload' }],
  },
  returned: {
    givesEventIds: true,
    wasBlind: false,
    restarted: false,
    refused: false,
    resultDelivered: true,
    followedAsTask: false,
    missed: 2,
    recovered: 2,
  },
};
const REPORT = {
  schemaVersion: 1,
  target: URL_,
  server: { name: 'a', version: '1' },
  protocolVersion: '2025-11-25',
  outcome: null,
  grade: 'not tested',
  scenarios: [SCENARIO],
  tool: { name: 't', args: { a: [1] }, why: 'named' },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  seed: 1,
  reprise: '0.1.0',
};

describe('parseVerify', () => {
  it('has defaults for everything but the address', () => {
    expect(parseVerify([URL_])).toEqual({
      name: 'verify',
      url: URL_,
      base: { headers: {}, reloads: 2, timeoutMs: 60_000, allowNoCors: false, seed: 1 },
      browser: 'chromium',
      headed: false,
      output: {},
      warnings: [],
    });
  });

  it('takes a browser, and CORS is enforced by all but Chromium', () => {
    expect(parseVerify([URL_, '--browser', 'firefox']).browser).toBe('firefox');
    expect(() => parseVerify([URL_, '--browser', 'opera'])).toThrow(
      'chromium, firefox or webkit, not "opera"',
    );
    expect(() => parseVerify([URL_, '--browser', 'webkit', '--allow-no-cors'])).toThrow(
      'always enforces CORS',
    );
  });

  it('reads secrets from the environment, and warns of those that are visible', () => {
    const env = { TOKEN: 'token-1', KEY: 'key-1' };
    const read = (...argv: string[]) => parseVerify([URL_, ...argv], env);
    const { base, warnings } = read('--bearer', 'env:TOKEN', '--header', 'X-Key: env:KEY');
    expect(base).toMatchObject({ bearer: 'token-1', headers: { 'X-Key': 'key-1' } });
    expect(warnings).toEqual([]);
    expect(read('--header', 'Authorization: Token env:KEY').base.headers).toEqual({
      Authorization: 'Token key-1',
    });
    const keyed = { URL: 'http://host/mcp?api_key=key-3' };
    expect(parseVerify(['env:URL'], keyed)).toMatchObject({ url: keyed.URL, warnings: [] });
    expect(parseVerify([keyed.URL]).warnings).toEqual([
      expect.stringMatching(/^Warning: the key in the server URL/),
    ]);
    const visible = read('--bearer', 'token-2', '--header', 'X-Key: key-2');
    expect(visible.base).toMatchObject({ bearer: 'token-2', headers: { 'X-Key': 'key-2' } });
    expect(visible.warnings).toHaveLength(2);
    expect(visible.warnings.join()).toContain('the value of --bearer is visible in the process list');
    expect(visible.warnings.join()).not.toMatch(/token-2|key-2/);
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

  it('takes a list of scenarios, and leaves some out', () => {
    const { base } = parseVerify([URL_, '--scenario', 'cors,control,tab-crash', '--skip', 'control']);
    expect(base.scenarios).toEqual(['cors', 'tab-crash']);
    const rest = parseVerify([URL_, '--skip', 'unknown-cursor']).base.scenarios ?? [];
    expect(rest).toContain('cors');
    expect(rest).not.toContain('unknown-cursor');
  });

  it('writes JSON to standard output, or to a file that follows', () => {
    expect(parseVerify(['--json', URL_]).output).toEqual({ json: true });
    expect(parseVerify([URL_, '--json', 'out/a.json', '--junit=b.xml']).output).toEqual({
      json: 'out/a.json',
      junit: 'b.xml',
    });
  });

  it('reads the command of a stdio server, by the option or as reports name it', () => {
    const stdio = { command: 'node server.js', env: ['KEY'] };
    expect(parseVerify(['--stdio', 'node server.js', '--env', 'KEY'])).toMatchObject({ stdio });
    expect(parseVerify(['stdio:node server.js', '--env', 'KEY'])).toMatchObject({ stdio });
  });

  it.each([
    [['--stdio', 'node a.js', URL_], 'Use either a URL or --stdio'],
    [['--stdio', 'node a.js', '--targets', 'a.json'], 'Use either --stdio or --targets'],
    [[URL_, '--env', 'KEY'], '--env requires --stdio'],
    [[], 'Missing server URL'],
    [['nonsense'], "isn't a server URL"],
    [['ftp://x/'], "isn't a server URL"],
    [[URL_, 'http://other/'], 'Unexpected argument "http://other/"'],
    [[URL_, '--json', 'out.txt'], 'A file after --json must end with .json'],
    [[URL_, '--nope'], "Unknown option '--nope'"],
    [[URL_, '--headers', 'a'], "Unknown option '--headers'. Did you mean --header?"],
    [[URL_, '--scenario', 'reload-mid-cal'], 'Did you mean reload-mid-call?'],
    [[URL_, '--args', '[1]'], '--args must be a JSON object'],
    [[URL_, '--header', 'nocolon'], '--header must look like'],
    [[URL_, '--scenario', 'f5'], 'Unknown scenario "f5". Available: cors, control'],
    [[URL_, '--reloads', '0'], '--reloads must be a whole number from 1'],
    [[URL_, '--fail-on', 'x'], '--fail-on must be must, should or advice'],
    [[URL_, '--require', 'B'], '--require must be A or reload-safe'],
    [[URL_, '--revision', 'x'], '--revision must be auto, session, stateless or both'],
    [[URL_, '--origin', 'https://example.com'], '--origin must look like http://localhost:4173'],
    [[URL_, '--seed', 'x'], '--seed must be a whole number'],
    [[URL_, '--quick', '--scenario', 'cors'], 'Use either --quick or --scenario, not both.'],
    [['--targets', 't.json', '--start', 'npm start'], '--start requires a server URL'],
    [[URL_, '--calls', 'c.json', '--quick'], '--calls runs no scenarios'],
    [[URL_, '--update-snapshots'], '--update-snapshots requires --calls'],
    [[URL_, '--workers', '0'], '--workers must be a whole number from 1 to 32'],
    [['--targets', 't.json', '--shard', '3/2'], '--shard must look like 1/4'],
    [['--targets', 't.json', URL_], 'not both'],
    [[URL_, '--json', '--junit'], "can't both write to stdout"],
    [[URL_, '--bearer', 'env:NOT_SET'], "The environment variable NOT_SET isn't set"],
    [[URL_, '--header', 'X: env:NOT_SET'], 'The environment variable NOT_SET'],
    [['http://user:secret@host/mcp'], 'A server URL with a user name or password'],
  ])('refuses %j in words', (argv, words) => {
    const refusal = (() => {
      try {
        return parseVerify(argv, {});
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(HarnessError);
    expect(refusal).toMatchObject({ kind: 'usage', message: expect.stringContaining(words) });
  });

  it.each([
    [[URL_, '--header', 'x-key secret-1']],
    [['http://user:secret-1@host/mcp']],
    [['htp://host/?key=secret-1']],
    [[URL_, '--bearer', 'env:secret-1']],
  ])('prints no secret when it refuses %j', (argv) => {
    expect(() => parseVerify(argv, {})).toThrow(HarnessError);
    expect(() => parseVerify(argv, {})).not.toThrow('secret-1');
  });
});

describe('parseTargets', () => {
  const { base } = parseVerify([URL_, '--timeout', '9']);

  it('lays what a target says over what all share', () => {
    const own = { tool: 't', headers: { a: 'b' }, seed: 7, reloads: 3, allowNoCors: true };
    const text = JSON.stringify([
      URL_,
      { url: 'http://b/mcp', ...own },
      { url: 'http://c/mcp', timeout: 20 },
    ]);
    expect(parseTargets(text, 'f', base)).toMatchObject([
      { url: URL_, timeoutMs: 9000 },
      { url: 'http://b/mcp', ...own, timeoutMs: 9000 },
      { url: 'http://c/mcp', timeoutMs: 20_000 },
    ]);
  });

  it.each([
    [{ scenario: ['cors'] }, 'entry 1 has an unknown field "scenario" (Did you mean scenarios?)'],
    [{ Bearer: 'x' }, 'entry 1 has an unknown field "Bearer" (Did you mean bearer?)'],
    [{ colour: 'x' }, 'entry 1 has an unknown field "colour"'],
    [{ args: '{}' }, '"args" of entry 1 must be an object'],
    [{ scenarios: 'cors' }, '"scenarios" of entry 1 must be a list of scenarios'],
    [{ timeout: '9' }, '"timeout" of entry 1 must be a number of seconds'],
  ])('does not ignore %j', (more, why) => {
    expect(() => parseTargets(JSON.stringify([{ url: URL_, ...more }]), 'f', base)).toThrow(why);
  });

  it('reads secrets from the environment, and warns of those that stand in the file', () => {
    const env = { TOKEN: 'token-1', URL: 'http://host/mcp?api_key=key-1' };
    const warned: string[] = [];
    const list = [
      { url: 'env:URL', bearer: 'env:TOKEN', headers: { 'X-Key': 'env:TOKEN' } },
      { url: URL_, bearer: 'token-2' },
    ];
    expect(
      parseTargets(JSON.stringify(list), 'f.json', base, { env, warn: (text) => warned.push(text) }),
    ).toMatchObject([
      { url: env.URL, bearer: 'token-1', headers: { 'X-Key': 'token-1' } },
      { bearer: 'token-2' },
    ]);
    expect(warned).toEqual([expect.stringContaining('"bearer" of entry 2 is in f.json in plain text')]);
    const missing = JSON.stringify([{ url: URL_, bearer: 'env:NOT_SET' }]);
    expect(() => parseTargets(missing, 'f.json', base, { env })).toThrow(
      "The environment variable NOT_SET isn't set",
    );
  });

  it.each([
    '{',
    '{}',
    '[{}]',
    '["nonsense"]',
    `[{"url":"${URL_}","headers":{"a":1}}]`,
    `[{"url":"${URL_}","bearer":1}]`,
  ])('refuses %s', (text) => {
    expect(() => parseTargets(text, 'f', base)).toThrow(HarnessError);
  });
});

describe('readTargets', () => {
  const read = (list: readonly string[], ...more: string[]) => {
    const file = join(mkdtempSync(join(tmpdir(), 'reprise-targets-')), 't.json');
    writeFileSync(file, JSON.stringify(list));
    return readTargets(parseVerify(['--targets', file, ...more]), {});
  };

  it('verifies both ways of the protocol, one after the other', async () => {
    const both = await readTargets(parseVerify([URL_, '--revision', 'both']), {});
    expect(both.map(({ revision }) => revision)).toEqual(['session', 'stateless']);
    expect(parseVerify([URL_, '--revision', 'session', '--origin', 'http://localhost:4173'])).toMatchObject({
      base: { revision: 'session' },
      port: 4173,
    });
  });

  it('refuses a list, or a share of one, without a server', async () => {
    await expect(read([])).rejects.toThrow('it has no server');
    await expect(read([URL_], '--shard', '30/30')).rejects.toThrow(/Shard 30\/30 is empty/);
    expect(await read([URL_], '--shard', '1/2')).toHaveLength(1);
  });
});

describe('takeShard', () => {
  it('gives every target to exactly one shard', () => {
    const all = [1, 2, 3, 4, 5];
    const shards = [1, 2, 3].map((index) => takeShard(all, { index, total: 3 }));
    expect(shards).toEqual([[1, 4], [2, 5], [3]]);
  });

  it.each([
    [1, 3],
    [2, 5],
    [3, 3],
    [5, 2],
  ])('gives every scenario of %i servers to exactly one of %i shards', (servers, total) => {
    const base = { headers: {}, reloads: 2, timeoutMs: 1, allowNoCors: false, seed: 1 };
    const all = Array.from({ length: servers }, (_, at) => ({ ...base, url: `http://a/${at}` }));
    const shares = Array.from({ length: total }, (_, at) => takeShare(all, { index: at + 1, total })).flat();
    for (const { url } of all) {
      const own = shares.filter((share) => share.url === url);
      const names = own.flatMap(({ scenarios = ALL }) => scenarios.filter((name) => name !== 'control'));
      expect(names.sort()).toEqual(ALL.filter((name) => name !== 'control').sort());
      if (own.length > 1) expect(own.map(({ part }) => part?.index)).toEqual(own.map((_, at) => at + 1));
      for (const { part } of own) expect(part?.total ?? 1).toBe(own.length);
    }
  });
});

describe('parseReports', () => {
  it('takes one report, or the reports of a run', () => {
    expect(parseReports(JSON.stringify(REPORT))).toEqual([REPORT]);
    expect(parseReports(JSON.stringify({ reports: [REPORT, REPORT] }))).toHaveLength(2);
  });

  it.each([
    ['target', { a: 1 }],
    ['target', { ...REPORT, target: 1 }],
    ['outcome', { ...REPORT, outcome: '<meta http-equiv=refresh>' }],
    ['server', { ...REPORT, server: null }],
    ['durationMs', { ...REPORT, durationMs: '1' }],
    ['scenarios.0.verdict', { ...REPORT, scenarios: [{ ...SCENARIO, verdict: 'constructor' }] }],
    ['scenarios.0.lost', { ...REPORT, scenarios: [{ ...SCENARIO, lost: '<b>' }] }],
    ['scenarios.0.remarks', { ...REPORT, scenarios: [{ ...SCENARIO, remarks: 'x' }] }],
    [
      'scenarios.0.waterfall.lanes.0.name',
      { ...REPORT, scenarios: [{ ...SCENARIO, waterfall: { durationMs: 1, lanes: [{}], gaps: [] } }] },
    ],
    ['It', { reports: [REPORT, null] }],
  ])('refuses a file whose "%s" is something else, and names it', (field, value) => {
    const text = JSON.stringify(value);
    expect(() => parseReports(text)).toThrow(field);
  });
});
