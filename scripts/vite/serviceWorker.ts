import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import type { Site } from '../../src/demo/appFiles.ts';

interface Options {
  /** The entry, relative to the project's root. */
  readonly entry: string;
  /** Its name at the site's root, which makes the whole site its scope. */
  readonly fileName: string;
  /** Pages of versions below this one update without a question: it fixes a security problem. */
  readonly requiredBelow?: string | undefined;
}

interface Bundle {
  readonly code: string;
  readonly sources: ReadonlySet<string>;
}

/**
 * A service worker as one classic script: not every browser takes a module as a service worker, and a script that
 * is split into chunks would not be compared as a whole when the browser looks for a new version.
 */
export function serviceWorker({ entry, fileName, requiredBelow }: Options): Plugin {
  if (requiredBelow !== undefined && !/^\d+\.\d+\.\d+$/.test(requiredBelow)) {
    throw new Error(
      `updateRequiredBelow in package.json must look like 1.2.3, but it is "${requiredBelow}".`,
    );
  }
  let config: ResolvedConfig;

  /** @param site what the worker keeps for the time without a network; none of it while the code changes */
  async function bundle(site: Site): Promise<Bundle> {
    const output = await build({
      configFile: false,
      root: config.root,
      mode: config.mode,
      logLevel: 'warn',
      publicDir: false,
      define: {
        ...config.define,
        __REPRISE_SITE__: JSON.stringify(site),
        'process.env.NODE_ENV': JSON.stringify(config.isProduction ? 'production' : 'development'),
      },
      build: {
        write: false,
        minify: config.isProduction,
        target: config.build.target,
        // As a library: a page's build adds helpers that look for a document.
        lib: { entry, formats: ['iife'], name: 'worker', fileName: () => fileName },
        rolldownOptions: { output: { codeSplitting: false } },
      },
    });
    const first = Array.isArray(output) ? output[0] : output;
    const chunk = first && 'output' in first ? first.output[0] : undefined;
    if (!chunk) throw new Error(`${entry} was bundled to nothing.`);
    return { code: chunk.code, sources: new Set(chunk.moduleIds) };
  }

  return {
    name: 'reprise:service-worker',
    configResolved(resolved) {
      config = resolved;
    },

    generateBundle: {
      // After everybody else has said what belongs to the site.
      order: 'post',
      async handler(_options, site) {
        const made = Object.keys(site).filter((name) => !/\.(map|html|json)$/.test(name));
        const copied = config.publicDir === '' ? [] : await readdir(config.publicDir).catch(() => []);
        const files = ['./', ...[...made, ...copied].sort()];
        // What a build makes has its hash in its name. The pages, and what is copied, are told apart by what is in them.
        const version = createHash('sha256').update(files.join('\n'));
        for (const file of Object.values(site)) {
          if (file.type === 'asset' && file.fileName.endsWith('.html')) version.update(file.source);
        }
        for (const name of copied.sort()) version.update(await readFile(join(config.publicDir, name)));
        const { code } = await bundle({
          version: version.digest('hex').slice(0, 16),
          files,
          ...(requiredBelow !== undefined && { requiredBelow }),
        });
        this.emitFile({ type: 'asset', fileName, source: code });
      },
    },

    configureServer(server) {
      let current: Promise<Bundle> | undefined;
      server.watcher.on('all', (_event, path) => {
        void current?.then(
          ({ sources }) => {
            if (sources.has(path)) current = undefined;
          },
          () => {
            // It did not build; any change may be the repair.
            current = undefined;
          },
        );
      });
      server.middlewares.use(`/${fileName}`, (_request, response, next) => {
        current ??= bundle({ version: 'dev', files: [] });
        current.then(({ code }) => {
          response.setHeader('content-type', 'text/javascript');
          response.setHeader('cache-control', 'no-cache');
          response.end(code);
        }, next);
      });
    },
  };
}
