/** Runs `verify`: one server or many, with progress on the way and reports at the end, whatever ends it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { bearerFromEnvironment } from '../access/bearerSource.ts';
import { readClientCredentials, secretsOf } from '../access/clientCredentials.ts';
import { bearerFromProfile, type ProfileOptions } from '../access/profileBearer.ts';
import { parseCallsFile } from '../calls/callsFile.ts';
import { Snapshots } from '../calls/snapshots.ts';
import { verifyCalls, type CallsOptions } from '../calls/verifyCalls.ts';
import { worstExitCode, type ExitCode } from '../exitCode.ts';
import { HarnessError } from '../harnessError.ts';
import { Stage } from '../page/stage.ts';
import { compareReports, describeChanges, type Changes } from '../report/compareReports.ts';
import type { Report, ScenarioResult } from '../report/facts.ts';
import { describe, summarize } from '../report/text.ts';
import { unreachedReport, verify, type Progress, type Verified, type VerifyOptions } from '../verify.ts';
import { Secrets } from '../secrets.ts';
import { tellGitHub } from './github.ts';
import { parseReports } from './merge.ts';
import type { VerifyCommand } from './verifyCommand.ts';
import { printable } from './printable.ts';
import type { Env } from './readSecret.ts';
import { readTargets } from './targets.ts';
import { CLEAR_LINE, endedLine, isColored, paint, startedLine } from './terminal.ts';
import { ScenarioLogs } from './scenarioLogs.ts';
import { writeReports } from './writeReports.ts';

export async function runVerify(command: VerifyCommand, env: Env): Promise<number> {
  for (const warning of command.warnings) console.error(warning);
  if (command.start !== undefined) return runStarted(command, command.start, env);
  if (!command.stdio) return runTargets(command, env);
  const { startStdio } = await import('./startStdio.ts');
  const stdio = await startStdio(command.stdio, env);
  const base = { ...command.base, label: `stdio:${command.stdio.command}` };
  try {
    return await runTargets({ ...command, base, url: stdio.url }, env);
  } finally {
    await stdio.close();
  }
}

/** With the server of `--start`, for as long as the run takes. */
async function runStarted(command: VerifyCommand, start: string, env: Env): Promise<number> {
  const { startServer } = await import('./startServer.ts');
  const server = await startServer(start, command.url ?? '', { timeoutMs: command.base.timeoutMs });
  try {
    const exitCode = await runTargets(command, env);
    const died = server.whyDied();
    if (died !== undefined) console.error(died);
    return exitCode;
  } finally {
    await server.close();
  }
}

async function runTargets(command: VerifyCommand, env: Env): Promise<number> {
  const read = await readTargets(command, { env, warn: console.error });
  const found = secretsOf(readClientCredentials(env)).map((bearer) => ({ url: 'http://localhost/', bearer }));
  const targets = await withBearers(read, command, env).catch((error: unknown) => {
    throw new Secrets([...read, ...found]).error(error);
  });
  const secrets = new Secrets([...targets, ...found]);
  try {
    return await verifyAll(command, targets, secrets);
  } catch (error) {
    throw secrets.error(error);
  }
}

/** A login that was given for one server is used there; the one of the environment for all others. */
async function withBearers(
  targets: readonly VerifyOptions[],
  { profile, headed, stdio }: VerifyCommand,
  env: Env,
): Promise<readonly VerifyOptions[]> {
  if (stdio) return targets;
  const withBearer = async (target: VerifyOptions): Promise<VerifyOptions> => {
    const hasHeader = Object.keys(target.headers).some((name) => name.toLowerCase() === 'authorization');
    if (target.bearer !== undefined || hasHeader) return target;
    const bearer =
      profile === undefined
        ? await bearerFromEnvironment(target.url, env)?.()
        : await bearerFromProfile(target.url, profileOptions(profile, headed, target));
    return bearer === undefined ? target : { ...target, bearer };
  };
  const found: VerifyOptions[] = [];
  for (const target of targets) found.push(await withBearer(target));
  return found;
}

const profileOptions = (folder: string, headed: boolean, { timeoutMs }: VerifyOptions): ProfileOptions => ({
  folder,
  headed,
  timeoutMs,
  ...(headed && {
    logIn: async () => console.error('Log in in the window of the browser. The run starts after that.'),
  }),
});

