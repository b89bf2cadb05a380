/** Installs the packages of one public server into a folder outside of the repository, once. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicServer } from './servers.ts';

const CACHE = process.env['REPRISE_PUBLIC_SERVERS'] ?? join(tmpdir(), 'reprise-public-servers');

/** Returns the folder that holds `node_modules` or `venv`. */
export function install({ packages, language }: Pick<PublicServer, 'packages' | 'language'>): string {
  const wanted = JSON.stringify(packages);
  const folder = join(CACHE, Object.keys(packages)[0]?.replaceAll(/[^\w.-]+/g, '-') ?? '', slug(wanted));
  const stamp = join(folder, 'installed.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  if (language === 'Python') installWithPip(folder, packages);
  else installWithNpm(folder, packages);
  writeFileSync(stamp, wanted);
  return folder;
}

const slug = (text: string): string =>
  Array.from(text, (char) => char.charCodeAt(0))
    .reduce((sum, code) => (sum * 31 + code) >>> 0, 7)
    .toString(36);

function installWithNpm(folder: string, packages: PublicServer['packages']): void {
  // A manifest of its own keeps npm from looking for one further up.
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...wanted], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function installWithPip(folder: string, packages: PublicServer['packages']): void {
  execFileSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'inherit' });
  const wanted = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
  execFileSync(join(folder, 'venv/bin/pip'), ['install', '--quiet', ...wanted], { stdio: 'inherit' });
}
