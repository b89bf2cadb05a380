// npm run release -- <version>: sets the version and the repository, dates the changelog, commits and tags. It doesn't push or
// publish.
import './lib/requireNode.mjs';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isNewer, releaseChangelog } from './lib/changelog.mjs';
import { main } from './lib/main.mjs';
import { ROOT } from './lib/paths.mjs';
import { repositoryFields } from './lib/repository.mjs';

/** @param {readonly string[]} args */
const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** @typedef {{ version: string, repository?: unknown, packages?: Record<string, { version: string }> }} Manifest */

/** npm checks the provenance of a package against its repository, so a release without one is rejected here. */
function remote() {
  try {
    return git('remote', 'get-url', 'origin');
  } catch {
    return undefined;
  }
}

/**
 * @param {string} name
 * @param {(manifest: Manifest) => void} change
 */
function editJson(name, change) {
  const file = join(ROOT, name);
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  change(manifest);
  writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

await main(() => {
  const [version] = process.argv.slice(2);
  if (version === undefined) throw new Error('Missing version. Use: npm run release -- 0.2.0');
  const { version: current, repository } = /** @type {Manifest} */ (
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  );
  if (!isNewer(version, current)) throw new Error(`${version} isn't newer than ${current}.`);
  if (git('status', '--porcelain') !== '')
    throw new Error('The working tree has changes. Commit them first.');
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '') throw new Error(`The tag ${tag} already exists.`);

  const named = repository === undefined ? repositoryFields(remote()) : {};

  const changelog = join(ROOT, 'CHANGELOG.md');
  const date = new Date().toISOString().slice(0, 10);
  // Before the others, because it can fail.
  writeFileSync(changelog, releaseChangelog(readFileSync(changelog, 'utf8'), version, date));
  editJson('package.json', (manifest) => Object.assign(manifest, { version }, named));
  editJson('package-lock.json', (lock) => {
    lock.version = version;
    const root = lock.packages?.[''];
    if (root) root.version = version;
  });
  git('commit', '--quiet', '--all', '--message', `release: ${version}`);
  git('tag', '--annotate', tag, '--message', `Reprise ${version}`);
  console.log(`Committed and tagged ${tag}. To publish it: git push --follow-tags`);
  return Promise.resolve(0);
});
