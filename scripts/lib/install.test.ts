import { expect, test } from 'vitest';
import { whyInstall, type Lock } from './install.mjs';

const lock = (packages: NonNullable<Lock['packages']>): Lock => ({ packages });
const wanted = lock({
  '': { version: '0.1.0' },
  'node_modules/vite': { version: '8.0.0', integrity: 'sha512-a' },
  'node_modules/vite/node_modules/esbuild': { version: '1.0.0', integrity: 'sha512-b' },
  'node_modules/fsevents': { version: '2.0.0', integrity: 'sha512-c', optional: true },
});
const installed = lock({
  'node_modules/vite': { version: '8.0.0', integrity: 'sha512-a' },
  'node_modules/vite/node_modules/esbuild': { version: '1.0.0', integrity: 'sha512-b' },
});

test('a fresh clone needs an install', () => {
  expect(whyInstall(wanted, undefined)).toBe('first run');
});

test('what package-lock.json asks for needs none, without the packages of other systems', () => {
  expect(whyInstall(wanted, installed)).toBeUndefined();
});

test('names the package that is missing', () => {
  const without = lock({ 'node_modules/vite': { version: '8.0.0', integrity: 'sha512-a' } });
  expect(whyInstall(wanted, without)).toBe('esbuild is missing');
});

test('names the package that has another version', () => {
  const older = lock({
    ...installed.packages,
    'node_modules/vite': { version: '7.0.0', integrity: 'sha512-o' },
  });
  expect(whyInstall(wanted, older)).toBe('vite is 7.0.0, not 8.0.0');
});
