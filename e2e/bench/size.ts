/** How much JavaScript a first visit with a connection loads. The service worker and its demo load beside it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Measure } from './bench.ts';

export async function measureSize(folder: string): Promise<readonly Measure[]> {
  const assets = join(folder, 'assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const sizes = await Promise.all(
    scripts.map(async (name) => gzipSync(await readFile(join(assets, name))).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  return [
    {
      name: 'initialJsKB',
      value: total,
      limit: 180,
      detail: `gzipped, all ${scripts.length} scripts together`,
    },
  ];
}
