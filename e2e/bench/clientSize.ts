/** How much JavaScript an app loads with `mcp-reprise/client` until its first result, without tasks and a login. */
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { Measure } from './bench.ts';

const ENTRY = 'virtual:app';
/** What an app imports at the least. */
const APP = "export { indexedDbStore, openClient } from './src/client/public/index.ts';";
const LIMIT_KB = 125;

interface Chunk {
  readonly code: string;
  readonly imports: readonly string[];
}

export async function measureClientSize(): Promise<readonly Measure[]> {
  const chunks = await buildApp();
  const loaded = new Set<string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const one of chunks.get(name)?.imports ?? []) load(one);
  };
  const sizeKB = () =>
    [...loaded].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '').length, 0) / 1000;
  load('app.js');
  const initialKB = sizeKB();
  load('ownedServer.js');
  load('connection.js');
  return [
    {
      name: 'clientJsKB',
      value: sizeKB(),
      limit: LIMIT_KB,
      detail: `gzipped, mcp-reprise/client with the SDK until the first result; ${initialKB.toFixed(1)} of it at once`,
    },
  ];
}

async function buildApp(): Promise<ReadonlyMap<string, Chunk>> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === ENTRY ? 'app-entry.ts' : undefined),
        load: (id) => (id === 'app-entry.ts' ? APP.replace('./', `${process.cwd()}/`) : undefined),
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
  return new Map(outputs.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])));
}
