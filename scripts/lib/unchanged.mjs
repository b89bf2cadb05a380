// Remembers with which files a static gate has passed, so that a second run with nothing changed costs nothing.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One hash over every file of the repository and the version of Node. A static gate depends on nothing else: the lock file
 * stands for the packages. A cache by file, as ESLint has one, would miss a type that changed in another file.
 *
 * @param {string} root
 * @returns {string | undefined} undefined without git: then every gate is run
 */
export function hashOfFiles(root) {
  const hash = createHash('sha256').update(process.version);
  try {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
    for (const name of [...new Set(list.split('\0'))].filter((name) => name !== '').sort()) {
      hash.update(`\0${name}\0`).update(contentOf(join(root, name)));
    }
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

/**
 * A file that is deleted and not yet committed is still listed.
 *
 * @param {string} file
 */
function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return 'missing';
  }
}

/** The hash with which each gate has passed, in `node_modules/.cache`. */
export class PassedGates {
  #folder;

  /** @param {string} root */
  constructor(root) {
    this.#folder = join(root, 'node_modules', '.cache', 'reprise-gates');
  }

  /**
   * @param {string} gate
   * @param {string | undefined} hash
   */
  has(gate, hash) {
    try {
      return hash !== undefined && readFileSync(join(this.#folder, gate), 'utf8') === hash;
    } catch {
      return false;
    }
  }

  /**
   * @param {string} gate
   * @param {string | undefined} hash
   */
  add(gate, hash) {
    if (hash === undefined) return;
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, gate), hash);
  }
}
