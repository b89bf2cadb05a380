/** Starts a public server from a clean start: installed packages, a new working folder, a free port of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findChromium } from '../../../scripts/lib/chromium.mjs';
import { freePort } from '../../../scripts/lib/freePort.mjs';
import { install } from './install.ts';
import type { PublicServer } from './servers.ts';

const READY_WITHIN_MS = 90_000;
const PROGRAMS = join(import.meta.dirname, 'programs');

/** Some have their port written into them; this puts another in its place as they listen. */
const MOVE_PORT = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (port, ...rest) {
    const moved = Number(process.env.PORT);
    if (typeof port === 'object' && port !== null) return listen.call(this, { ...port, port: moved }, ...rest);
    return listen.call(this, moved, ...rest);
  };
`)}`;

export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPublicServer(server: PublicServer): Promise<RunningServer> {
  const installed = install(server);
  const folder = mkdtempSync(join(tmpdir(), 'reprise-public-'));
  const port = await freePort();
  const { run, language, path = '/mcp' } = server;
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  if (run.kind === 'program') cpSync(PROGRAMS, folder, { recursive: true });
  if (language === 'TypeScript') symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  const args: string[] = [];
  for (const arg of run.args ?? []) {
    args.push(arg === '$CHROMIUM' ? await chromiumPath() : arg.replace('$PORT', String(port)));
  }
  const file = run.kind === 'program' ? join(folder, run.file) : join(folder, 'node_modules', run.file);
  const command = language === 'Python' ? join(installed, 'venv/bin/python') : process.execPath;
  const moved = run.kind === 'package' && run.movesPort === true ? ['--import', MOVE_PORT] : [];
  const child = spawn(command, [...moved, file, ...args], {
    cwd: folder,
    // A group of its own, as some start other processes.
    detached: true,
    env: { ...process.env, PORT: String(port), ...(run.kind === 'package' && run.env) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-3000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    signal(child.pid, 'SIGTERM');
    const left = await Promise.race([ended.then(() => true), pause(3000, false)]);
    if (!left) signal(child.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  // Some check the Host header and accept only one of the two names.
  const url = `http://localhost:${port}${path}`;
  for (const endsAt = Date.now() + READY_WITHIN_MS; !(await answers(url));) {
    if (child.exitCode !== null || Date.now() > endsAt) {
      await stop();
      throw new Error(`${server.name} didn't start:\n${output}`);
    }
    await pause(200);
  }
  return { url, stop };
}

async function chromiumPath(): Promise<string> {
  const found = await findChromium({ mayInstall: false });
  if (found.kind !== 'use') throw new Error('Chromium not found. This server needs it.');
  return found.path;
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended by itself.
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { method: 'OPTIONS' })).body?.cancel();
    return true;
  } catch {
    return false;
  }
}
