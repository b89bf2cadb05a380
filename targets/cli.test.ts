import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROFILES } from './profiles/index.ts';
import { RawClient } from './testing/rawClient.ts';

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url));

function start(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  return child;
}

async function run(...args: string[]) {
  const child = start(...args);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (bytes) => (stdout += String(bytes)));
  child.stderr.on('data', (bytes) => (stderr += String(bytes)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

describe('npm run target', { timeout: 60_000 }, () => {
  it('prints where it is ready, serves, logs JSON on stderr, and stops when told to', async () => {
    const child = start('resumable');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ready = String((await lines.next()).value);
    expect(ready).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const logged = once(createInterface({ input: child.stderr }), 'line') as Promise<[string]>;
    const client = await RawClient.connect(ready.slice('ready '.length));
    expect(await client.request('tools/list')).toHaveProperty('result');
    expect(JSON.parse((await logged)[0])).toMatchObject({
      level: expect.any(String),
      event: expect.any(String),
    });
    // With a call and two streams open: a graceful stop leaves no timer that would keep the process.
    const stream = await client.call('countdown', { ticks: 100, intervalMs: 1000 });
    await Promise.all([stream.next(), (await client.get()).next()]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('lists every profile with a line', async () => {
    const { code, stdout } = await run('--list');
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(PROFILES.map(({ name }) => name));
  });

  it('has a row in the README for every profile', () => {
    const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
    const [, profiles = ''] = /## Profiles\n(.*?)\n## /s.exec(readme) ?? [];
    const rows = [...profiles.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
    expect(rows).toEqual(PROFILES.map(({ name }) => name));
  });

  it('says in a sentence that a profile is unknown, and exits with 2', async () => {
    expect(await run('nonsense')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Unknown profile "nonsense". See --list.\n',
    });
  });

  it('says in a sentence which log levels there are, and exits with 2', async () => {
    const { code, stderr } = await run('resumable', '--log-level', 'loud');
    expect(code).toBe(2);
    expect(stderr).toContain('"loud" isn\'t a log level. Available: debug, info, warn, error.');
  });

  it('says in a sentence that a port is taken, and exits with 2', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await run('resumable', '--quiet', '--port', String(port));
    expect(code).toBe(2);
    expect(stderr).toContain(`Port ${port} is in use.`);
  });

  it('shows its usage when it is called wrongly', async () => {
    const wrong = [[], ['resumable', '--port', 'x'], ['resumable', '--nonsense']];
    for (const { code, stderr } of await Promise.all(wrong.map((args) => run(...args)))) {
      expect(code).toBe(2);
      expect(stderr).toContain('Usage: npm run target');
    }
  });
});
