/** The command line, read into data; whatever makes no sense is told before anything is started. Pure. */
import { parseArgs } from 'node:util';
import { isObject } from '../../src/base/json.ts';
import { keysOfUrl } from '../../src/base/urlKeys.ts';
import { HarnessError } from '../harnessError.ts';
import type { Level, Terms } from '../report/facts.ts';
import { INTERFACE } from '../interface/verifyInterface.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import type { VerifyOptions } from '../verify.ts';
import { readSecret, type Env, type GivenSecret } from './readSecret.ts';
import { suggest } from './suggest.ts';

export interface Output {
  /** `true`: to standard output. */
  readonly json?: string | true;
  readonly junit?: string | true;
  readonly html?: string;
  readonly badge?: string;
}

export interface StdioCommand {
  /** As it is typed in a shell. */
  readonly command: string;
  /** Names of variables that are passed to it. */
  readonly env: readonly string[];
}

export interface VerifyCommand {
  readonly name: 'verify';
  /** What every target shares; a file of targets may lay its own over it. */
  readonly base: Omit<VerifyOptions, 'url'>;
  readonly url?: string;
  /** Instead of a URL: it is tested through a bridge. */
  readonly stdio?: StdioCommand;
  /** A shell command that starts the server of `url`. */
  readonly start?: string;
  readonly targets?: string;
  readonly shard?: { readonly index: number; readonly total: number };
  /** Every server is verified twice, once for each way of the protocol. */
  readonly isBoth?: boolean;
  /** A page of this origin: the app is served on its port. */
  readonly port?: number;
  readonly headed: boolean;
  readonly isQuiet?: boolean;
  /** A file. */
  readonly expectedFailures?: string;
  readonly endpoint?: string;
  /** A folder with a browser in which the page is logged in. */
  readonly profile?: string;
  /** A file of saved calls that are run instead of the scenarios. */
  readonly calls?: { readonly path: string; readonly updates: boolean };
  /** The report of an earlier run. */
  readonly compare?: string;
  readonly output: Output;
  /** For the user, on standard error. */
  readonly warnings: readonly string[];
}

export const VERIFY_USAGE = `Usage: mcp-reprise verify <url or env:NAME> [options]
       mcp-reprise verify --stdio "<command>" [options]

  --stdio <command>     test a stdio server through a bridge
  --env <NAME>          pass this variable to the command of --stdio (repeatable)
  --start <command>     start the server with this shell command, and end it after the run
  --tool <name>         tool to interrupt (default: chosen automatically)
  --args <json>         tool arguments as a JSON object; @file or - reads a file or stdin
  --expect-error        expect the tool to return an error
  --header <name: value>  request header (repeatable); "X-Key: env:NAME" reads the value from the environment
  --bearer <token>      bearer token; env:NAME reads it from the environment
  --profile <folder>    store the page's login in this folder; log in once with --headed
  --scenario <name>     run only this scenario (repeatable, or a list with commas; see --list-scenarios)
  --skip <name>         skip this scenario (repeatable, or a list with commas)
  --revision <which>    protocol version: auto, session (up to 2025-11-25), stateless (2026-07-28) or both (default: auto)
  --origin <origin>     origin of the page, http://localhost:<port>, if the server allows only some origins
  --reloads <n>         number of reloads in "reload-twice" (default: 2)
  --calls <file.json>   run saved calls with their expectations instead of the scenarios
  --update-snapshots    overwrite the snapshots of --calls
  --snapshot <file.json>  fail if the tools, prompts, resources or capabilities differ from this file;
                        --scenario interface compares them and runs no other scenario
  --update-snapshot     overwrite the file of --snapshot
  --quick               run only cors, control, reload-mid-call, finish-while-away and repeated-request
  --workers <n>         scenarios to run in parallel (default: 2 for each core, at most 8)
  --repeat <n>          runs per scenario; one failure fails the scenario (default: 1)
  --timeout <seconds>   timeout per step (default: 60)
  --seed <n>            varies when the call is interrupted (default: 1)
  --allow-no-cors       if CORS blocks the page, continue without enforcing it
  --fail-on <level>     exit with 1 from this level on: must, should or advice (default: must); lost calls and second
                        runs always fail
  --expected-failures <file>  scenarios that may fail, one per line; a listed scenario that passes fails the run
  --require <what>      A or reload-safe; anything less fails the run
  --headed              show the browser
  --connect <ws url>    use the browser of a Playwright server
  --quiet               print only the outcome
  --json [file.json]    write JSON to stdout or a file
  --junit [file.xml]    write JUnit XML to stdout or a file
  --html <folder>       write an HTML report, plus JSON and JUnit
  --badge <file.json>   write the grade as a badge (shields.io endpoint)
  --compare <report.json>  report failures that are new since this report
  --traces <folder>     write a Playwright trace of each failed scenario
  --targets <file>      test several servers: a JSON array of URLs or { "url", "tool", "args", … }
  --shard <i/n>         run part i of n of the targets, or of the scenarios if there are fewer targets

Examples:
  mcp-reprise verify http://localhost:3000/mcp --tool report --args '{"rows": 1000}'
  mcp-reprise verify http://localhost:3000/mcp --scenario reload-mid-call --html report
  mcp-reprise verify https://example.com/mcp --bearer env:MCP_TOKEN --junit report.xml

Logins without a user: MCP_REPRISE_BEARER, or MCP_REPRISE_CLIENT_ID with MCP_REPRISE_CLIENT_SECRET or
MCP_REPRISE_PRIVATE_KEY (PEM or JWK) for OAuth client credentials; MCP_REPRISE_SCOPE and MCP_REPRISE_ISSUER are optional.

In GitHub Actions, verify also writes a step summary, annotations and outputs.

Chromium is required: npx playwright install chromium, one of the system, or its path in REPRISE_CHROMIUM.

Exit codes: 0 passed, 1 failed, 2 usage error, 3 server unreachable, 4 nothing could be tested, 5 can't run (for example no
browser), 130 interrupted.`;

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

