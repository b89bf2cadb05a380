/** Where the app under the harness comes from: the packed site, or one that is built from the sources beside it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOf } from '../../scripts/lib/paths.mjs';
import { runNode } from '../../scripts/lib/run.mjs';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { HarnessError } from '../harnessError.ts';

export interface Site {
  readonly url: string;
  close(): Promise<void>;
}

/** The folder of the package, wherever the harness was bundled to. */
const PACKAGE_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

export const VERSION = (
  JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string }
).version;

/** In a clone, what the app is made of. In the npm package there is none of it, and the site is in `dist`. */
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'targets/core', 'scripts/vite'];

export async function openSite(options: { port?: number; say?: (text: string) => void } = {}): Promise<Site> {
  const folder = await findSiteFolder(options.say);
  return serveStatic({ folder, apps: true, ...(options.port !== undefined && { port: options.port }) });
}

export async function findSiteFolder(say?: (text: string) => void): Promise<string> {
  return process.env['REPRISE_SITE'] ?? (await prepareFolder(say));
}

/** For `--origin`, where no other port will do. */
export async function openSiteAt(port: number, say?: (text: string) => void): Promise<Site> {
  try {
    return await openSite({ port, ...(say && { say }) });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken
      ? new HarnessError(
          'unusable',
          `Port ${port} is in use. Stop the program that uses it, or use another --origin.`,
        )
      : error;
  }
}

async function prepareFolder(say: (text: string) => void = () => undefined): Promise<string> {
  const shipped = join(PACKAGE_ROOT, 'dist');
  if (!existsSync(join(PACKAGE_ROOT, 'src/main.ts'))) {
    if (existsSync(join(shipped, 'index.html'))) return shipped;
    throw new HarnessError('unusable', 'The app is missing from this package. Reinstall mcp-reprise.');
  }
  const cached = join(PACKAGE_ROOT, 'node_modules/.cache/reprise-site');
  const changedAt = Math.max(...SOURCES.map((source) => newest(join(PACKAGE_ROOT, source))));
  const fresh = [shipped, cached].find((folder) => builtAt(folder) > changedAt);
  if (fresh !== undefined) return fresh;
  say('Building the app (sources changed)…');
  const { code, output } = await runNode([commandOf('vite'), 'build', '--outDir', cached, '--emptyOutDir']);
  if (code !== 0) throw new HarnessError('unusable', `Build failed:\n${output}`);
  return cached;
}

function builtAt(folder: string): number {
  const index = join(folder, 'index.html');
  return existsSync(index) ? statSync(index).mtimeMs : 0;
}

function newest(path: string): number {
  if (!existsSync(path)) return 0;
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes('"mcp-reprise"')) return folder;
    if (dirname(folder) === folder) throw new Error("Can't find the mcp-reprise package.");
  }
}
