// MCP Apps, skills and the history of interfaces are loaded when they're first needed. The first load only has what finds
// out that they're needed.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { ROOT } from '../lib/paths.mjs';

/** What is imported by name is loaded with its importer; types and what is imported by a call are not. */
const STATIC = /^[ \t]*(?:import|export)\b(?!\s+type\b)(?:[^'";]*?\bfrom\s*)?\s*'(\.[^']+\.(?:ts|svelte))'/gm;
const PARTS =
  /^src\/(?:apps|state\/apps|ui\/apps|ui\/skills|ui\/interface)\/|\/catalog\/(?:skills|interface)\/|serverApps|appViews|appLine|skillsView|interfaceView|inspector\/(?:interface|declared)|DeclaredPanel/;

function firstLoad(): readonly string[] {
  const found = new Set([join(ROOT, 'src/main.ts')]);
  for (const file of found) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATIC)) {
      const next = join(dirname(file), name);
      if (existsSync(next)) found.add(next);
    }
  }
  return [...found].map((file) => relative(ROOT, file).replaceAll('\\', '/')).sort();
}

const codeOf = async (name: string): Promise<string> => {
  const text = readFileSync(join(ROOT, name), 'utf8');
  return name.endsWith('.ts') ? (await transformWithOxc(text, name)).code : text;
};

test('the first load has no more of them than it needs, and less than 3 KB', async () => {
  const all = firstLoad();
  const parts = all.filter((name) => PARTS.test(name));
  expect(parts).toEqual([
    'src/apps/toolView.ts',
    'src/client/catalog/skills/skillTypes.ts',
    'src/log/state/appViews.ts',
    'src/state/serverApps.ts',
  ]);
  const sizeOf = async (names: readonly string[]) =>
    gzipSync((await Promise.all(names.map(codeOf))).join('\n')).length;
  const grown = (await sizeOf(all)) - (await sizeOf(all.filter((name) => !parts.includes(name))));
  expect(grown).toBeGreaterThan(0);
  expect(grown).toBeLessThan(3000);
});
