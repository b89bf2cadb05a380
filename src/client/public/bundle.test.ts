import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

it(
  'a page with the public client has nothing of Svelte, of the UI or of the timeline’s drawing',
  { timeout: 120_000 },
  async () => {
    const built = await build({
      root: ROOT,
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: {
        write: false,
        minify: false,
        lib: { entry: join(import.meta.dirname, 'index.ts'), formats: ['es'], fileName: 'index' },
      },
    });
    const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
      'output' in one ? one.output : [],
    );
    const modules = outputs.flatMap((one) => (one.type === 'chunk' ? Object.keys(one.modules) : []));
    expect(modules.length).toBeGreaterThan(100);
    const foreign = modules.filter((id) =>
      /node_modules\/(svelte|@codemirror|marked)\/|src\/(ui|state|demo|limited)\//.test(id),
    );
    expect(foreign).toEqual([]);
    // A worker or a style sheet would be a file that the app around it has to serve.
    expect(outputs.filter(({ type }) => type === 'asset').map(({ fileName }) => fileName)).toEqual([]);
  },
);
