import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { build } from 'vite';
import { returningParts } from './returningParts.ts';

test('the page names the scripts of these parts, and no others', async () => {
  const root = await mkdtemp(join(tmpdir(), 'reprise-parts-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await writeFile(join(root, 'index.html'), '<script type="module" src="./main.js"></script>');
  await writeFile(join(root, 'main.js'), "import('./connection.js'); import('./other.js');");
  await writeFile(join(root, 'connection.js'), 'console.log(1);');
  await writeFile(join(root, 'other.js'), 'console.log(2);');
  await build({ root, configFile: false, logLevel: 'silent', plugins: [returningParts(['connection'])] });
  const page = await readFile(join(root, 'dist', 'index.html'), 'utf8');
  const files = (await readdir(join(root, 'dist', 'assets'))).filter((name) =>
    name.startsWith('connection-'),
  );
  expect(/name="returning-parts" content="([^"]*)"/.exec(page)?.[1]).toBe(`assets/${files.join()}`);
});
