import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from './lib/paths.mjs';

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- New: $& and a page.\n\n## 0.1.0 - 2026-01-01\n\n- First.\n';

let folder: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
const release = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: folder, encoding: 'utf8' });
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reprise-release-'));
  for (const name of ['scripts/lib', 'scripts/release.mjs', 'scripts/releaseNotes.mjs']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  const manifest = { name: 'x', version: '0.1.0', type: 'module', engines: { node: '>=20.19' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const lock = { name: 'x', version: '0.1.0', packages: { '': { name: 'x', version: '0.1.0' } } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG);
  git('init', '--quiet');
  git('config', 'user.email', 'test@example.org');
  git('config', 'user.name', 'Test');
  git('add', '.');
  git('commit', '--quiet', '--message', 'start');
  git('remote', 'add', 'origin', 'git@example.org:owner/name.git');
}, 60_000);

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('sets the version, dates the changelog, commits and tags', () => {
  const { status, stderr } = release('0.2.0');
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(JSON.parse(read('package.json'))).toMatchObject({
    version: '0.2.0',
    repository: { type: 'git', url: 'git+https://example.org/owner/name.git' },
    homepage: 'https://example.org/owner/name#readme',
    bugs: { url: 'https://example.org/owner/name/issues' },
  });
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({
    version: '0.2.0',
    packages: { '': { version: '0.2.0' } },
  });
  expect(read('CHANGELOG.md')).toMatch(
    /## Unreleased\n\n## 0\.2\.0 - \d{4}-\d\d-\d\d\n\n- New: \$& and a page\./,
  );
  expect(git('describe', '--tags')).toBe('v0.2.0');
  expect(git('status', '--porcelain')).toBe('');
  const notes = spawnSync(process.execPath, ['scripts/releaseNotes.mjs', 'v0.2.0'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(notes.stdout.trim()).toBe('- New: $& and a page.');
});

test.each([
  [[], 'Missing version'],
  [['0.1.0'], "0.1.0 isn't newer than 0.1.0."],
  [['next'], 'Not a version'],
])('rejects %j', (args, says) => {
  const { status, stderr } = release(...args);
  expect(stderr).toContain(says);
  expect(status).not.toBe(0);
  expect(git('status', '--porcelain')).toBe('');
});

test('rejects a release that has no repository', () => {
  git('remote', 'remove', 'origin');
  const { status, stderr } = release('0.2.0');
  expect(stderr).toContain('git remote add origin <url>');
  expect(status).not.toBe(0);
  expect(git('status', '--porcelain')).toBe('');
});

test('rejects a tree with changes', () => {
  writeFileSync(join(folder, 'new.txt'), 'x');
  expect(release('0.2.0').stderr).toContain('The working tree has changes.');
  expect(git('tag')).toBe('');
});
