/** The command line, read into data; whatever makes no sense is told before anything is started. Pure. */
import { parseArgs } from 'node:util';
import { keysOfUrl } from '../../src/base/urlKeys.ts';
import { enforcesCors, readBrowserName, type BrowserName } from '../page/browserName.ts';
import { INTERFACE } from '../interface/verifyInterface.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import type { VerifyOptions } from '../verify.ts';
import {
  parseUrl,
  readArgs,
  readHeader,
  readNumber,
  readOrigin,
  readRevision,
  readScenario,
  readShard,
  readStart,
  readTerms,
  usage,
  withoutKeys,
} from './optionValues.ts';
import { readSecret, type Env } from './readSecret.ts';
import { suggest } from './suggest.ts';
import type { Output, StdioCommand, VerifyCommand } from './verifyCommand.ts';

const OPTIONS = {
  stdio: { type: 'string' },
  start: { type: 'string' },
  env: { type: 'string', multiple: true },
  tool: { type: 'string' },
  args: { type: 'string' },
  'expect-error': { type: 'boolean', default: false },
  header: { type: 'string', multiple: true, default: [] as string[] },
  bearer: { type: 'string' },
  profile: { type: 'string' },
  scenario: { type: 'string', multiple: true },
  revision: { type: 'string', default: 'auto' },
  origin: { type: 'string' },
  reloads: { type: 'string', default: '2' },
  repeat: { type: 'string' },
  calls: { type: 'string' },
  'update-snapshots': { type: 'boolean', default: false },
  snapshot: { type: 'string' },
  'update-snapshot': { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  workers: { type: 'string' },
  timeout: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  'allow-no-cors': { type: 'boolean', default: false },
  'fail-on': { type: 'string' },
  'expected-failures': { type: 'string' },
  require: { type: 'string' },
  skip: { type: 'string', multiple: true },
  quiet: { type: 'boolean', default: false },
  browser: { type: 'string', default: 'chromium' },
  headed: { type: 'boolean', default: false },
  connect: { type: 'string' },
  json: { type: 'boolean', default: false },
  junit: { type: 'boolean', default: false },
  html: { type: 'string' },
  badge: { type: 'string' },
  compare: { type: 'string' },
  traces: { type: 'string' },
  targets: { type: 'string' },
  shard: { type: 'string' },
} as const;

export function parseVerify(argv: readonly string[], env: Env = {}): VerifyCommand {
  const { rest, files } = takeFiles(argv);
  const { values, positionals } = parse(rest);
  const stdio = readStdio(values.stdio, values.env, positionals);
  if (stdio && values.targets !== undefined) throw usage('Use either --stdio or --targets, not both.');
  const given = stdio ? undefined : readUrl(positionals, values.targets);
  const url = given === undefined ? undefined : parseUrl(given, env);
  const headers = values.header.map((text) => readHeader(text, env));
  const bearer = values.bearer === undefined ? undefined : readSecret(values.bearer, '--bearer', env);
  const output: Output = {
    ...(values.json && { json: files.get('--json') ?? true }),
    ...(values.junit && { junit: files.get('--junit') ?? true }),
    ...(values.html !== undefined && { html: values.html }),
    ...(values.badge !== undefined && { badge: values.badge }),
  };
  if (output.json === true && output.junit === true) {
    throw usage("--json and --junit can't both write to stdout. Specify a file for one of them.");
  }
  return {
    name: 'verify',
    base: {
      ...(values.tool !== undefined && { tool: values.tool }),
      ...(values.args !== undefined && { args: readArgs(values.args) }),
      ...(values['expect-error'] && { expectError: true }),
      headers: Object.fromEntries(headers.map(([name, { value }]) => [name, value])),
      ...(bearer && { bearer: bearer.value }),
      ...readSnapshot(values),
      ...readScenarios(quickOr(values.scenario, values.quick), values.skip),
      ...readRevision(values.revision).base,
      reloads: readNumber('--reloads', values.reloads, 1, 20),
      ...(values.repeat !== undefined && { repeat: readNumber('--repeat', values.repeat, 1, 100) }),
      ...(values.workers !== undefined && { workers: readNumber('--workers', values.workers, 1, 32) }),
      timeoutMs: readNumber('--timeout', values.timeout, 1, 3600) * 1000,
      allowNoCors: values['allow-no-cors'],
      ...(values.traces !== undefined && { traces: values.traces }),
      ...readTerms(values['fail-on'], values.require),
      seed: readNumber('--seed', values.seed, 0, 2 ** 32 - 1),
    },
    ...(url !== undefined && { url }),
    ...(stdio && { stdio }),
    ...(values.start !== undefined && { start: readStart(values.start, url) }),
    ...(values.targets !== undefined && { targets: values.targets }),
    ...(values.shard !== undefined && { shard: readShard(values.shard) }),
    ...(readRevision(values.revision).isBoth && { isBoth: true }),
    ...(values.origin !== undefined && { port: readOrigin(values.origin) }),
    browser: readBrowser(values),
    headed: values.headed,
    ...(values['expected-failures'] !== undefined && { expectedFailures: values['expected-failures'] }),
    ...(values.quiet && { isQuiet: true }),
    ...readCalls(values),
    ...(values.profile !== undefined && { profile: values.profile }),
    ...(values.compare !== undefined && { compare: values.compare }),
    ...(values.connect !== undefined && { endpoint: values.connect }),
    output,
    warnings: [
      ...(given !== undefined && keysOfUrl(given).length > 0
        ? [visible('the key in the server URL', 'env:NAME')]
        : []),
      ...(bearer?.isPlain ? [visible('the value of --bearer', 'env:NAME')] : []),
      ...headers.flatMap(([name, { isPlain }]) =>
        isPlain ? [visible(`the value of --header ${name}`, `"${name}: env:NAME"`)] : [],
      ),
    ],
  };
}

const visible = (what: string, instead: string): string =>
  `Warning: ${what} is visible in the process list (ps). Pass it as ${instead} instead.`;

/** `--json` and `--junit` take a file if one follows: its ending tells it from the address of the server. */
function takeFiles(argv: readonly string[]): { rest: string[]; files: Map<string, string> } {
  const endings: Readonly<Record<string, string>> = { '--json': '.json', '--junit': '.xml' };
  const files = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const [name = '', inline] = (argv[at] ?? '').split(/=(.*)/s);
    const ending = endings[name];
    const next = argv[at + 1] ?? '';
    rest.push(ending === undefined ? (argv[at] ?? '') : name);
    if (ending === undefined) continue;
    if (inline !== undefined) files.set(name, inline);
    else if (next.endsWith(ending) && !next.startsWith('-') && !/^https?:/.test(next)) {
      files.set(name, next);
      at += 1;
    }
  }
  return { rest, files };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    // What Node adds about positional arguments helps nobody here.
    const [, unknown] = /^(Unknown option '([^']+)')/.exec(text)?.slice(1) ?? [];
    if (unknown === undefined) throw usage(text);
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw usage(`Unknown option '${unknown}'.${suggest(unknown, names)}`);
  }
}

