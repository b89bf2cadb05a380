/** How much JavaScript a first visit loads, and how much more the first connection does. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Measure } from './bench.ts';

const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;
/** What is imported by name is loaded with its importer; what is imported by a call is not. */
const STATIC = /(?:from|import)\s*"(\.[^"]+\.js)"/g;
/** Loaded by every visit that connects, and by no other name that would stay. */
const CONNECTION = /import\(\s*[`"](\.\/connection-[^`"]+\.js)[`"]/;

export async function measureSize(folder: string): Promise<readonly Measure[]> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const scripts = new Map<string, string>();
  const add = async (path: string): Promise<void> => {
    if (scripts.has(path)) return;
    const text = await readFile(path, 'utf8');
    scripts.set(path, text);
    for (const [, name = ''] of text.matchAll(STATIC)) await add(join(dirname(path), name));
  };
  const sizeKB = () => [...scripts.values()].reduce((sum, text) => sum + gzipSync(text).length, 0) / 1000;
  await add(join(folder, ENTRY.exec(page)?.[1] ?? ''));
  const initial = { scripts: scripts.size, sizeKB: sizeKB() };
  for (const [path, text] of [...scripts]) {
    const connection = CONNECTION.exec(text)?.[1];
    if (connection !== undefined) await add(join(dirname(path), connection));
  }
  return [
    {
      name: 'initialJsKB',
      value: initial.sizeKB,
      limit: 180,
      detail: `gzipped, ${initial.scripts} scripts before the first paint`,
    },
    {
      name: 'connectedJsKB',
      value: sizeKB(),
      limit: 240,
      detail: `gzipped, ${scripts.size} scripts with a connection: the SDK comes beside the first paint`,
    },
  ];
}
