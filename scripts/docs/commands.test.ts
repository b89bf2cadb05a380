// Every command in an `sh` block is run, or parsed by the program that it calls, or named in NOT_RUN with the reason.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseBridge, splitCommand } from '../../harness/cli/bridgeOptions.ts';
import { parseVerify } from '../../harness/cli/options.ts';
import { shellWords } from '../../harness/cli/shellWords.ts';
import { PROFILES } from '../../targets/profiles/index.ts';
import { commandOf, ROOT } from '../lib/paths.mjs';
import { blocksOf, readPages } from './pages.ts';

interface Command {
  readonly where: string;
  readonly text: string;
  readonly words: readonly string[];
}

/** Commands that end by themselves within seconds and need neither a network nor a server. */
const RUN: Readonly<Record<string, readonly string[]>> = {
  'npm run target -- --list': ['targets/cli.ts', '--list'],
};

/** What is not run here, and why. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^npm (start|test|ci)$/, 'npm test is what runs this; a spec starts the app'],
  [/^npm (install|i) /, 'needs a registry; npm run verify:package installs the tarball'],
  [/^apt-get install /, 'needs a registry and root'],
  [/^(npm publish|npm pack|npm version|git |gh )/, 'changes the repository or a registry'],
  [/^npx playwright (install|test|run-server)/, 'needs a registry; npm run verify:package runs the example'],
  [/^npm run [\w:]+( -- .*)?$/, 'its script exists (links.test.ts); the gates run what is quick'],
  [/^node examples\/upstream\/[\w-]+\.mjs$/, 'e2e/sdk/upstream.test.ts runs all of them'],
  [/^(cd|export) /, 'the shell of the reader'],
];

const ENV = { MCP_TOKEN: 'x', MCP_KEY: 'x', API_TOKEN: 'x', GITHUB_TOKEN: 'x' };

function readCommands(): readonly Command[] {
  return readPages().flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === 'sh')
      .flatMap(({ page: path, line, code }) =>
        code
          .replaceAll('\\\n', ' ')
          .split('\n')
          .map((text) => text.replace(/(^|\s)#.*$/, '').trim())
          .filter((text) => text !== '')
          .map((text) => ({ where: `${path}:${line}`, text, words: shellWords(text) })),
      ),
  );
}

/** Reads the arguments as the program does, which rejects unknown options and scenarios. */
function parseReprise([name = '', ...rest]: readonly string[]): void {
  if (rest.includes('--help') || rest.includes('--list-scenarios')) return;
  switch (name) {
    case 'verify':
      parseVerify(rest, ENV);
      return;
    case 'bridge':
      splitCommand(rest);
      parseBridge(rest, ENV);
      return;
    case 'merge':
    case 'serve':
    case '':
      return;
    default:
      if (!name.startsWith('-')) throw new Error(`mcp-reprise has no command "${name}".`);
  }
}

function faultOf({ text, words }: Command): string | undefined {
  const plain = words.filter((word) => !/^[A-Z_]+=/.test(word));
  const [program, first, ...rest] = plain;
  try {
    if (program === 'npx' && first === 'mcp-reprise') {
      parseReprise(rest);
      return undefined;
    }
    if (plain.slice(0, 3).join(' ') === 'npm run verify') {
      parseReprise(['verify', ...plain.slice(4)]);
      return undefined;
    }
    if (plain.slice(0, 3).join(' ') === 'npm run target' && !plain.includes('--list')) {
      const profile = plain[4] ?? '';
      return PROFILES.some(({ name }) => name === profile) ? undefined : `no profile "${profile}"`;
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const command = plain.join(' ');
  return NOT_RUN.some(([pattern]) => pattern.test(command)) || text in RUN
    ? undefined
    : 'neither run, nor parsed, nor in NOT_RUN';
}

const commands = readCommands();

test('every command of the docs is run, parsed, or marked with a reason', () => {
  const faults = commands.flatMap((command) => {
    const fault = faultOf(command);
    return fault === undefined ? [] : [`${command.where}: ${command.text}: ${fault}`];
  });
  expect(faults).toEqual([]);
  expect(commands.length).toBeGreaterThan(15);
});

test('an unknown option, profile or command is found', () => {
  const check = (text: string) => faultOf({ where: '', text, words: shellWords(text) });
  expect(check('npx mcp-reprise verify http://localhost:3000/mcp --sceanrio cors')).toContain('sceanrio');
  expect(check('npx mcp-reprise judge http://localhost:3000/mcp')).toContain('no command');
  expect(check('npm run target -- resumeable')).toContain('no profile');
  expect(check('rm -rf /')).toContain('NOT_RUN');
});

test.each(Object.entries(RUN))('%s works', { timeout: 60_000 }, (text, args) => {
  expect(commands.map((command) => command.text)).toContain(text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [commandOf('tsx'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout.length).toBeGreaterThan(50);
});