/** The server URL as it was typed. */
function readUrl(positionals: readonly string[], targets: string | undefined): string | undefined {
  const [text, more] = positionals;
  if (more !== undefined && !/^https?:/.test(more))
    throw usage(
      `"${withoutKeys(more)}" is unexpected. A file after --json must end with .json, and a file after --junit with .xml.`,
    );
  if (more !== undefined)
    throw usage(`Unexpected argument "${withoutKeys(more)}". To test several servers, use --targets.`);
  if (text === undefined) {
    if (targets !== undefined) return undefined;
    throw usage('Missing server URL, for example http://localhost:3000/mcp');
  }
  if (targets !== undefined) throw usage('Use either a URL or --targets, not both.');
  return text;
}

const STDIO = 'stdio:';

/** Also as `stdio:<command>`, which reports use as the name of the target. */
function readStdio(
  option: string | undefined,
  env: readonly string[] | undefined,
  positionals: readonly string[],
): StdioCommand | undefined {
  const [first] = positionals;
  const command = option ?? (first?.startsWith(STDIO) ? first.slice(STDIO.length) : undefined);
  if (command === undefined) {
    if (env) throw usage('--env requires --stdio.');
    return undefined;
  }
  const [more] = option === undefined ? positionals.slice(1) : positionals;
  if (more !== undefined)
    throw usage('Use either a URL or --stdio, not both. Quote the command as one argument.');
  return { command, env: env ?? [] };
}

function readBrowser(values: { readonly browser: string; readonly 'allow-no-cors': boolean }): BrowserName {
  const browser = readBrowserName(values.browser);
  if (values['allow-no-cors'] && browser !== 'chromium') throw usage(enforcesCors(browser));
  return browser;
}

interface CallValues {
  readonly calls?: string | undefined;
  readonly 'update-snapshots': boolean;
  readonly scenario?: readonly string[] | undefined;
  readonly quick: boolean;
  readonly shard?: string | undefined;
}

function readCalls(values: CallValues): Pick<VerifyCommand, 'calls'> {
  const { calls, 'update-snapshots': updates } = values;
  if (calls === undefined) {
    if (updates) throw usage('--update-snapshots requires --calls.');
    return {};
  }
  if (values.scenario || values.quick || values.shard !== undefined)
    throw usage('--calls runs no scenarios. Remove --scenario, --quick and --shard.');
  return { calls: { path: calls, updates } };
}

interface SnapshotValues {
  readonly snapshot?: string | undefined;
  readonly 'update-snapshot': boolean;
  readonly targets?: string | undefined;
  readonly calls?: string | undefined;
  readonly revision: string;
  readonly scenario?: readonly string[] | undefined;
}

function readSnapshot(values: SnapshotValues): Pick<VerifyOptions, 'snapshot'> {
  const { snapshot, 'update-snapshot': updates } = values;
  if (snapshot === undefined) {
    if (updates) throw usage('--update-snapshot requires --snapshot.');
    if (values.scenario?.includes(INTERFACE))
      throw usage('--scenario interface requires --snapshot <file.json>.');
    return {};
  }
  if (values.targets !== undefined || values.calls !== undefined || values.revision === 'both')
    throw usage('--snapshot works with one server. Remove --targets, --calls and --revision both.');
  return { snapshot: { path: snapshot, updates } };
}

/** What most changes to a server can break. */
const QUICK: readonly string[] = [
  'cors',
  'control',
  'reload-mid-call',
  'finish-while-away',
  'repeated-request',
];

function quickOr(named: readonly string[] | undefined, isQuick: boolean): readonly string[] | undefined {
  if (isQuick && named) throw usage('Use either --quick or --scenario, not both.');
  return isQuick ? QUICK : named;
}

function readScenarios(
  wanted: readonly string[] | undefined,
  skipped: readonly string[] | undefined,
): Pick<VerifyOptions, 'scenarios'> {
  if (!wanted && !skipped) return {};
  const read = (list: readonly string[]): string[] =>
    list.flatMap((text) => text.split(',')).map(readScenario);
  const left = new Set(skipped ? read(skipped) : []);
  const names = wanted ? read(wanted) : SCENARIOS.map(({ name }) => name);
  const scenarios = names.filter((name) => !left.has(name));
  if (scenarios.length === 0) throw usage('--skip leaves no scenario to run.');
  return { scenarios };
}
