/** `npm run verify:package`: packs, installs the tarball into an empty folder, and uses it there as a stranger would. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { startTarget } from '../../targets/startTarget.ts';
import type { Report } from '../../harness/report/facts.ts';
import { checkTypes, lintTarball, measureInstall, type Finding } from './checkPackage.ts';
import { checkPageExample } from './checkPageExample.ts';

/** Code that a page shows under the name of a file. */
const EXAMPLE = /^`([\w.-]+)`:\n+```\w+\n([\s\S]*?)^```$/gm;

/** Copies the example project out of the docs, as a reader does. */
async function copyExample(folder: string): Promise<void> {
  const text = await readFile(join(ROOT, 'docs/playwright.md'), 'utf8');
  const files = [...text.matchAll(EXAMPLE)];
  if (files.length === 0) throw new Error('docs/playwright.md has no example.');
  for (const [, name = '', code = ''] of files) await writeFile(join(folder, name), code);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Ran> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return once(child, 'close').then(([code]) => ({ code: Number(code), output }));
}

interface Ran {
  readonly code: number;
  readonly output: string;
}

function check(what: string, holds: boolean, detail = ''): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'}  ${what}`);
  if (holds) return;
  console.log(detail);
  process.exitCode = 1;
}

const tell = ({ what, holds, detail }: Finding): void => check(what, holds, detail);

/** Runs a command that goes on until it is told to stop. `use` gets the first URL that it prints. */
async function withRunning(
  folder: string,
  args: readonly string[],
  use: (url: string) => Promise<void>,
): Promise<void> {
  const child = spawn('npx', ['--no-install', 'mcp-reprise', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let url = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    url = /http:\/\/\S+/.exec(chunk.toString())?.[0] ?? '';
    if (url !== '') break;
  }
  child.stdout.resume();
  await use(url);
  const closed = once(child, 'close');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await closed;
  const isStopped = await fetch(url).then(
    () => false,
    () => true,
  );
  check('and ends with Ctrl+C', isStopped);
}

/** The app must answer on the port that was asked for, and end when it is told to. */
async function checkServe(folder: string, args: readonly string[]): Promise<void> {
  await withRunning(folder, [...args, '--port', '0'], async (url) => {
    const page = await fetch(url).then((response) => response.text());
    const what = ['mcp-reprise', ...args].join(' ');
    check(`${what} serves the app`, page.includes('<title>Reprise'), page.slice(0, 300));
  });
}

/** A stdio server without any package. */
const STDIO_SERVER = `
process.stdin.on('data', (chunk) => {
  const { id, params } = JSON.parse(chunk.toString());
  const { protocolVersion } = params;
  const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'packed', version: '1.0.0' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;

/** The link must open the app, and its server must be the one behind stdin and stdout. */
async function checkBridge(folder: string): Promise<void> {
  const file = join(folder, 'stdio-server.mjs');
  await writeFile(file, STDIO_SERVER);
  const args = ['bridge', '--port', '0', '--no-open', '--', 'node', file];
  await withRunning(folder, args, async (link) => {
    const page = await fetch(link).then((response) => response.text());
    check('mcp-reprise bridge serves the app', page.includes('<title>Reprise'), page.slice(0, 300));
    const server = new URLSearchParams(new URL(link).hash.slice(1)).get('server') ?? '';
    const response = await fetch(server, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      }),
    });
    const answer = await response.text();
    check('with a stdio server', answer.includes('"name":"packed"') && answer.startsWith('id: '), answer);
  });
}

const folder = await mkdtemp(join(tmpdir(), 'reprise-package-'));
const target = await startTarget('resumable');
try {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const tarball = join(folder, packed.trim().split('\n').at(-1) ?? '');
  await copyExample(folder);
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', tarball], {
    cwd: folder,
    stdio: 'inherit',
  });

  tell(await measureInstall(folder));
  for (const finding of await lintTarball(tarball)) tell(finding);
  tell(await checkTypes(folder));

  const scenarios = ['reload-mid-call', 'cors'].flatMap((name) => ['--scenario', name]);
  // A busy machine takes seconds to load a page, and must find the call still running.
  const long = ['--tool', 'countdown', '--args', '{"ticks":40,"intervalMs":250}'];
  const verify = await run(
    'npx',
    ['--no-install', 'mcp-reprise', 'verify', target.url, '--json', ...long, ...scenarios],
    folder,
  );
  const report = verify.code === 0 ? (JSON.parse(verify.output) as Report) : undefined;
  check('mcp-reprise verify tests a server', report?.outcome === 'A', verify.output);

  await checkServe(folder, []);
  await checkServe(folder, ['serve']);
  await checkBridge(folder);

  const tests = await run('npx', ['--no-install', 'playwright', 'test', '--workers', '1'], folder, {
    MCP_URL: target.url,
  });
  check('the example project passes against it', tests.code === 0, tests.output);

  await checkPageExample(folder, { check, run });
} finally {
  await target.close();
  await rm(folder, { recursive: true, force: true });
}
