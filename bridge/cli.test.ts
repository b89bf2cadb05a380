import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../targets/testing/eventually.ts';
import { RawClient } from '../targets/testing/rawClient.ts';
import { isResponseFrame } from '../targets/testing/rawStream.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const SERVER = here('testing/stdioServer.mjs');
const ENV = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  CI: '1',
  GIVEN: 'value-of-given',
  KEPT: 'value-of-kept',
};

/** Each command compiles its sources first, and a loaded machine takes its time for that. */
const SLOW_MS = 90_000;

interface Run {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly link: () => Promise<string>;
  readonly ended: Promise<number | null>;
}

/** `mcp-reprise` as a user starts it, with a folder of one page instead of the built app. */
async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-cli-'));
  await writeFile(join(folder, 'index.html'), '<title>the app</title>');
  const child = spawn(process.execPath, ['--import', 'tsx', here('../harness/cli.ts'), ...args], {
    cwd: here('..'),
    env: { ...ENV, REPRISE_SITE: folder, ...env },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const link = async () => {
    const isThere = () => /^Open \S+\n/m.test(out) || child.exitCode !== null;
    await eventually('the link is printed', isThere, SLOW_MS / 2);
    return /^Open (\S+)$/m.exec(out)?.[1] ?? '';
  };
  return { child, out: () => out, link, ended };
}

const serversIn = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).getAll('server');

async function callTool(client: RawClient, tool: string): Promise<string> {
  const frames = await (await client.call(tool, {})).readAll();
  const answer = frames.find(isResponseFrame)?.message as
    | { result: { content: { text: string }[] } }
    | undefined;
  return answer?.result.content[0]?.text ?? '';
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('mcp-reprise bridge', { timeout: SLOW_MS }, () => {
  it('prints a link to the app with the server, passes named variables, and ends everything at Ctrl+C', async () => {
    const bridge = await run(['bridge', '--port', '0', '--env', 'GIVEN', '--', 'node', SERVER]);
    const link = await bridge.link();
    expect(await (await fetch(link)).text()).toContain('the app');
    const [url = ''] = serversIn(link);
    const client = await RawClient.connect(url);
    const environment = await callTool(client, 'environment');
    expect(environment).toContain('value-of-given');
    expect(environment).not.toContain('value-of-kept');
    const pid = Number(await callTool(client, 'pid'));
    const child = Number(await callTool(client, 'fork'));
    bridge.child.kill('SIGINT');
    expect(await bridge.ended).toBe(0);
    expect([pid, child].map(isAlive)).toEqual([false, false]);
    const token = new URL(url).searchParams.get('token') ?? '';
    expect(bridge.out().split('\n').slice(1).join('\n')).not.toContain(token);
    expect(bridge.out()).toMatch(/Environment +HOME PATH, GIVEN/);
    expect(bridge.out()).not.toContain('value-of-');
    expect(bridge.out()).toMatch(/ {2}stdioServer {2}session \w{4} started, process \d+/);
  });

  it('ends with the program that has started it', async () => {
    const bridge = await run(['bridge', '--port', '0', '--quiet', '--', 'node', SERVER]);
    const link = await bridge.link();
    const client = await RawClient.connect(serversIn(link)[0] ?? '');
    const pid = Number(await callTool(client, 'pid'));
    bridge.child.stdin?.end();
    expect(await bridge.ended).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(bridge.out()).toBe(`Open ${link}\n`);
  });

  it('has every server of a configuration at its own path, and says what it skips', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bridge-config-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'mcp.json');
    const servers = {
      'my files': { command: 'node', args: [SERVER], env: { OWN: '${env:GIVEN}' } },
      docs: { url: 'http://127.0.0.1:9/mcp?api_key=hidden-key' },
      mail: { command: 'mail', args: ['${input:password}'] },
    };
    await writeFile(path, JSON.stringify({ servers }));
    const bridge = await run(['bridge', '--port', '0', '--config', path]);
    const urls = serversIn(await bridge.link());
    const paths = urls.map((url) => new URL(url).pathname);
    expect(paths).toEqual(['/mcp/my-files', expect.stringMatching(/^\/mcp\/docs-[0-9a-f]{8}$/)]);
    const client = await RawClient.connect(urls[0] ?? '');
    expect(await callTool(client, 'environment')).toContain('"OWN":"value-of-given"');
    expect(bridge.out()).toContain('mail      skipped: ${input:password} has no value.');
    expect(bridge.out()).not.toContain('hidden-key');
  });

  it('exits with 1 for a command that cannot be started, and with 2 for a port in use', async () => {
    const missing = await run(['bridge', '--', 'no-such-program']);
    expect(await missing.ended).toBe(1);
    expect(missing.out()).toContain(`Can't start "no-such-program"`);
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const taken = await run(['bridge', '--port', String(port), '--', 'node', SERVER]);
    expect(await taken.ended).toBe(2);
    expect(taken.out()).toContain(`Port ${port} is in use.`);
  });
});

describe('mcp-reprise alone', { timeout: SLOW_MS }, () => {
  it('serves the app, and prints where', async () => {
    const app = await run(['--port', '0', '--no-open']);
    expect(await (await fetch(await app.link())).text()).toContain('the app');
    app.child.kill('SIGINT');
    expect(await app.ended).toBe(0);
  });
});
