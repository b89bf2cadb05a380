/** The step of the GitHub Action, run as the runner does: inputs and files in the environment, commands in the log. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import type { Report } from '../../harness/report/facts.ts';
import { startTarget } from '../../targets/startTarget.ts';

const CLI = ['--import', 'tsx', 'harness/cli.ts'].join('\n');

interface Step {
  readonly code: number | null;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

const test = base.extend<{ folder: string; step: (inputs: Record<string, string>) => Promise<Step> }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'reprise-action-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  },
  step: async ({ folder }, use) => {
    await use(async (inputs) => {
      const files = {
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
        GITHUB_OUTPUT: join(folder, 'output'),
      };
      // The runner creates them empty for each step.
      for (const file of Object.values(files)) await writeFile(file, '');
      const given = Object.entries({ report: join(folder, 'report'), ...inputs });
      const env = Object.fromEntries(
        given.map(([name, value]) => [`INPUT_${name.toUpperCase().replaceAll('-', '_')}`, value]),
      );
      const child = spawn(process.execPath, ['scripts/action.mjs'], {
        env: { ...process.env, ...files, ...env, GITHUB_ACTIONS: 'true', REPRISE_CLI: CLI },
      });
      let log = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      const written = await readFile(files.GITHUB_OUTPUT, 'utf8');
      const lines = written.split('\n').filter((line) => line !== '');
      return {
        code,
        log,
        summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
        outputs: Object.fromEntries(
          lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
        ),
      };
    });
  },
});

test('a failure is in the summary, the annotations, the outputs and the report', async ({ step, folder }) => {
  const target = await startTarget('no-cors');
  const { code, log, summary, outputs } = await step({ url: target.url, scenarios: 'cors', quick: 'false' });
  expect(code, log).toBe(1);
  expect(log).toMatch(/^::error title=mcp-reprise%3A reprise-target-no-cors::.+%0AFix: /m);
  expect(summary).toContain('# mcp-reprise verify');
  expect(summary).toContain('| ❌ cors |');
  expect(summary).toContain('> OPTIONS /mcp');
  expect(outputs).toMatchObject({ failed: 'cors', 'new-failures': '', outcome: '' });
  expect(outputs['grade']).toContain('unusable in browsers');
  const badge: unknown = JSON.parse(await readFile(join(folder, 'report/badge.json'), 'utf8'));
  expect(badge).toMatchObject({ schemaVersion: 1, message: 'unusable in browsers', color: 'red' });
  expect(existsSync(join(folder, 'report/index.html'))).toBe(true);
  await target.close();
});

test('inputs that make no sense are an annotation too', async ({ step }) => {
  const { code, log } = await step({ quick: 'true' });
  expect(code).toBe(2);
  expect(log).toContain('::error title=mcp-reprise::Set exactly one of the inputs');
});

test(
  'a lost call has its waterfall, its trace, and is new since the last report',
  { tag: '@long' },
  async ({ step, folder }) => {
    const target = await startTarget('no-replay');
    const before = join(folder, 'before.json');
    const call = { tool: 'countdown', args: '{"ticks":10,"intervalMs":120}', scenarios: 'reload-mid-call' };
    const first = await step({ url: target.url, ...call });
    expect(first.code, first.log).toBe(1);
    expect(first.summary).toMatch(/```text\ncall [|.x ]+\n/);
    expect(await readdir(join(folder, 'report/traces'))).toEqual(['reload-mid-call.zip']);
    const report = JSON.parse(await readFile(join(folder, 'report/report.json'), 'utf8')) as Report;
    const passed = report.scenarios.map((one) => ({ ...one, verdict: 'pass' as const }));
    await writeFile(before, JSON.stringify({ ...report, scenarios: passed }));
    const second = await step({ url: target.url, ...call, compare: before });
    expect(second.outputs).toMatchObject({ failed: 'reload-mid-call', 'new-failures': 'reload-mid-call' });
    expect(second.summary).toContain('**New failures since the last report: reload-mid-call.**');
    await target.close();
  },
);
