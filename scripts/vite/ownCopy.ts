import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

interface Options {
  /** The modules that use the copy. */
  readonly by: RegExp;
  /** The packages that are copied for them. */
  readonly packages: RegExp;
}

const COPY = '?own-copy';

/**
 * Gives rare parts of the app their own copy of a package. A module is never split: what they use of it would else be
 * loaded by all that use any of it.
 */
export function ownCopy({ by, packages }: Options): Plugin {
  return {
    name: 'reprise:own-copy',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (importer === undefined) return undefined;
      const isCopied = importer.endsWith(COPY);
      if (!isCopied && !by.test(importer)) return undefined;
      const from = isCopied ? importer.slice(0, -COPY.length) : importer;
      const found = await this.resolve(source, from, { ...options, skipSelf: true });
      return found && packages.test(found.id) ? { ...found, id: found.id + COPY } : found;
    },
    load: (id) => (id.endsWith(COPY) ? readFile(id.slice(0, -COPY.length), 'utf8') : undefined),
  };
}
