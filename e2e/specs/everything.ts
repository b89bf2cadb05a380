/** The public reference server, as it comes from the registry, in a process of its own that only this machine can reach. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { freePort } from '../../scripts/lib/freePort.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { test as base } from './inspector.ts';

const require = createRequire(import.meta.url);
const LOOPBACK_ONLY = join(ROOT, 'e2e/conformance/loopbackOnly.mjs');
const STEPPED = join(ROOT, 'e2e/specs/steppedTimers.mjs');

export interface Everything {
  readonly url: string;
  /** Its timers fire: for the roots, once, and for a simulated log message. */
  readonly step: () => void;
  readonly stop: () => void;
}

async function startEverything(isStepped = false): Promise<Everything> {
  const port = await freePort();
  const script = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const preloads = [LOOPBACK_ONLY, ...(isStepped ? [STEPPED] : [])].flatMap((path) => ['--import', path]);
  const child = spawn(process.execPath, [...preloads, script, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (!child.stderr) throw new Error('server-everything has no stderr.');
  for await (const chunk of child.stderr) if (String(chunk).includes('listening on port')) break;
  if (child.exitCode !== null) throw new Error('server-everything did not start.');
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    step: () => {
      child.send('step');
    },
    stop: () => {
      child.kill('SIGKILL');
    },
  };
}

export const test = base.extend<{ everything: string; steppedEverything: Everything }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  everything: async ({}, use) => {
    const { url, stop } = await startEverything();
    await use(url);
    stop();
  },

  // eslint-disable-next-line no-empty-pattern -- as above
  steppedEverything: async ({}, use) => {
    const server = await startEverything(true);
    await use(server);
    server.stop();
  },
});
