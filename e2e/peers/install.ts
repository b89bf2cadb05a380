/** Installs the other inspectors as published, with a Node that they run on, in a folder that is kept for the next run. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Started } from './peer.ts';

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/reprise-peers', import.meta.url));

/** Both want Node 22, which the package `node` brings. */
const PACKAGES = {
  node: '22',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@mcp-use/inspector': '20.3.10',
};

export async function installPeers(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const manifest = JSON.stringify({ private: true, dependencies: PACKAGES }, null, 2);
  const file = join(FOLDER, 'package.json');
  if ((await readFile(file, 'utf8').catch(() => '')) === manifest) return;
  console.error('Installing the other inspectors (about 300 MB) …');
  // A manifest of its own keeps npm from installing into the project.
  await writeFile(file, '{ "private": true }\n');
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', ...specs()], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [code] = (await once(npm, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`npm install failed with exit code ${code} in ${FOLDER}.`);
  await writeFile(file, manifest);
}

function specs(): readonly string[] {
  return Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
}

export function peerVersion(name: keyof typeof PACKAGES): string {
  return PACKAGES[name];
}

/** Starts the program of an inspector. It's ready when it prints the address of its page. */
export async function startPeer(
  bin: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  address: RegExp,
): Promise<Started> {
  const bins = join(FOLDER, 'node_modules', '.bin');
  const child = spawn(join(bins, 'node'), [join(bins, bin), ...args], {
    env: { ...process.env, ...env, PATH: `${bins}${delimiter}${process.env['PATH'] ?? ''}`, HOME: FOLDER },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const url = await printed(child, address);
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      // What it has started belongs to its group, and goes with it. Asked politely, it may wait for open connections.
      if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
      await gone;
    },
  };
}

async function printed(child: ChildProcess, wanted: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      text += chunk.toString();
      const found = wanted.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code) => {
      reject(new Error(`It ended with exit code ${code ?? 'none'} before it was ready:\n${text}`));
    });
  });
}
