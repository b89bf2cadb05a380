/** `npm run build:package`: everything that the npm package holds and the repository does not. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DIST, ROOT, commandOf } from '../lib/paths.mjs';
import { runNode } from '../lib/run.mjs';
import { reportSchema } from '../../harness/report/parseReport.ts';

const LIB = join(ROOT, 'lib');
const TYPES = join(LIB, 'types');
const EMITTED = join(LIB, 'emitted');

async function step(what: string, command: readonly string[]): Promise<void> {
  const { code, output } = await runNode(command);
  if (code !== 0) throw new Error(`${what} failed:\n${output}`);
}

/** TypeScript leaves `.ts` in the imports of declarations, where a reader has only `.d.ts`. */
async function renameImports(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/(['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2'));
  }
}

/** Copies a declaration file with all that it imports, types within the text (`import('./x.ts').X`) too. */
async function copyDeclarations(file: string, copied = new Set<string>()): Promise<void> {
  if (copied.has(file)) return;
  copied.add(file);
  const text = await readFile(join(EMITTED, file), 'utf8');
  await mkdir(dirname(join(TYPES, file)), { recursive: true });
  await writeFile(join(TYPES, file), text);
  for (const [, path = ''] of text.matchAll(/(?:from |import\()['"](\.{1,2}\/[^'"]+)\.[jt]s['"]/g)) {
    await copyDeclarations(join(dirname(file), `${path}.d.ts`), copied);
  }
}

await rm(LIB, { recursive: true, force: true });
await step('App build', [commandOf('vite'), 'build', '--outDir', DIST]);
await step('Harness build', [commandOf('vite'), 'build', '--config', 'scripts/package/vite.config.ts']);
const client = [commandOf('vite'), 'build', '--config', 'scripts/package/client.vite.config.ts'];
await step('Client build', client);
await step('Standalone client build', [...client, '--mode', 'standalone']);
await step('Type declarations', [commandOf('typescript', 'tsc'), '-p', 'scripts/package/tsconfig.json']);
await copyDeclarations('harness/playwright/index.d.ts');
await copyDeclarations('src/client/public/index.d.ts');
await rm(EMITTED, { recursive: true });
await renameImports(TYPES);
await writeFile(join(LIB, 'report.schema.json'), `${JSON.stringify(reportSchema(), undefined, 2)}\n`);