async function verifyAll(
  command: VerifyCommand,
  targets: readonly VerifyOptions[],
  secrets: Secrets,
): Promise<number> {
  // Standard output is for the one format that was asked for; everything else goes beside it.
  const isPiped = command.output.json === true || command.output.junit === true;
  const print = isPiped ? console.error : console.log;
  const screen = isPiped ? process.stderr : process.stdout;
  const say: Say = (text, dress = (line) => line) => print(dress(printable(secrets.text(text))));
  const { signal, stop } = stopOnSignals(say);
  const reports: Report[] = [];
  const codes: ExitCode[] = [];
  const logs = new ScenarioLogs();
  const calls = command.calls && (await readCalls(command.calls, process.env));
  const stage = await Stage.open(command, say);
  // What hangs in a browser ends with it.
  signal.addEventListener('abort', () => void stage.close().catch(() => undefined));
  try {
    for (const [at, given] of targets.entries()) {
      const target: VerifyOptions = {
        ...given,
        ...(command.output.html !== undefined && {
          keepLog: (scenario, log) => logs.keep(at, scenario, secrets.text(log)),
        }),
      };
      if (targets.length > 1) say(`\n${target.label ?? target.url}`);
      const progress = command.isQuiet === true ? SILENT : progressFor(say, screen);
      const judged = calls
        ? verifyCalls(target, calls, stage, progress, signal)
        : verify(target, stage, progress, signal);
      // A server that is away has its place in every report too, and costs no verdict on the others.
      const { report, exitCode } = await orUnreached(judged, target);
      const safe = secrets.value(report);
      reports.push(safe);
      codes.push(exitCode);
      say(command.isQuiet === true ? summarize(safe) : `\n${describe(safe)}`);
      if (signal.aborted) break;
    }
    return worstExitCode(codes);
  } finally {
    const changes = await changesSince(command.compare, reports);
    for (const line of changes ? describeChanges(changes) : []) say(line);
    await writeReports(reports, command.output, say, logs);
    await tellGitHub(reports, changes, process.env, print);
    await stage.close().catch(() => undefined);
    stop();
  }
}

/** In CI a snapshot that is missing was forgotten, and not one to be written. */
async function readCalls(
  { path, updates }: NonNullable<VerifyCommand['calls']>,
  env: Env,
): Promise<CallsOptions> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new HarnessError('usage', `Can't read the calls from ${path}.`, { cause: error });
  });
  const writes = updates ? 'all' : env['CI'] ? 'none' : 'missing';
  return { path, calls: parseCallsFile(text, path), snapshots: await Snapshots.read(path), writes };
}

/** The first run in CI has no earlier report, and that is no mistake. */
async function changesSince(
  path: string | undefined,
  reports: readonly Report[],
): Promise<Changes | undefined> {
  if (path === undefined || !existsSync(path)) return undefined;
  return compareReports(parseReports(await readFile(path, 'utf8')), reports);
}

async function orUnreached(
  judged: Promise<Verified>,
  { url, label = url, seed }: VerifyOptions,
): Promise<Verified> {
  try {
    return await judged;
  } catch (error) {
    if (!(error instanceof HarnessError) || error.kind !== 'unreachable') throw error;
    return { report: unreachedReport(label, seed, error.message), exitCode: 3 };
  }
}

const SILENT: Progress = { say: () => undefined, started: () => undefined, ended: () => undefined };

/** `dress` is applied to the text when it can do no harm any more. */
type Say = (text: string, dress?: (line: string) => string) => void;

function progressFor(say: Say, screen: NodeJS.WriteStream): Progress {
  const colored = isColored({ isTty: screen.isTTY, env: process.env });
  const running = new Set<string>();
  let count = { at: 0, total: 0 };
  const clear = (): void => void (screen.isTTY && screen.write(CLEAR_LINE));
  // A line that is overwritten is for a terminal: a log has the line of its end.
  const showRunning = (): void => {
    if (screen.isTTY && running.size > 0) screen.write(startedLine([...running], count.at, count.total));
  };
  return {
    say: (text) => {
      clear();
      say(text);
      showRunning();
    },
    started: (name, at, total) => {
      running.add(name);
      count = { at: Math.min(at, total), total };
      clear();
      showRunning();
    },
    ended: (result: ScenarioResult) => {
      running.delete(result.name);
      clear();
      say(endedLine(result), colored ? (line) => paint(line, result.verdict) : undefined);
      showRunning();
    },
  };
}

/** The first Ctrl-C ends the run in order; the second one at once. */
function stopOnSignals(say: (text: string) => void): { signal: AbortSignal; stop: () => void } {
  const abort = new AbortController();
  const onSignal = (): void => {
    if (abort.signal.aborted) process.exit(130);
    say('\nStopping. Press Ctrl+C again to quit immediately.');
    abort.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: abort.signal,
    stop: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
