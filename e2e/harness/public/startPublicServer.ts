/** Installs the public servers into a cache of their own, and starts one of them on a free port of this machine. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../scripts/lib/freePort.mjs';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { PACKAGES, type PublicServer } from './servers.ts';

const CACHE = join(ROOT, 'node_modules/.cache/public-servers');
const READY_WITHIN_MS = 30_000;

/** Most examples have their port written into them; this puts another in its place as they listen. */
const MOVE_PORT = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (port, ...rest) {
    const moved = Number(process.env.REPRISE_PUBLIC_PORT);
    if (typeof port === 'object' && port !== null) return listen.call(this, { ...port, port: moved }, ...rest);
    return listen.call(this, moved, ...rest);
  };
`)}`;

export function installPublicServers(): void {
  const isThere = Object.entries(PACKAGES).every(([name, version]) => {
    const manifest = join(CACHE, 'node_modules', name, 'package.json');
    if (!existsSync(manifest)) return false;
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version === version;
  });
  if (isThere) return;
  mkdirSync(CACHE, { recursive: true });
  // A manifest of its own keeps npm from looking for one further up.
  writeFileSync(join(CACHE, 'package.json'), '{ "private": true }\n');
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', CACHE, ...wanted], {
    stdio: 'inherit',
  });
}

export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPublicServer({
  from,
  script,
  scriptArgs = [],
}: PublicServer): Promise<RunningServer> {
  const port = await freePort();
  const path = join(CACHE, 'node_modules', from, script);
  const child = spawn(process.execPath, ['--import', MOVE_PORT, path, ...scriptArgs], {
    cwd: CACHE,
    env: { ...process.env, REPRISE_PUBLIC_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)));
  const ended = once(child, 'exit');
  // Some check the Host header and know only one of the two names.
  const url = `http://localhost:${port}/mcp`;
  for (const endsAt = Date.now() + READY_WITHIN_MS; ;) {
    if (await answers(url)) break;
    if (child.exitCode !== null || Date.now() > endsAt) {
      child.kill();
      throw new Error(`${path} did not start:\n${errors}`);
    }
    await pause(100);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      const left = await Promise.race([ended.then(() => true), pause(3000, false)]);
      if (!left) child.kill('SIGKILL');
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { method: 'OPTIONS' })).body?.cancel();
    return true;
  } catch {
    return false;
  }
}
