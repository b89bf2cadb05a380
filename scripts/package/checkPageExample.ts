/** Runs the example of docs/test-your-page.md in the folder of a stranger: types, workers, projects, fixtures, reports. */
import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT, commandOf } from '../lib/paths.mjs';
import { startFakePage } from '../../e2e/specs/fakePage.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { playTool } from '../../harness/verifyPage/playTools.ts';
import { STRICT_COMPILER_OPTIONS } from './checkPackage.ts';

interface Tools {
  readonly check: (what: string, holds: boolean, detail?: string) => void;
  readonly run: (
    command: string,
    args: readonly string[],
    cwd: string,
    env?: Record<string, string>,
  ) => Promise<{ readonly code: number; readonly output: string }>;
}

const EXAMPLE = /^`([\w./-]+)`:\n+```\w+\n([\s\S]*?)^```$/gm;

const MERGED = `
import { mergeExpects, mergeTests, test as base, expect as baseExpect } from '@playwright/test';
import { expect as wireExpect, test as wireTest } from 'mcp-reprise/playwright';
const own = base.extend<{ word: string }>({ word: async ({}, use) => use('Report ready') });
const test = mergeTests(own, wireTest);
const expect = mergeExpects(baseExpect.extend({}), wireExpect);
test('with fixtures of its own', async ({ page, mcpWire, word }) => {
  await page.goto(\`/?server=\${encodeURIComponent(mcpWire.url)}\`);
  await page.getByRole('button', { name: 'Run report' }).click();
  const call = await mcpWire.call('report');
  await call.received(2);
  await mcpWire.reload(page);
  await expect(call).toHaveSurvived();
  await expect(page.getByText(word)).toBeVisible();
});
`;

const BROKEN = `
import { expect, test } from 'mcp-reprise/playwright';
test('a page that starts over', async ({ page, mcpWire }) => {
  await page.goto(\`/?fault=initializes-again&server=\${encodeURIComponent(mcpWire.url)}\`);
  await page.getByRole('button', { name: 'Run report' }).click();
  const call = await mcpWire.call('report');
  await call.received(2);
  await mcpWire.reload(page);
  await expect(call).toHaveSurvived();
});
`;

const PLAY = `
export async function start(page, { pageUrl, serverUrl }) {
  await page.goto(\`\${pageUrl}?server=\${encodeURIComponent(serverUrl)}\`);
  await page.getByRole('button', { name: 'Run report' }).click();
}
export const done = (page) => page.getByText('Report ready').waitFor();
export const tools = { report: { seconds: 3, messages: 12 } };
`;

/** @param folder has the package installed */
export async function checkPageExample(folder: string, { check, run }: Tools): Promise<void> {
  const app = await startFakePage('report');
  const target = await startTarget('resumable', {
    overrides: { extraTools: [playTool('report', { seconds: 3, messages: 12 })] },
  });
  const project = join(folder, 'page');
  try {
    await copyExample(project, app.url.replace(/\/$/, ''), target.url);
    const types = await run(process.execPath, [commandOf('typescript', 'tsc'), '-p', '.'], project);
    check('the page example compiles with --strict', types.code === 0, types.output);
    const args = ['--no-install', 'playwright', 'test', '--workers', '2'];
    const passing = await run('npx', [...args, '--grep-invert', 'starts over'], project);
    check('it passes, with two workers, two projects and mergeTests', passing.code === 0, passing.output);
    const html = { PLAYWRIGHT_HTML_OPEN: 'never' };
    const failing = await run(
      'npx',
      [...args, '--grep', 'starts over', '--reporter=html', '--project=first'],
      project,
      html,
    );
    check('a page that starts over fails', failing.code === 1, failing.output);
    check('and its story is in the HTML report', await hasStory(join(project, 'playwright-report/data')));
    await writeFile(join(project, 'play.mjs'), PLAY);
    const quick = [
      '--no-install',
      'mcp-reprise',
      'verify-page',
      app.url,
      '--script',
      'play.mjs',
      '--quick',
      '--scenario',
      'reload-mid-call',
    ];
    const verified = await run('npx', quick, project);
    check(
      'mcp-reprise verify-page tests it',
      verified.code === 0 && verified.output.includes('RELOAD-SAFE'),
      verified.output,
    );
  } finally {
    await target.close();
    await app.close();
  }
}

async function copyExample(project: string, app: string, server: string): Promise<void> {
  const text = await readFile(join(ROOT, 'docs/test-your-page.md'), 'utf8');
  const files = [...text.matchAll(EXAMPLE)];
  if (files.length < 2) throw new Error('The example is missing in docs/test-your-page.md.');
  for (const [, name = '', code = ''] of files) await write(join(project, name), adapt(code, app, server));
  await write(join(project, 'tests/merged.spec.ts'), MERGED);
  await write(join(project, 'tests/broken.spec.ts'), BROKEN);
  await write(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  await write(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT_COMPILER_OPTIONS }));
}

/** The page and the server run already, on other ports; a browser of the system is used; there are two projects. */
function adapt(code: string, app: string, server: string): string {
  return code
    .replace('http://localhost:5173', app)
    .replace('http://localhost:3000/mcp', server)
    .replace(
      / *webServer: \[[\s\S]*?\],\n(?=\}\))/,
      "  projects: [{ name: 'first', use }, { name: 'second', use }],\n",
    )
    .replace(
      "import type { RepriseOptions } from 'mcp-reprise/playwright';",
      "import { launchOptions, type RepriseOptions } from 'mcp-reprise/playwright';\n\nconst use = { launchOptions: await launchOptions() };",
    );
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function hasStory(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(
    names.filter((name) => name.endsWith('.html')).map((name) => readFile(join(folder, name), 'utf8')),
  );
  return texts.some((text) => text.includes('MCP story'));
}
