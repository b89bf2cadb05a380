// A module is something that one reads in one sitting.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { constructorClosures } from './lib/constructorClosures.ts';
import { ROOT } from './lib/paths.mjs';

const MAX_LINES = 300;
const MAX_CLOSURES = 8;
const MAX_UNTESTED_LINES = 150;

const modules = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(ts|svelte)$/.test(path) && !/\.(test|explore)\.ts$|(^|[\\/])testing[\\/]/.test(path))
  .map((path) => {
    const file = join('src', path).replaceAll('\\', '/');
    const text = readFileSync(join(ROOT, file), 'utf8');
    return { file, text, lines: text.split('\n').length - 1 };
  });

test(`no module of src has more than ${MAX_LINES} lines`, () => {
  expect(modules.length).toBeGreaterThan(400);
  const long = modules.filter(({ lines }) => lines > MAX_LINES);
  expect(long.map(({ file, lines }) => `${file}: ${lines}`)).toEqual([]);
});

test(`no constructor in src makes more than ${MAX_CLOSURES} closures`, () => {
  const classes = modules
    .filter(({ file, text }) => file.endsWith('.ts') && /^(export )?(abstract )?class /m.test(text))
    .flatMap(({ file, text }) => constructorClosures(file, text).map((found) => ({ file, ...found })));
  expect(classes.length).toBeGreaterThan(100);
  const tangled = classes.filter(({ closures }) => closures > MAX_CLOSURES);
  expect(tangled.map(({ file, name, closures }) => `${file}: ${name} has ${closures}`)).toEqual([]);
});

test(`every module of the client and the log above ${MAX_UNTESTED_LINES} lines has a test beside it`, () => {
  const untested = modules
    .filter(({ file, lines }) => /^src\/(client|log)\/.*\.ts$/.test(file) && lines > MAX_UNTESTED_LINES)
    .filter(({ file, text }) => !existsSync(join(ROOT, file.replace(/\.ts$/, '.test.ts'))) && runs(text))
    .map(({ file }) => file);
  expect(untested).toEqual([]);
});

/** Types and constants alone do nothing that a test could see. */
function runs(text: string): boolean {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  return /=>|\b(function|class)\b/.test(outputText.replace(/\/\*[\s\S]*?\*\//g, ''));
}
