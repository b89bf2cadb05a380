import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/lib/freePort.mjs';
import { startServer } from './startServer.ts';

/** Listens a little late. */
const SERVER = `
const port = Number(process.argv[2]);
setTimeout(() => require('node:net').createServer().listen(port, '127.0.0.1'), 200);`;
const DYING = `
for (let line = 1; line <= 30; line += 1) console.log('line ' + line);
console.error('no database');
process.exitCode = 3;`;
const SILENT = 'setTimeout(() => undefined, 30_000);';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reprise-start-'));
  await writeFile(join(folder, 'server.cjs'), SERVER);
  await writeFile(join(folder, 'dying.cjs'), DYING);
  await writeFile(join(folder, 'silent.cjs'), SILENT);
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

const node = (file: string): string => `"${process.execPath}" "${join(folder, file)}"`;

/** A process that has ended may still have a number, but no port. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

describe('--start', () => {
  test('waits for the port, and ends the server behind the shell too', async () => {
    const port = await freePort();
    const command = `echo starting && ${node('server.cjs')} ${port}`;
    const server = await startServer(command, `http://127.0.0.1:${port}/mcp`, { timeoutMs: 10_000 });
    expect(await isListening(port)).toBe(true);
    expect(server.whyDied()).toBeUndefined();
    await server.close();
    await expect.poll(() => isListening(port)).toBe(false);
  });

  test('shows the last lines of a server that dies', async () => {
    const port = await freePort();
    const failed = startServer(node('dying.cjs'), `http://127.0.0.1:${port}/mcp`, { timeoutMs: 10_000 });
    await expect(failed).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/ended \(exit code 3\)\. Its last lines:\n[^]*line 30\n?[^]*/),
    });
    await expect(failed).rejects.toThrow('no database');
    await expect(failed).rejects.not.toThrow('line 5\n');
  });

  test('gives up on a server that never listens', async () => {
    const port = await freePort();
    const failed = startServer(node('silent.cjs'), `http://127.0.0.1:${port}/mcp`, { timeoutMs: 300 });
    await expect(failed).rejects.toThrow(
      `didn't listen on 127.0.0.1:${port} within 0.3 s. It printed nothing.`,
    );
  });

  test('does not test another server that listens there already', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const failed = startServer(node('silent.cjs'), `http://127.0.0.1:${port}/mcp`, { timeoutMs: 300 });
    await expect(failed).rejects.toThrow(`A server is already running on 127.0.0.1:${port}.`);
    other.close();
  });
});
