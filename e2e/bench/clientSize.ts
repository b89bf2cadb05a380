/** How much JavaScript an app loads with `mcp-reprise/client` until its first result, without tasks and a login. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { Measure } from './bench.ts';

const ENTRY = 'virtual:app';
const LIMIT_KB = 90;
const PACKAGE_CONFIG = 'scripts/package/client.vite.config.ts';

interface Chunk {
  readonly fileName: string;
  readonly code: string;
  readonly imports: readonly string[];
  readonly modules: Readonly<Record<string, unknown>>;
}

export async function measureClientSize(): Promise<readonly Measure[]> {
  // Inside of the repository: the SDK is found from there.
  const folder = mkdtempSync(join(process.cwd(), 'node_modules', '.client-size-'));
  try {
    await build({ configFile: PACKAGE_CONFIG, logLevel: 'error', build: { outDir: folder } });
    return [measure(await buildApp(join(folder, 'index.js')))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(chunks: readonly Chunk[]): Measure {
  const loaded = new Set<Chunk>();
  const load = (chunk: Chunk | undefined): void => {
    if (!chunk || loaded.has(chunk)) return;
    loaded.add(chunk);
    for (const name of chunk.imports) load(chunks.find(({ fileName }) => fileName === name));
  };
  const sizeKB = () => [...loaded].reduce((sum, { code }) => sum + gzipSync(code).length, 0) / 1000;
  load(chunks.find(({ fileName }) => fileName === 'app.js'));
  const initialKB = sizeKB();
  const connection = chunks.find(({ modules }) =>
    Object.keys(modules).some((id) => /[\\/]connection-[^\\/]*\.js$/.test(id)),
  );
  if (!connection) throw new Error('The package has no part for connections.');
  load(connection);
  return {
    name: 'clientJsKB',
    value: sizeKB(),
    limit: LIMIT_KB,
    detail: `gzipped, ${loaded.size} files of an app with mcp-reprise/client and the SDK, until the first result; ${initialKB.toFixed(1)} of it at once`,
  };
}

/** An app of Vite that imports the least that one needs, from the package as it is published. */
async function buildApp(client: string): Promise<readonly Chunk[]> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === ENTRY ? 'app-entry.ts' : undefined),
        load: (id) =>
          id === 'app-entry.ts'
            ? `export { indexedDbStore, openClient } from ${JSON.stringify(client)};`
            : undefined,
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: { app: ENTRY },
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    'output' in one ? one.output : [],
  );
  return outputs.filter((one) => one.type === 'chunk');
}
