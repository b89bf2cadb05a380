/** The command line of `mcp-reprise bridge`, read into data. Pure. */
import { parseArgs } from 'node:util';
import { hideUrlKeys } from '../../src/base/urlKeys.ts';
import { DEFAULT_BRIDGE_LIMITS, type BridgeLimits } from '../../bridge/startBridge.ts';
import { HarnessError } from '../harnessError.ts';
import { isHeaderName } from './optionValues.ts';
import type { Env } from './readSecret.ts';
import { suggest } from './suggest.ts';

export type BridgeSource =
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'config'; readonly path: string; readonly only: readonly string[] };

export interface BridgeCommand {
  readonly source: BridgeSource;
  /** Missing: the default one, or the next that is free. */
  readonly port?: number;
  readonly opensBrowser: boolean;
  readonly env: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly origins: readonly string[];
  readonly limits: BridgeLimits;
  readonly replay: 'auto' | 'bridge';
  readonly store: string;
  readonly token?: string;
  readonly isQuiet: boolean;
}

export const BRIDGE_USAGE = `Usage: mcp-reprise bridge [options] -- <command> [args…]
       mcp-reprise bridge [options] <url>
       mcp-reprise bridge [options] --config <mcp.json> [--only <name>]

Connects the app with stdio servers and servers without CORS, and stores their events while no page is open.

  --port <n>              port of the app and the servers (default: 4778, or the next free port)
  --no-open               don't open the browser
  --config <file>         servers of an editor's configuration
  --only <name>           use only this server of --config (repeatable)
  --env <NAME>            pass this variable to the command (repeatable)
  --header-env <header>=<NAME>  send this variable as a header to an HTTP server (repeatable)
  --origin <origin>       allow pages of this origin, with the token (repeatable; default: loopback origins)
  --idle <time>           end a session without a page after this time (default: 10m)
  --hold <time>           how long to store the result of a call that runs as a task (default: 60s)
  --replay <who>          who replays for an HTTP server, auto or bridge (default: auto)
  --store <url>           memory: or redis://… (default: memory:)
  --max-events <n>        stored events per session (default: 250000)
  --max-bytes <size>      size of the stored events per session (default: 256MB)
  --max-message <size>    maximum size of a line on stdout (default: 64MB)
  --max-sessions <n>      maximum number of sessions (default: 20)
  --quiet                 print the link and errors only

Examples:
  mcp-reprise bridge -- npx -y @modelcontextprotocol/server-everything
  mcp-reprise bridge https://example.org/mcp
  mcp-reprise bridge --config .vscode/mcp.json --only files

The token is random, or the value of MCP_REPRISE_TOKEN.

Exit codes: 0 stopped, 1 the command can't be started, 2 usage error, such as a port in use, 5 the app is missing.`;

const OPTIONS = {
  port: { type: 'string' },
  'no-open': { type: 'boolean', default: false },
  config: { type: 'string' },
  only: { type: 'string', multiple: true, default: [] as string[] },
  env: { type: 'string', multiple: true, default: [] as string[] },
  'header-env': { type: 'string', multiple: true, default: [] as string[] },
  origin: { type: 'string', multiple: true, default: [] as string[] },
  idle: { type: 'string' },
  hold: { type: 'string' },
  replay: { type: 'string', default: 'auto' },
  store: { type: 'string', default: 'memory:' },
  'max-events': { type: 'string' },
  'max-bytes': { type: 'string' },
  'max-message': { type: 'string' },
  'max-sessions': { type: 'string' },
  quiet: { type: 'boolean', default: false },
} as const;