function readStart(command: string, url: string | undefined): string {
  if (url === undefined) throw usage('--start requires a server URL, because it waits for its port.');
  if (command.trim() === '') throw usage('--start requires a command, such as "npm start".');
  return command;
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

/** A URL, or `env:NAME` for one that holds a key. */
export function parseUrl(given: string, env: Env): string {
  const { value: text } = readSecret(given, 'The server URL', env);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.username !== '' || url.password !== '')) {
    throw usage(
      `A server URL with a user name or password can't be used, because browsers reject it. Pass them as --header "Authorization: Basic env:NAME".`,
    );
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw usage(`"${withoutKeys(text)}" isn't a server URL. Use a URL like http://localhost:3000/mcp`);
}

/** What was typed may be a URL with a slip, and its query or its user a secret. */
const withoutKeys = (text: string): string => text.replace(/[?#].*$/s, '').replace(/^.*@/s, '');

function readArgs(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The same sentence serves for both.
  }
  throw usage(`--args must be a JSON object, such as '{"steps": 10}', not ${text}`);
}

function readHeader(text: string, env: Env): readonly [string, GivenSecret] {
  const [name = '', value] = text.split(/:(.*)/s);
  if (value !== undefined && isHeaderName(name.trim())) {
    return [name.trim(), readSecret(value.trim(), `--header ${name.trim()}`, env)];
  }
  throw usage('--header must look like "Name: value" or "Name: env:NAME".');
}

export const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

export function readScenario(name: string): string {
  if (name === INTERFACE || SCENARIOS.some((scenario) => scenario.name === name)) return name;
  const names = SCENARIOS.map((one) => one.name);
  throw usage(`Unknown scenario "${name}".${suggest(name, names)} Available: ${names.join(', ')}.`);
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

function readNumber(option: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= low && value <= high) return value;
  throw usage(`${option} must be a whole number from ${low} to ${high}, not "${text}".`);
}

function readTerms(failOn: string | undefined, require: string | undefined): Pick<VerifyOptions, 'terms'> {
  if (failOn === undefined && require === undefined) return {};
  if (require !== undefined && require !== 'A' && require !== 'reload-safe') {
    throw usage(`--require must be A or reload-safe, not "${require}".`);
  }
  const terms: Terms = {
    ...(failOn !== undefined && { failOn: readLevel(failOn) }),
    ...(require !== undefined && { require }),
  };
  return { terms };
}

function readLevel(text: string): Level {
  if (text === 'must' || text === 'should' || text === 'advice') return text;
  throw usage(`--fail-on must be must, should or advice, not "${text}".`);
}

function readRevision(text: string): { base: Pick<VerifyOptions, 'revision'>; isBoth: boolean } {
  if (text === 'auto' || text === 'both') return { base: {}, isBoth: text === 'both' };
  if (text === 'session' || text === 'stateless') return { base: { revision: text }, isBoth: false };
  throw usage(`--revision must be auto, session, stateless or both, not "${text}".`);
}

/** The app is served by this machine alone, so only the port can be chosen. */
function readOrigin(text: string): number {
  const [, port] = /^http:\/\/localhost:(\d+)\/?$/.exec(text) ?? [];
  if (port !== undefined && Number(port) >= 1 && Number(port) <= 65_535) return Number(port);
  throw usage(`--origin must look like http://localhost:4173, not "${text}".`);
}

function readShard(text: string): { index: number; total: number } {
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), total: Number(total) };
  if (shard.index >= 1 && shard.index <= shard.total) return shard;
  throw usage(`--shard must look like 1/4, not "${text}".`);
}

function usage(text: string): HarnessError {
  return new HarnessError('usage', text);
}
