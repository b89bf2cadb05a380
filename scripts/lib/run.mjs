import { spawn } from 'node:child_process';
import process from 'node:process';
import { ROOT } from './paths.mjs';

/**
 * @typedef {object} Outcome
 * @property {number} code 0 if all went well; a process that could not start, or was killed, has 1
 * @property {string} output standard output and error, as they came
 * @property {number} durationMs
 */

/**
 * Runs a program to its end. Never throws: a program that cannot be started is an outcome like any other.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, show?: boolean, timeoutMs?: number, shell?: boolean }} [options]
 *   show: pass the output on as it comes
 * @returns {Promise<Outcome>}
 */
export function run(command, args, { env = {}, show = false, timeoutMs, shell = false } = {}) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
    });

    /** @param {Buffer} chunk */
    const take = (chunk) => {
      output += chunk.toString();
      if (show) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);

    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            output += `\nTimed out after ${Math.round(timeoutMs / 1000)} s.\n`;
            child.kill('SIGKILL');
          }, timeoutMs);

    /** @param {number} code */
    const end = (code) => {
      clearTimeout(timer);
      resolve({ code, output, durationMs: performance.now() - startedAt });
    };
    child.on('error', (error) => {
      output += `${error.message}\n`;
      end(1);
    });
    child.on('close', (code) => end(code ?? 1));
  });
}

/**
 * @param {readonly string[]} args a script and its arguments
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runNode = (args, options) => run(process.execPath, args, options);

/**
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runNpm(args, options) {
  // Under `npm start` this is npm's own script: the same npm, and no shell, on every system.
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return runNode([script, ...args], options);
  return run('npm', args, { ...options, shell: process.platform === 'win32' });
}
