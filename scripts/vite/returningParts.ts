import { basename } from 'node:path';
import type { Plugin } from 'vite';

interface Options {
  /** The script that asks for the parts, before the app is there. */
  readonly entry: string;
  /** The names of their chunks, first those that are needed first. */
  readonly parts: readonly string[];
}

/**
 * Names the scripts and styles that a page needs which comes back to a server, so that it can ask for all of them at once
 * instead of one after the other. A first visit doesn't need them.
 */
export function returningParts({ entry, parts }: Options): Plugin {
  const name = basename(entry).replace(/\.\w+$/, '');
  return {
    name: 'reprise:returning-parts',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: entry, name });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const files = parts
          .flatMap((part) => chunks.filter((chunk) => chunk.name === part))
          .flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])]);
        const script = chunks.find((chunk) => chunk.name === name)?.fileName ?? '';
        return [
          {
            tag: 'meta',
            attrs: { name: 'returning-parts', content: files.join(' ') },
            injectTo: 'head',
          },
          {
            tag: 'script',
            attrs: { type: 'module', async: true, crossorigin: true, src: `./${script}` },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}
