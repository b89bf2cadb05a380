import { readdir } from 'node:fs/promises';
import { build, type Plugin, type ResolvedConfig } from 'vite';

interface Options {
  /** The entry, relative to the project's root. */
  readonly entry: string;
  /** Its name at the site's root, which makes the whole site its scope. */
  readonly fileName: string;
}

interface Bundle {
  readonly code: string;
  readonly sources: ReadonlySet<string>;
}

/**
 * A service worker as one classic script: not every browser takes a module as a service worker, and a script that
 * is split into chunks would not be compared as a whole when the browser looks for a new version.
 */
export function serviceWorker({ entry, fileName }: Options): Plugin {
  let config: ResolvedConfig;

  /** @param files what the worker keeps for the time without a network; none of it while the code changes */
  async function bundle(files: readonly string[]): Promise<Bundle> {
    const output = await build({
      configFile: false,
      root: config.root,
      mode: config.mode,
      logLevel: 'warn',
      publicDir: false,
      define: {
        ...config.define,
        __REPRISE_FILES__: JSON.stringify(files),
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
        const { code } = await bundle(['./', ...[...made, ...copied].sort()]);
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
        current ??= bundle([]);
        current.then(({ code }) => {
          response.setHeader('content-type', 'text/javascript');
          response.setHeader('cache-control', 'no-cache');
          response.end(code);
        }, next);
      });
    },
  };
}
