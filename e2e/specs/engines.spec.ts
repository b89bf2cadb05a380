/** The harness in another engine than Chromium: run by `npm test` in each one that is installed. */
import { expect, test } from '../../harness/playwright/index.ts';
import { Stage } from '../../harness/page/stage.ts';
import { BROWSER_TITLES } from '../../harness/page/browserName.ts';
import { verify } from '../../harness/verify.ts';
import { startTarget } from '../../targets/startTarget.ts';

const ARGS = { ticks: 15, intervalMs: 150 };

test('the fixture: a reload and a lost network lose nothing', { tag: '@engines' }, async ({ inspector }) => {
  const server = await startTarget('resumable');
  await inspector.connect(server.url);
  const control = await inspector.control('countdown', ARGS);
  const call = await inspector.call('countdown', ARGS);
  await inspector.reloadAfter(4);
  await call.received(10);
  const goOnline = await inspector.goOffline();
  await inspector.page.waitForFunction(() => window.reprise.state().name === 'reconnecting');
  await goOnline();
  await expect(call).toHaveLostNothing({ comparedWith: control });
  await expect(call).toHaveReplayed(2);
  await server.close();
});

test('the fixture: a crash is refused in words', { tag: '@engines' }, async ({ inspector, browserName }) => {
  await expect(inspector.crash()).rejects.toThrow(`can't crash a tab of ${BROWSER_TITLES[browserName]}`);
});

test(
  'verify names the browser, and skips what the browser lacks',
  { tag: '@engines' },
  async ({ browserName }) => {
    const server = await startTarget('resumable');
    const stage = await Stage.open({ headed: false, browser: browserName });
    const silent = { say: () => undefined, started: () => undefined, ended: () => undefined };
    const options = { headers: {}, reloads: 1, timeoutMs: 60_000, allowNoCors: false, seed: 1, workers: 3 };
    const scenarios = ['reload-mid-call', 'network-blip', 'tab-crash'];
    const { report, exitCode } = await verify(
      { ...options, url: server.url, scenarios },
      stage,
      silent,
      new AbortController().signal,
    );
    expect(report.browser).toEqual({
      name: BROWSER_TITLES[browserName],
      version: expect.stringMatching(/^\d/),
    });
    const verdicts = Object.fromEntries(report.scenarios.map(({ name, verdict }) => [name, verdict]));
    expect(verdicts, JSON.stringify(report.scenarios.map(({ why }) => why))).toEqual({
      control: 'pass',
      'reload-mid-call': 'pass',
      'network-blip': 'pass',
      'tab-crash': 'skipped',
    });
    expect({ exitCode, outcome: report.outcome }).toEqual({ exitCode: 0, outcome: 'A' });
    await stage.close();
    await server.close();
  },
);