export function parseBridge(argv: readonly string[], env: Env): BridgeCommand {
  const { before, command } = splitCommand(argv);
  const { values, positionals } = parse(before);
  const source = readSource(positionals, command, values.config, values.only);
  if (values.replay !== 'auto' && values.replay !== 'bridge') throw usage('--replay must be auto or bridge.');
  if (!/^(memory:$|rediss?:\/\/)/.test(values.store)) throw usage('--store must be memory: or redis://…');
  const token = env['MCP_REPRISE_TOKEN'] ?? '';
  if (token !== '' && !/^[\w.~-]{16,}$/.test(token)) {
    throw usage(
      'MCP_REPRISE_TOKEN must have at least 16 characters: letters, digits, "-", "_", "." and "~".',
    );
  }
  const d = DEFAULT_BRIDGE_LIMITS;
  return {
    source,
    ...(values.port !== undefined && { port: readNumber('--port', values.port, 0, 65_535) }),
    opensBrowser: !values['no-open'],
    env: values.env.map((name) => readName('--env', name)),
    headers: Object.fromEntries(values['header-env'].map((text) => readHeader(text, env))),
    origins: values.origin.map(readOrigin),
    limits: {
      idleMs: values.idle === undefined ? d.idleMs : readTime('--idle', values.idle),
      holdMs: values.hold === undefined ? d.holdMs : readTime('--hold', values.hold),
      maxEvents:
        values['max-events'] === undefined
          ? d.maxEvents
          : readNumber('--max-events', values['max-events'], 100, 100_000_000),
      maxBytes: values['max-bytes'] === undefined ? d.maxBytes : readSize('--max-bytes', values['max-bytes']),
      maxMessageBytes:
        values['max-message'] === undefined
          ? d.maxMessageBytes
          : readSize('--max-message', values['max-message']),
      maxSessions:
        values['max-sessions'] === undefined
          ? d.maxSessions
          : readNumber('--max-sessions', values['max-sessions'], 1, 1000),
    },
    replay: values.replay,
    store: values.store,
    ...(token !== '' && { token }),
    isQuiet: values.quiet,
  };
}

/** Everything after `--` is the command, so its options are never taken for the bridge's. */
export function splitCommand(argv: readonly string[]): {
  before: readonly string[];
  command: readonly string[] | undefined;
} {
  const at = argv.indexOf('--');
  return at < 0
    ? { before: argv, command: undefined }
    : { before: argv.slice(0, at), command: argv.slice(at + 1) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const unknown = /^Unknown option '([^']+)'/.exec(text)?.[1];
    if (unknown === undefined) throw usage(text);
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw usage(
      `Unknown option '${unknown}'.${suggest(unknown, names)} Options of the command go after "--".`,
    );
  }
}

function readSource(
  positionals: readonly string[],
  command: readonly string[] | undefined,
  config: string | undefined,
  only: readonly string[],
): BridgeSource {
  const given = [command !== undefined, config !== undefined, positionals.length > 0].filter(Boolean).length;
  if (given > 1) throw usage('Use only one of: a command after "--", a URL, --config.');
  if (config !== undefined) return { kind: 'config', path: config, only };
  if (only.length > 0) throw usage('--only requires --config.');
  if (command !== undefined) {
    const [program, ...args] = command;
    if (program === undefined || program === '') throw usage('Missing command after "--".');
    return { kind: 'command', command: program, args };
  }
  const [text, more] = positionals;
  if (text === undefined) throw usage('Missing server. Use a command after "--", a URL, or --config.');
  const url = URL.parse(text);
  if (more === undefined && (url?.protocol === 'http:' || url?.protocol === 'https:'))
    return { kind: 'url', url: url.href };
  if (url && more === undefined) throw usage(`"${hideUrlKeys(text)}" isn't an http or https URL.`);
  throw usage(
    `"${hideUrlKeys(text)}" isn't a URL. Put a command after "--": mcp-reprise bridge -- ${positionals.map(hideUrlKeys).join(' ')}`,
  );
}

function readHeader(text: string, env: Env): readonly [string, string] {
  const [header = '', name] = text.split(/=(.*)/s);
  if (name === undefined || !isHeaderName(header))
    throw usage('--header-env must look like Authorization=MY_HEADER.');
  const value = env[readName('--header-env', name)];
  if (!value) throw usage(`--header-env: The environment variable ${name} isn't set, or is empty.`);
  return [header, value];
}

function readName(option: string, name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw usage(`${option} requires the name of a variable, not its value: ${option} GITHUB_TOKEN`);
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if ((url?.protocol === 'http:' || url?.protocol === 'https:') && url.href === `${url.origin}/`)
    return url.origin;
  throw usage(`--origin must look like https://example.org, not "${text}".`);
}

const TIMES: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const SIZES: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

function readTime(option: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(digits) * (TIMES[unit] ?? 0);
  if (digits !== '' && ms > 0 && ms <= 7 * 24 * 3_600_000) return ms;
  throw usage(`${option} must look like 90s, 10m or 2h, up to 168h, not "${text}".`);
}

function readSize(option: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d+)(B|KB|MB|GB)?$/i.exec(text) ?? [];
  const bytes = Number(digits) * (SIZES[unit.toUpperCase()] ?? 0);
  if (digits !== '' && bytes >= 1024 && bytes <= 64 * 1024 ** 3) return bytes;
  throw usage(`${option} must look like 512KB, 64MB or 1GB, not "${text}".`);
}

function readNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw usage(`${option} must be a number from ${min} to ${max}, not "${text}".`);
}

const usage = (message: string): HarnessError => new HarnessError('usage', message);
