/** `mcp-reprise/playwright`, used as people use it on their own servers. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { commandOf } from '../../scripts/lib/paths.mjs';
import { expect, test as base } from '../../harness/playwright/index.ts';
import { REGRESSIONS } from '../tables/profiles/regressions.ts';
import { pause } from '../../targets/core/pause.ts';
import { textResult } from '../../targets/core/toolContext.ts';
import { defineTool } from '../../targets/core/toolTable.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { closedAfter } from './closedAfter.ts';

const test = base.extend<{ target: typeof startTarget }>({ target: closedAfter(startTarget) });

const ARGS = { ticks: 15, intervalMs: 150 };

test('a reload loses nothing, compared with a call that was left alone', async ({ inspector, target }) => {
  await inspector.connect((await target('resumable')).url);
  const control = await inspector.control('countdown', ARGS);
  const call = await inspector.call('countdown', ARGS);
  await inspector.reloadAfter(4);
  await expect(call).toBeSettled();
  await expect(call).toHaveReplayed();
  await expect(call).toHaveLostNothing({ comparedWith: control });
});

test('a crash and a network that goes away lose nothing either', async ({ inspector, target }) => {
  await inspector.connect((await target('resumable')).url);
  const call = await inspector.call('countdown', { ticks: 30, intervalMs: 150 });
  await call.received(4);
  await inspector.crash();
  await call.received(16);
  const goOnline = await inspector.goOffline();
  await inspector.page.waitForFunction(() => window.reprise.state().name === 'reconnecting');
  await goOnline();
  await expect(call).toHaveLostNothing();
  await expect(call).toHaveReplayed(2);
});

test('the view of a call is there after a reload', async ({ inspector, target }) => {
  await inspector.connect((await target('app')).url);
  const call = await inspector.call('dashboard', { title: 'Stock' });
  await expect(inspector.app(call).locator('#result')).toContainText('"total":42');
  await inspector.reload();
  await expect(inspector.app(call).locator('#result')).toContainText('"total":42');
});

test('a question is answered after a reload', async ({ inspector, target }) => {
  await inspector.connect((await target('resumable')).url);
  const call = await inspector.call('ask', { question: 'Shall we?' });
  await inspector.question();
  await inspector.reload();
  const { id } = await inspector.question();
  await inspector.answer(id, { action: 'accept', content: { answer: 'yes' } });
  await expect(call).toBeSettled();
  expect((await inspector.awaitActivity({ since: '{}', timeoutMs: 100 })).pendingServer).toEqual([]);
});

/** A tool that reports slowly, and ends when the test says so. */
function heldTool() {
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  const tool = defineTool({
    name: 'held',
    title: 'Held',
    description: 'Reports progress, and ends when the test says so.',
    input: z.object({}),
    run: async (_args, context) => {
      for (const n of [1, 2, 3, 4, 5, 6]) {
        await pause(400, context.signal);
        await context.progress(n, 6, `step ${n}`);
      }
      await held;
      return textResult('Held, and let go.');
    },
  });
  return { tool, end: () => end() };
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => '',
    (error: unknown) => String(error),
  );

test('a tool that is not there, an error, and a call that is over are no success', async ({
  inspector,
  target,
}) => {
  await inspector.connect((await target('resumable')).url);
  await expect(inspector.call('nosuch')).rejects.toThrow(/Unknown tool "nosuch". Available: .*countdown/);
  await expect(inspector.control('nosuch')).rejects.toThrow(/Unknown tool "nosuch"/);
  const failing = ['fail', { afterMs: 1 }] as const;
  await expect(inspector.control(...failing)).rejects.toThrow(
    'The control call of "fail" returned an error: Failed on purpose after 1 ms',
  );
  const failed = await inspector.control(...failing, { mayFail: true });
  expect(await failure(expect(failed).toHaveLostNothing())).toContain(
    'it returned an error (Failed on purpose',
  );
  await expect(failed).toHaveLostNothing({ mayFail: true });
  await inspector.call('countdown', { ticks: 3, intervalMs: 10 });
  await expect(inspector.reloadAfter(600)).rejects.toThrow(
    'The call finished after 7 messages, before it had 600.',
  );
});

