import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFaults, type LockEntry } from './lockFile.mjs';
import { ROOT } from './paths.mjs';

interface LockFile {
  readonly packages: Record<string, LockEntry>;
}

test('package-lock.json has a hash for every package, every binary, and no registry address', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
  expect(lockFaults(lock)).toEqual([]);
});

test('names the package that has no hash, has an address, or is missing', () => {
  const packages = {
    '': { dependencies: { a: '1.0.0' } },
    'node_modules/a': { integrity: 'sha512-a', dependencies: { b: '1.0.0', c: '1.0.0' } },
    'node_modules/a/node_modules/b': { dependencies: { a: '1.0.0' } },
    'node_modules/c': { integrity: 'sha512-c', resolved: 'https://registry.example/c.tgz' },
  };
  expect(lockFaults({ packages })).toEqual([
    'node_modules/a/node_modules/b has no integrity hash.',
    'node_modules/c has a resolved address.',
  ]);
  const darwin = { 'node_modules/a': { integrity: 'sha512-a', optionalDependencies: { 'a-darwin': '1' } } };
  expect(lockFaults({ packages: darwin })).toEqual(['a-darwin, needed by node_modules/a, is missing.']);
});
