/**
 * `npm run verify:examples`: packs, and builds each example and the quick start of docs/client.md from the tarball in a
 * folder of its own. Then the page is reloaded in the middle of a call: one result, and the tool has run once.
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from '@playwright/test';
import { z } from 'zod';
import { ROOT } from '../lib/paths.mjs';
import { serveStatic } from '../lib/staticServer.mjs';
import { launch } from '../../e2e/bench/bench.ts';
import { pause } from '../../targets/core/pause.ts';
import { defineTool } from '../../targets/core/toolTable.ts';
import { startTarget, type RunningTarget } from '../../targets/startTarget.ts';
import { filesIn } from './docsFiles.ts';

/** The tool of the quick start: like any tool that takes a while. */
const report = defineTool({
  name: 'report',
  title: 'Report',
  description: 'Takes some seconds, with a progress notification for each step.',
  input: z.object({ seconds: z.number() }),
  run: async ({ seconds }, context) => {
    for (let step = 1; step <= seconds; step += 1) {
      await pause(100, context.signal);
      await context.progress(step, seconds, `step ${step}`);
    }
    return { content: [{ type: 'text', text: `The report took ${seconds} steps.` }] };
  },
});

interface Example {
  readonly name: string;
  /** Puts the app into an empty folder. */
  readonly copy: (folder: string, target: RunningTarget) => Promise<void>;
  /** What is served, below the folder. */
  readonly dist: string;
  readonly path: string;
  readonly tool: string;
  readonly result: string;
}

const QUICK_START = { tool: 'report', result: 'The report took 30 steps.' };
const COUNTDOWN = { tool: 'countdown', result: Array.from({ length: 20 }, (_, i) => i + 1).join(' ') };

const EXAMPLES: readonly Example[] = [
  ...['vanilla', 'react'].map((name) => ({
    name,
    copy: (folder: string) => cp(join(ROOT, 'examples', name), folder, { recursive: true, filter: isSource }),
    dist: 'dist',
    path: '',
    ...COUNTDOWN,
  })),
  {
    name: 'quick start',
    copy: (folder, target) => copyDocs('Quick start', folder, target),
    dist: 'dist',
    path: '',
    ...QUICK_START,
  },
  {
    name: 'no bundler',
    copy: (folder, target) => copyDocs('Without a bundler', folder, target),
    dist: '.',
    path: 'page.html',
    ...QUICK_START,
  },
];

const isSource = (path: string): boolean => !/[\\/](node_modules|dist)([\\/]|$)/.test(path);

/** The files that a section of the docs shows, as a reader copies them: only the server's URL is another. */
async function copyDocs(section: string, folder: string, { url }: RunningTarget): Promise<void> {
  const files = filesIn(await readFile(join(ROOT, 'docs/client.md'), 'utf8'), section);
  const lines = files.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
  check(`"${section}" shows ${lines} lines, fewer than 30`, files.length > 0 && lines < 30);
  for (const { name, text } of files) {
    await writeFile(join(folder, name), text.replace('https://example.org/mcp', url));
  }
}

function check(what: string, holds: boolean, detail: unknown = ''): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'}  ${what}`);
  if (holds) return;
  console.log(detail);
  process.exitCode = 1;
}

function npm(folder: string, ...args: readonly string[]): void {
  execFileSync('npm', [...args, '--silent', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
}

function pack(folder: string): string {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return join(folder, packed.trim().split('\n').at(-1) ?? '');
}

async function build(folder: string, tarball: string): Promise<void> {
  const files = await readdir(folder);
  if (files.includes('package.json')) {
    npm(folder, 'install', tarball);
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: 'inherit' });
    return;
  }
  // As the docs say: an empty folder, and two packages.
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(
    folder,
    'install',
    tarball,
    '@modelcontextprotocol/client',
    ...(files.includes('index.html') ? ['vite'] : []),
  );
  if (files.includes('index.html'))
    execFileSync('npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn'], {
      cwd: folder,
      stdio: 'inherit',
    });
}

const progressOf = (page: Page): Promise<number> =>
  page.getByRole('progressbar').evaluate((bar: HTMLProgressElement) => bar.value);

async function reloadInTheMiddle(
  browser: Browser,
  site: string,
  { name, path, tool, result }: Example,
  target: RunningTarget,
): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${site}${path}?server=${encodeURIComponent(target.url)}`);
  await page.getByRole('button').first().click();
  await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) >= 3);
  await page.reload();
  await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) >= 4);
  const resumedAt = await progressOf(page);
  const output = page.locator('output');
  await output.filter({ hasText: result.slice(0, 20) }).waitFor({ timeout: 60_000 });
  const text = (await output.textContent()) ?? '';
  check(
    `${name}: the result arrives after a reload (progress continued at ${resumedAt})`,
    text.includes(result),
    text,
  );
  const runs = target.stats().sessions.reduce((sum, { calls }) => sum + (calls[tool] ?? 0), 0);
  check(
    `${name}: the tool ran once, in one session`,
    runs === 1 && target.stats().sessions.length === 1,
    target.stats(),
  );
  await page.reload();
  await output.filter({ hasText: result.slice(0, 20) }).waitFor();
  check(
    `${name}: the result is there after another reload, without a second run`,
    problems.length === 0,
    problems,
  );
  await page.context().close();
}

/** `--tarball`: one that is packed already. */
const { only, tarball: given } = parseArgs({
  options: { only: { type: 'string' }, tarball: { type: 'string' } },
}).values;
const base = await mkdtemp(join(tmpdir(), 'reprise-examples-'));
const browser = await launch();
try {
  const tarball = given === undefined ? pack(base) : resolve(given);
  for (const example of EXAMPLES.filter(({ name }) => only === undefined || only === name)) {
    const target = await startTarget('resumable', { overrides: { extraTools: [report] } });
    const folder = join(base, example.name.replaceAll(' ', '-'));
    await mkdir(folder);
    await example.copy(folder, target);
    await build(folder, tarball);
    const site = await serveStatic({ folder: join(folder, example.dist) });
    try {
      await reloadInTheMiddle(browser, site.url, example, target);
    } finally {
      await site.close();
      await target.close();
    }
  }
} finally {
  await browser.close();
  await rm(base, { recursive: true, force: true });
}
