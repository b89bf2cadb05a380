import { commandOf, DIST } from './paths.mjs';

/**
 * @typedef {object} Gate
 * @property {string} name for `--only`
 * @property {string} tool
 * @property {() => readonly string[]} command a script and its arguments; asked for when the packages are there
 * @property {'vitest' | 'playwright'} [counts] a test runner, whose tests are counted one by one
 * @property {string} [needs] a gate that must have passed before
 * @property {string} [clears] a folder of its own that would outlive what it was made from
 * @property {true} [isStatic] it depends on the files alone, so it isn't run again while none has changed
 */

/**
 * They don't disturb each other, so as many run at a time as there are cores. The longest begin: the unit tests wait for
 * programs and servers for a third of their time, and the static gates use that.
 *
 * @type {readonly Gate[]}
 */
export const PARALLEL_GATES = [
  {
    name: 'unit',
    tool: 'vitest',
    command: () => [commandOf('vitest'), 'run', '--reporter=default', '--reporter=json'],
    counts: 'vitest',
  },
  {
    name: 'seam',
    tool: 'vitest',
    command: () => [
      commandOf('vitest'),
      'run',
      ...['--config', 'scripts/seam/vitest.config.ts', '--reporter=default', '--reporter=json'],
    ],
    counts: 'vitest',
  },
  {
    name: 'lint-svelte',
    tool: 'eslint',
    command: () => [commandOf('eslint'), '--max-warnings', '0', '.'],
    isStatic: true,
  },
  { name: 'lint', tool: 'oxlint', command: () => [commandOf('oxlint')], isStatic: true },
  {
    name: 'types',
    tool: 'svelte-check',
    command: () => [commandOf('svelte-check'), '--tsgo', '--tsconfig', 'tsconfig.json', '--fail-on-warnings'],
    // It keeps the TypeScript of a component that is gone, and goes on checking it.
    clears: '.svelte-check',
    isStatic: true,
  },
  {
    name: 'format',
    tool: 'oxfmt',
    command: () => [commandOf('oxfmt'), '--check'],
    isStatic: true,
  },
  {
    name: 'types-worker',
    tool: 'tsc',
    command: () => [commandOf('@typescript/native', 'tsc'), '--project', 'tsconfig.worker.json'],
    isStatic: true,
  },
  {
    name: 'imports',
    tool: 'dependency-cruiser',
    command: () => [
      commandOf('dependency-cruiser', 'depcruise'),
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err-long',
      ...['src', 'harness', 'targets', 'bridge', 'e2e'],
    ],
    isStatic: true,
  },
  { name: 'unused', tool: 'knip', command: () => [commandOf('knip')], isStatic: true },
  { name: 'build', tool: 'vite', command: () => [commandOf('vite'), 'build', '--outDir', DIST] },
];

/**
 * After the others, with the machine to themselves: pages are loaded against time limits.
 *
 * @type {readonly Gate[]}
 */
export const SEQUENTIAL_GATES = [
  {
    name: 'browser',
    tool: 'playwright',
    command: () => [commandOf('@playwright/test', 'playwright'), 'test'],
    counts: 'playwright',
    needs: 'build',
  },
  {
    name: 'engines',
    tool: 'playwright',
    // What is run depends on what is installed: engines.mjs.
    command: () => [],
    needs: 'build',
  },
];
