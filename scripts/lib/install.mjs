import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { runNpm } from './run.mjs';

/** @typedef {{ packages?: Record<string, { version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }> }} Lock */

/**
 * Why node_modules does not hold what package-lock.json asks for; `undefined` if it does.
 *
 * @param {Lock | undefined} wanted package-lock.json
 * @param {Lock | undefined} installed node_modules/.package-lock.json, which npm writes when an install is complete
 * @returns {string | undefined}
 */
export function whyInstall(wanted, installed) {
  if (!installed?.packages) return 'first run';
  for (const [path, entry] of Object.entries(wanted?.packages ?? {})) {
    // '' is the project itself; optional packages are for other systems, or not needed.
    if (path === '' || entry.optional === true || entry.devOptional === true) continue;
    const found = installed.packages[path];
    const name = path.replace(/^.*node_modules\//, '');
    if (!found) return `${name} is missing`;
    if (found.version !== entry.version || found.integrity !== entry.integrity) {
      return `${name} is ${String(found.version)}, not ${String(entry.version)}`;
    }
  }
  return undefined;
}

/**
 * @param {string} path
 * @returns {Lock | undefined}
 */
function readLock(path) {
  try {
    return /** @type {Lock} */ (JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Missing or cut off: both mean that there is nothing to rely on.
    return undefined;
  }
}

/** Installs the packages if they are missing or not those of package-lock.json. */
export async function ensureInstalled() {
  const why = whyInstall(
    readLock(join(ROOT, 'package-lock.json')),
    readLock(join(ROOT, 'node_modules', '.package-lock.json')),
  );
  if (why === undefined) return;

  console.log(`Installing packages (${why})…`);
  // Exactly what the lock file has, each package checked against its hash. `--include=dev` is for NODE_ENV=production.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output, durationMs } = await runNpm(args);
  if (code !== 0) {
    process.stderr.write(output);
    throw new Error('npm ci failed. See the output above, check your network, and try again.');
  }
  console.log(`Installed in ${Math.round(durationMs / 1000)} s.`);
}
