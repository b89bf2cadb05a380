import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const DIST = join(ROOT, 'dist');

/**
 * The script behind a package's command, to be run by this Node: `.bin` holds shell scripts on Windows.
 *
 * @param {string} packageName
 * @param {string} [command] where it is not named like the package
 */
export function commandOf(packageName, command = packageName) {
  const folder = join(ROOT, 'node_modules', packageName);
  const manifest = /** @type {{ bin: string | Record<string, string> }} */ (
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  );
  const { bin } = manifest;
  const file = typeof bin === 'string' ? bin : bin[command];
  if (file === undefined) throw new Error(`The package ${packageName} has no command ${command}.`);
  return join(folder, file);
}
