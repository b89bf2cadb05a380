// npm run build [-- --outDir <folder>]: the static site, in dist/ by default, with what a host needs.
import './lib/requireNode.mjs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeHostFiles } from './lib/hostFiles.mjs';
import { main } from './lib/main.mjs';
import { commandOf, DIST, ROOT } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

await main(async () => {
  const { values } = parseArgs({ options: { outDir: { type: 'string', default: DIST } } });
  const folder = resolve(ROOT, values.outDir);
  const { code } = await runNode([commandOf('vite'), 'build', '--outDir', folder], { show: true });
  if (code !== 0) return code;
  await writeHostFiles(folder);
  return 0;
});
