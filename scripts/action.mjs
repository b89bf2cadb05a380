/** The step of the GitHub Action: runs `mcp-reprise` with its inputs, and ends with its exit code. */
import { spawn } from 'node:child_process';
import { actionArguments } from './lib/actionArguments.mjs';

const { env, execPath } = process;
/** The installed package; several words where it has to be run by another program. */
const cli = (env['REPRISE_CLI'] ?? '').split('\n');

try {
  const child = spawn(execPath, [...cli, ...actionArguments(env)], { stdio: 'inherit' });
  // A cancelled job sends SIGINT to the step: the command keeps what it has found, and ends its server.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => child.kill(signal));
  child.on('error', fail);
  child.on('close', (code) => (process.exitCode = code ?? 1));
} catch (error) {
  fail(error);
}

/** @param {unknown} error */
function fail(error) {
  console.log(`::error title=mcp-reprise::${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
