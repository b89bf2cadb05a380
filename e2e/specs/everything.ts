/** The public reference server, as it comes from the registry, in a process of its own that only this machine can reach. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { freePort } from '../../scripts/lib/freePort.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { test as base } from './inspector.ts';

const require = createRequire(import.meta.url);
const LOOPBACK_ONLY = join(ROOT, 'e2e/conformance/loopbackOnly.mjs');

async function startEverything(): Promise<{ url: string; stop: () => void }> {
  const port = await freePort();
  const script = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const child = spawn(process.execPath, ['--import', LOOPBACK_ONLY, script, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const chunk of child.stderr) if (String(chunk).includes('listening on port')) break;
  if (child.exitCode !== null) throw new Error('server-everything did not start.');
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: () => {
      child.kill('SIGKILL');
    },
  };
}

export const test = base.extend<{ everything: string }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  everything: async ({}, use) => {
    const { url, stop } = await startEverything();
    await use(url);
    stop();
  },
});
