/** `npm run target -- <profile> [--port N]`: one target server, until it is told to stop. */
import { parseArgs } from 'node:util';
import { jsonLines, LOG_LEVELS, type LogLevel } from './core/log.ts';
import { PROFILES } from './profiles/index.ts';
import { startTarget, UnknownProfile, type RunningTarget } from './startTarget.ts';

const USAGE =
  'Usage: npm run target -- <profile> [--port N] [--allow-origin URL] [--idle-ms N] [--reap-ms N] [--log-level debug|info|warn|error] [--quiet], or --list';
const WRONG_USAGE = 2;

class UsageError extends Error {}

const writeToStderr = (line: string) => void process.stderr.write(`${line}\n`);

function printProfiles(): void {
  const width = Math.max(...PROFILES.map(({ name }) => name.length));
  for (const { name, summary } of PROFILES) console.log(`${name.padEnd(width)}  ${summary}`);
}

function readArguments(argv: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        port: { type: 'string', default: '0' },
        list: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
        'log-level': { type: 'string', default: 'info' },
        'allow-origin': { type: 'string', multiple: true, default: [] },
        'idle-ms': { type: 'string', default: '600000' },
        'reap-ms': { type: 'string', default: '60000' },
      },
    });
    const port = readNumber(values.port, 65_535);
    const overrides = { idleMs: readNumber(values['idle-ms']), reapEveryMs: readNumber(values['reap-ms']) };
    const logLevel = readLevel(values['log-level']);
    return { ...values, port, overrides, logLevel, profile: positionals[0] };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

function readNumber(text: string, max = 2 ** 31 - 1): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max) throw new Error(`"${text}" must be a number up to ${max}.`);
  return value;
}

function readLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((one) => one === text);
  if (!level) throw new Error(`"${text}" isn't a log level. Available: ${LOG_LEVELS.join(', ')}.`);
  return level;
}

async function start(argv: string[]): Promise<RunningTarget | undefined> {
  const {
    profile,
    port,
    overrides,
    list,
    quiet,
    logLevel,
    'allow-origin': allowedOrigins,
  } = readArguments(argv);
  if (list) return void printProfiles();
  if (profile === undefined) throw new UsageError(`Missing profile. ${USAGE}`);
  try {
    return await startTarget(profile, {
      port,
      overrides,
      allowedOrigins,
      ...(!quiet && { log: jsonLines(logLevel, writeToStderr) }),
    });
  } catch (error) {
    if (error instanceof UnknownProfile) throw new UsageError(error.message);
    if (isTaken(error))
      throw new UsageError(`Port ${port} is in use. Use another --port, or omit it for a free one.`);
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

try {
  const target = await start(process.argv.slice(2));
  if (target) {
    console.log(`ready ${target.url}`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void target.close());
    }
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = WRONG_USAGE;
}
