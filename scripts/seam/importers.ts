/** Which tests use a module, themselves or through what they import. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /from '(\.[^']+\.ts)'/g;

export function testsThatImport(module: string, folders: readonly string[]): readonly string[] {
  return folders.flatMap(testsIn).filter((test) => importedBy(test).has(join(module)));
}

function testsIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.test.ts')).map((file) => join(folder, file));
}

function importedBy(test: string): ReadonlySet<string> {
  const found = new Set([test]);
  for (const file of found) for (const imported of importsOf(file)) found.add(imported);
  return found;
}

const read = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const known = read.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path));
  read.set(file, imports);
  return imports;
}
