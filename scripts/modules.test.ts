// A module is something that one reads in one sitting.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './lib/paths.mjs';

const MAX_LINES = 300;

const modules = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(ts|svelte)$/.test(path) && !/\.(test|explore)\.ts$|(^|[\\/])testing[\\/]/.test(path))
  .map((path) => {
    const file = join('src', path).replaceAll('\\', '/');
    return { file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 };
  });

test(`no module of src has more than ${MAX_LINES} lines`, () => {
  expect(modules.length).toBeGreaterThan(400);
  const long = modules.filter(({ lines }) => lines > MAX_LINES);
  expect(long.map(({ file, lines }) => `${file}: ${lines}`)).toEqual([]);
});
