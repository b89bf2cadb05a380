/** A real redis-server for tests: found, or installed where that is possible, and started on a port of its own. */
import { execFileSync, spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const INSTALL_TIMEOUT_MS = 120_000;

export interface RedisServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A sentence that says why there is none, or `undefined`. */
export function whyNoRedis(): string | undefined {
  if (isInstalled()) return undefined;
  if (process.getuid?.() !== 0) return "redis-server isn't installed, and only root can install it";
  try {
    const options = { stdio: 'ignore', timeout: INSTALL_TIMEOUT_MS } as const;
    execFileSync('apt-get', ['update'], options);
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], options);
  } catch {
    return "redis-server isn't installed, and apt-get couldn't install it";
  }
  return isInstalled() ? undefined : "redis-server was installed, but doesn't run";
}

function isInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('Ready to accept connections')) break;
  }
  child.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
