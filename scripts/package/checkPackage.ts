/** What can be said of a tarball without running it: its format, its types, and what an install of it brings. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { commandOf, ROOT } from '../lib/paths.mjs';

export interface Finding {
  readonly what: string;
  readonly holds: boolean;
  readonly detail: string;
}

/** It brings 50 packages and a second TypeScript, so it's fetched for this check alone. */
const ATTW = '@arethetypeswrong/cli@0.18.5';

/** The package itself and its peer, with what the peer needs. */
const MOST_PACKAGES = 5;

export async function lintTarball(tarball: string): Promise<readonly Finding[]> {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  const file = await readFile(tarball);
  const { messages } = await publint({
    pack: { tarball: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) },
    strict: true,
  });
  const attw = spawnSync('npx', ['--yes', ATTW, '--profile', 'esm-only', tarball], { encoding: 'utf8' });
  const publish = spawnSync('npm', ['publish', '--dry-run', tarball], { encoding: 'utf8' });
  return [
    { what: 'npm publish --dry-run works', holds: publish.status === 0, detail: publish.stderr },
    {
      what: 'publint finds nothing',
      holds: messages.length === 0,
      detail: messages.map((message) => formatMessage(message, manifest) ?? message.code).join('\n'),
    },
    { what: 'attw finds nothing (ESM)', holds: attw.status === 0, detail: attw.stdout + attw.stderr },
  ];
}

/** Of a test project: the declarations of its packages are checked, too. */
export const STRICT_COMPILER_OPTIONS = {
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  module: 'NodeNext',
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  // Playwright's own declarations need Node's, which a test project has.
  typeRoots: [join(ROOT, 'node_modules/@types')],
  types: ['node'],
};

/** Every file, declarations of the package too, in a folder that has nothing else. */
export async function checkTypes(folder: string): Promise<Finding> {
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: STRICT_COMPILER_OPTIONS, files: ['types.ts'] }, undefined, 2),
  );
  await writeFile(
    join(folder, 'types.ts'),
    `import { expect, launchOptions, test } from 'mcp-reprise/playwright';
test('types', async ({ inspector }) => {
  await inspector.connect('http://localhost:3000/mcp');
  const call = await inspector.call('countdown', { ticks: 3 });
  await expect(call).toHaveLostNothing();
  // @ts-expect-error a call has no such matcher
  await expect(call).toHaveLostEverything();
});
export const options = await launchOptions();
`,
  );
  const { status, stdout } = spawnSync(process.execPath, [commandOf('typescript', 'tsc'), '-p', folder], {
    encoding: 'utf8',
  });
  return { what: 'the declarations compile with skipLibCheck: false', holds: status === 0, detail: stdout };
}

export async function measureInstall(folder: string): Promise<Finding> {
  const list = execFileSync('npm', ['ls', '--all', '--parseable'], { cwd: folder, encoding: 'utf8' });
  const packages = list.trim().split('\n').slice(1);
  const megabytes = ((await sizeOf(join(folder, 'node_modules'))) / 1e6).toFixed(1);
  return {
    what: `an install brings ${packages.length} packages, ${megabytes} MB`,
    holds: packages.length <= MOST_PACKAGES,
    detail: packages.join('\n'),
  };
}

async function sizeOf(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const file = await stat(join(folder, name));
    if (file.isFile()) sum += file.size;
  }
  return sum;
}
