import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { build } from 'vite';
import { returningParts } from './returningParts.ts';

test('the page names the scripts and the styles of these parts, in this order, and loads the script that asks for them', async () => {
  const root = await mkdtemp(join(tmpdir(), 'reprise-parts-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await writeFile(join(root, 'index.html'), '<script type="module" src="./main.js"></script>');
  await writeFile(
    join(root, 'main.js'),
    "import('./connection.js'); import('./view.js'); import('./other.js');",
  );
  await writeFile(join(root, 'connection.js'), 'console.log(1);');
  await writeFile(join(root, 'view.js'), "import './view.css'; console.log(2);");
  await writeFile(join(root, 'view.css'), 'p { color: red }');
  await writeFile(join(root, 'other.js'), 'console.log(3);');
  await writeFile(join(root, 'early.js'), 'console.log(4);');
  const plugins = [returningParts({ entry: join(root, 'early.js'), parts: ['view', 'connection'] })];
  await build({ root, configFile: false, logLevel: 'silent', plugins });
  const page = await readFile(join(root, 'dist', 'index.html'), 'utf8');
  const files = await readdir(join(root, 'dist', 'assets'));
  const fileOf = (name: RegExp) => `assets/${files.find((file) => name.test(file)) ?? ''}`;
  expect(/name="returning-parts" content="([^"]*)"/.exec(page)?.[1]).toBe(
    [fileOf(/^view-.*js$/), fileOf(/^view-.*css$/), fileOf(/^connection-/)].join(' '),
  );
  expect(page).toContain(`<script type="module" async crossorigin src="./${fileOf(/^early-/)}"></script>`);
});
