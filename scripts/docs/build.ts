/** `npm run docs [-- --out <folder>]`: writes the docs as a static site, to `docs-site` by default. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../lib/paths.mjs';
import { readPages } from './pages.ts';
import { makeSite } from './site.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'docs-site' } } });
const out = resolve(ROOT, values.out);
const pages = readPages().filter(({ path }) => !path.startsWith('.github/'));
const { files, images } = makeSite(pages);
for (const { path, text } of files) {
  await mkdir(dirname(join(out, path)), { recursive: true });
  await writeFile(join(out, path), text);
}
for (const path of images) {
  await mkdir(dirname(join(out, path)), { recursive: true });
  await copyFile(join(ROOT, path), join(out, path));
}
console.log(`Wrote ${files.length} pages to ${out}`);