test('a server that replays nothing is found out, however slowly it sends', async ({ inspector, target }) => {
  const [row] = REGRESSIONS.filter(({ name }) => name === 'replays-nothing');
  const { tool, end } = heldTool();
  const overrides = { ...row?.overrides?.({ origin: '' }), extraTools: [tool] };
  const server = await target('resumable', { overrides });
  await inspector.connect(server.url);
  const call = await inspector.call('held');
  await call.received(2);
  await inspector.crash();
  // Only a page that has its stream again gets the result of this server.
  const resumed = (id: string) =>
    inspector.page.evaluate(
      (one) => window.reprise.entries(`kind:http method:get status:200 call:${one}`),
      id,
    );
  await expect.poll(() => resumed(call.id)).not.toEqual([]);
  end();
  const words = await failure(expect(call).toHaveLostNothing());
  expect(words).toMatch(/Expected the call to lose nothing: [1-9] messages? lost/);
  expect(words).toContain('> GET /mcp');
  expect(words).toContain('Fix: Store every event');
});

test('the matchers fail, in words, where a server loses the call', async ({ inspector, target }) => {
  await inspector.connect((await target('no-replay')).url);
  const call = await inspector.call('countdown', ARGS);
  await inspector.reloadAfter(4);
  await expect(call).not.toBeSettled();
  expect(await failure(expect(call).toBeSettled())).toContain(
    'Expected the call to settle, but it is lost: This server doesn’t send event IDs',
  );
  expect(await failure(expect(call).toHaveLostNothing())).toContain('the call is lost');
  expect(await failure(expect(call).toHaveReplayed())).toContain(
    'Expected at least 1 replayed message, got 0.',
  );
});

test('an address where nobody answers is an error that says so', async ({ inspector }) => {
  await expect(inspector.connect('http://127.0.0.1:9/mcp')).rejects.toThrow(/Can't connect to .*/);
});

interface PlaywrightReport {
  readonly suites: readonly {
    readonly specs: readonly {
      readonly tests: readonly {
        readonly results: readonly {
          readonly errors: readonly { readonly message: string }[];
          readonly attachments: readonly { readonly name: string; readonly body?: string }[];
        }[];
      }[];
    }[];
  }[];
}

/** Runs a spec as somebody's project does, and gives the report of its first test. */
async function runSpec(folder: string, spec: string) {
  const fixtures = fileURLToPath(new URL('../../harness/playwright/index.ts', import.meta.url));
  const report = `${folder}/report.json`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/some.spec.ts`, `import { expect, test } from '${fixtures}';\n${spec}`);
  await writeFile(
    `${folder}/playwright.config.ts`,
    `import { launchOptions } from '${fixtures}';
export default {
  testDir: '.',
  // A run clears its folder: the usual one is that of this run.
  outputDir: 'results',
  timeout: 60_000,
  reporter: [['json', { outputFile: '${report}' }]],
  use: { launchOptions: await launchOptions() },
};`,
  );
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const args = [
    commandOf('@playwright/test', 'playwright'),
    'test',
    '--config',
    `${folder}/playwright.config.ts`,
  ];
  await new Promise<void>((resolve) => {
    execFile(process.execPath, args, { env }, () => resolve());
  });
  const { suites } = JSON.parse(await readFile(report, 'utf8')) as PlaywrightReport;
  return suites[0]?.specs[0]?.tests[0]?.results[0];
}

test(
  'a test that fails has the log and the timeline in its report',
  { tag: '@long' },
  async ({ target }, testInfo) => {
    const { url } = await target('no-replay');
    const result = await runSpec(
      testInfo.outputPath('project'),
      `test('survives a reload', async ({ inspector }) => {
  await inspector.connect('${url}');
  const call = await inspector.call('countdown', { ticks: 8, intervalMs: 100 });
  await inspector.reloadAfter(3);
  await expect(call).toBeSettled();
});`,
    );
    expect(result?.errors[0]?.message).toContain('The call is lost');
    expect(result?.errors[0]?.message).toContain('Fix: Give the transport an event store');
    const attached = (name: string) => {
      const body = result?.attachments.find((one) => one.name === name)?.body;
      return Buffer.from(body ?? '', 'base64').toString('latin1');
    };
    expect(attached('reprise-log.json')).toContain('countdown');
    expect(attached('reprise-timeline.png')).toContain('PNG');
  },
);
