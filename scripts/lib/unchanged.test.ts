import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfFiles, PassedGates } from './unchanged.mjs';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reprise-unchanged-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  writeFileSync(join(folder, 'a.ts'), 'export {};');
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('a gate has passed until any file changes, is added or is removed', () => {
  const passed = new PassedGates(folder);
  const before = hashOfFiles(folder);
  expect(before).toBeDefined();
  expect(passed.has('lint', before)).toBe(false);
  passed.add('lint', before);
  // What is stored lies in node_modules, which isn't looked at.
  expect(passed.has('lint', hashOfFiles(folder))).toBe(true);
  expect(passed.has('types', before)).toBe(false);

  writeFileSync(join(folder, 'b.ts'), '');
  expect(passed.has('lint', hashOfFiles(folder))).toBe(false);
  execFileSync('git', ['add', 'b.ts'], { cwd: folder });
  rmSync(join(folder, 'b.ts'));
  expect(passed.has('lint', hashOfFiles(folder))).toBe(false);
  execFileSync('git', ['rm', '--quiet', '--cached', 'b.ts'], { cwd: folder });
  expect(passed.has('lint', hashOfFiles(folder))).toBe(true);
  writeFileSync(join(folder, 'a.ts'), 'export const a = 1;');
  expect(passed.has('lint', hashOfFiles(folder))).toBe(false);
});

test('without git nothing is remembered', () => {
  const plain = mkdtempSync(join(tmpdir(), 'reprise-unchanged-'));
  try {
    expect(hashOfFiles(plain)).toBeUndefined();
    const passed = new PassedGates(plain);
    passed.add('lint', undefined);
    expect(passed.has('lint', undefined)).toBe(false);
  } finally {
    rmSync(plain, { recursive: true });
  }
});
