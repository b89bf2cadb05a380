/** The harness judges target profiles as the table says: their letter, and the scenarios that they fail. */
import { chromium, expect, test as base } from '@playwright/test';
import { findChromium, chromiumArgs } from '../../scripts/lib/chromium.mjs';
import { Stage } from '../../harness/page/stage.ts';
import { EXPECTED, UNJUDGED } from '../tables/profiles/expected.ts';
import { compareReport, judgeProfile } from '../tables/profiles/judgeProfile.ts';
import { REGRESSIONS } from '../tables/profiles/regressions.ts';
import { verify, type VerifyOptions } from '../../harness/verify.ts';
import { PROFILES } from '../../targets/profiles/index.ts';
import { startTarget } from '../../targets/startTarget.ts';

const SILENT = { say: () => undefined, started: () => undefined, ended: () => undefined };
const OPTIONS: Omit<VerifyOptions, 'url'> = {
  tool: 'countdown',
  args: { ticks: 10, intervalMs: 120 },
  headers: {},
  scenarios: ['reload-mid-call'],
  reloads: 2,
  timeoutMs: 30_000,
  allowNoCors: false,
  seed: 1,
};

const test = base.extend<object, { stage: Stage }>({
  stage: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
    async ({}, use) => {
      const stage = await Stage.open({ headed: false });
      await use(stage);
      await stage.close();
    },
    { scope: 'worker' },
  ],
});

test.describe.configure({ timeout: 120_000 });

/** One for each outcome and way to fail; `npm run verify:profiles` judges all of them by every scenario. */
const JUDGED_HERE: ReadonlySet<string> = new Set([
  'resumable',
  'no-replay',
  'no-priming',
  'get-once',
  'stateless',
  'over-replay',
  'no-cors',
  'oauth',
  'modern',
  'modern-tasks',
  'tasks-2025',
  'runs-twice',
  'buffers',
  'fast-tool',
  'tool-error',
  'replays-nothing',
  'primed-in-one-piece',
  'asleep',
  'harmful-tools',
]);

/** What `npm test` has the time for: one that resumes, one that loses calls, one of each that has no session. */
const QUICK: ReadonlySet<string> = new Set(['resumable', 'no-replay', 'stateless', 'modern', 'fast-tool']);

const ROWS = [...EXPECTED, ...REGRESSIONS].map((row) => ({ ...row, name: row.name ?? row.profile }));

for (const expected of ROWS.filter(({ name }) => JUDGED_HERE.has(name))) {
  const fails = expected.story.filter((name) => expected.fails.includes(name));
  const title = `${expected.name}: ${expected.outcome ?? 'no letter'}, fails ${fails.join(' and ') || 'nothing'}`;
  test(title, { tag: QUICK.has(expected.name) ? [] : '@long' }, async ({ stage }) => {
    const report = await judgeProfile(expected, stage, {
      scenarios: expected.story,
      allowNoCors: expected.blocked === true,
    });
    expect(compareReport(expected, report), JSON.stringify(report.scenarios, undefined, 1)).toEqual([]);
    expect(report.withoutCors === true).toBe(expected.blocked === true);
    for (const { verdict, fix, exchange } of report.scenarios) {
      if (verdict !== 'fail') continue;
      expect(fix, 'an instruction in words').toMatch(/^[A-Z]\w+ .+/);
      expect(exchange).toMatchObject({
        method: expect.stringMatching(/^(GET|POST|DELETE|OPTIONS)$/),
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//),
        status: expect.any(Number),
      });
    }
  });
}

for (const profile of ['no-cors']) {
  test(`${profile}: as a browser sees it, no page gets in`, async ({ stage }) => {
    const report = await judgeProfile({ profile }, stage, { scenarios: ['cors', 'reload-mid-call'] });
    expect(report).toMatchObject({ outcome: null, grade: 'unusable in browsers (3 of 28 scenarios)' });
    expect(report.scenarios.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
      'cors fail',
      'control skipped',
      'reload-mid-call skipped',
    ]);
    expect(report.scenarios[0]?.fix).toContain('Access-Control-Expose-Headers: Mcp-Session-Id');
  });
}

test('the table has every profile', () => {
  const names = PROFILES.map(({ name }) => name);
  expect(EXPECTED.map(({ profile }) => profile)).toEqual(names.filter((name) => !UNJUDGED.includes(name)));
  expect(names).toEqual(expect.arrayContaining([...UNJUDGED]));
});

test('sse: there is nothing to come back to, and the harness says so', async ({ stage }) => {
  await expect(judgeProfile({ profile: 'sse' }, stage, { scenarios: ['control'] })).rejects.toThrow(
    /uses HTTP\+SSE \(2024-11-05, deprecated\)/,
  );
});

test('forgets: no client can use it, and the harness says so', async ({ stage }) => {
  await expect(judgeProfile({ profile: 'forgets' }, stage, { scenarios: ['control'] })).rejects.toThrow(
    'returns HTTP 404 for tools/list in the same session',
  );
});

test('B: a server that ends a session with its connection', async ({ stage }) => {
  const target = await startTarget('resumable', {
    overrides: { onStreamEnd: (session, how) => void (how === 'left' && session.close('its client left')) },
  });
  const { report, exitCode } = await verify(
    { ...OPTIONS, url: target.url },
    stage,
    SILENT,
    new AbortController().signal,
  );
  expect(report).toMatchObject({ outcome: 'B', grade: expect.stringContaining('loses calls') });
  expect(exitCode).toBe(1);
  await target.close();
});

test('a browser of a Playwright server does as well as one of this machine', { tag: '@long' }, async () => {
  const found = await findChromium({ mayInstall: false });
  if (found.kind === 'none') throw new Error(found.says);
  const remote = await chromium.launchServer({ executablePath: found.path, args: chromiumArgs });
  const stage = await Stage.open({ headed: false, endpoint: remote.wsEndpoint() });
  const target = await startTarget('resumable');
  const scenarios = ['reload-mid-call', 'browser-restart'];
  const { report } = await verify(
    { ...OPTIONS, url: target.url, scenarios },
    stage,
    SILENT,
    new AbortController().signal,
  );
  expect(report.outcome).toBe('A');
  expect(report.scenarios.at(-1)).toMatchObject({ name: 'browser-restart', verdict: 'skipped' });
  await target.close();
  await stage.close();
  await remote.close();
});
