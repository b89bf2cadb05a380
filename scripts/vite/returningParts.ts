import type { Plugin } from 'vite';

/**
 * Names the scripts that a page needs which comes back to a server, so that it can ask for all of them at once instead of
 * one after the other. A first visit doesn't need them.
 */
export function returningParts(names: readonly string[]): Plugin {
  return {
    name: 'reprise:returning-parts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const files = Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' && names.includes(file.name) ? [file.fileName] : [],
        );
        const attrs = { name: 'returning-parts', content: files.sort().join(' ') };
        return [{ tag: 'meta', attrs, injectTo: 'head' }];
      },
    },
  };
}
