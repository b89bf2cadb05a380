/** Judges one server: reach it, look at it as a browser does, run the scenarios, draw the sum. */
import { setTimeout as pause } from 'node:timers/promises';
import { isOfBridge, type BridgeMark } from '../../src/base/bridgeContract.ts';
import { bridgeNote } from '../../src/base/bridgeWords.ts';
import type { Context, Scenario } from './context.ts';
import { exitCodeOfReport, type ExitCode } from './exitCode.ts';
import { HarnessError } from './harnessError.ts';
import { withLevel } from './judge/levels.ts';
import { gradeOf, outcomeOf } from './judge/outcome.ts';
import { costsShownByReloads } from './judge/reloadCost.ts';
import { sumOfRuns } from './judge/sumOfRuns.ts';
import { nameGaps } from './judge/waterfall.ts';
import { unmetNeed } from './needs.ts';
import type { Stage } from './page/stage.ts';
import { VERSION } from './page/site.ts';
import { prepare, type Prepared } from './prepare.ts';
import type { Revision } from './probe/reach.ts';
import { measureReloadCosts } from './probe/reloadCosts.ts';
import {
  SCHEMA_VERSION,
  type ReloadCost,
  type Report,
  type ReportedBridge,
  type ScenarioResult,
  type Terms,
} from './report/facts.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { judgeStdout, STDOUT } from './scenarios/stdout.ts';

export interface VerifyOptions {
  readonly url: string;
  /** What the report calls it, if the URL says nothing: a command. */
  readonly label?: string;
  readonly tool?: string;
  readonly args?: object;
  readonly headers: Readonly<Record<string, string>>;
  readonly bearer?: string;
  /** By name; all if left out. */
  readonly scenarios?: readonly string[];
  /** Which way of the protocol a page speaks to it; its own choice if left out. */
  readonly revision?: Revision;
  readonly reloads: number;
  /** How often each scenario is run; once if left out. */
  readonly repeat?: number;
  readonly timeoutMs: number;
  readonly allowNoCors: boolean;
  /** The tool is meant to end in an error. */
  readonly expectError?: boolean;
  readonly terms?: Terms;
  readonly seed: number;
}

export interface Progress {
  /** A sentence about what was found or decided. */
  say(text: string): void;
  started(scenario: string, at: number, total: number): void;
  ended(result: ScenarioResult): void;
}

export interface Verified {
  readonly report: Report;
  readonly exitCode: ExitCode;
}

/** Beyond the patience of each step, so that no scenario can hang a run. */
const GRACE_MS = 60_000;
/** A scenario may try three times, and on a busy machine each takes some times as long as the control call. */
const CALLS_OF_A_SCENARIO = 9;

export async function verify(
  options: VerifyOptions,
  stage: Stage,
  progress: Progress,
  signal: AbortSignal,
): Promise<Verified> {
  const startedAt = Date.now();
  const stopped = whenAborted(signal);
  const prepared = await untilAborted(prepare(options, stage, progress), stopped);
  const { context } = prepared;
  const results: ScenarioResult[] = [];
  let incomplete: string | undefined;
  const scenarios = chosen(options.scenarios);
  for (const [at, scenario] of scenarios.entries()) {
    if (incomplete !== undefined) {
      results.push(skip(scenario, 'The run had ended before this scenario.'));
      continue;
    }
    progress.started(scenario.name, at + 1, scenarios.length);
    const found = await runSome(scenario, context, stopped, options.repeat ?? 1);
    incomplete = await whyEnded(found, options, context, signal);
    // What a server that is gone could not do is no failure of it.
    const result = incomplete !== undefined && found.verdict === 'fail' ? skip(scenario, incomplete) : found;
    results.push(result);
    progress.ended(result);
    if (incomplete !== undefined) progress.say(incomplete);
  }
  if (context.bridge?.transport === 'stdio' && incomplete === undefined && !options.scenarios) {
    results.push(await judgeStdout(context));
  }
  const reloadCosts = await costsOf(results, context, options, incomplete, progress);
  const report = sumUp(prepared, results, options, { startedAt, incomplete, reloadCosts });
  return { report, exitCode: signal.aborted ? 130 : exitCodeOfReport(report) };
}

/** Tool by tool, for a server that has no session to return to. */
async function costsOf(
  results: readonly ScenarioResult[],
  context: Context,
  { url, headers, bearer }: VerifyOptions,
  incomplete: string | undefined,
  progress: Progress,
): Promise<readonly ReloadCost[]> {
  const isAsked = results.some(({ name }) => name === 'reload-cancels' || name === 'reload-with-task');
  if (context.era !== 'stateless' || !isAsked || incomplete !== undefined) return [];
  progress.say('Calling each read-only tool once, to see what a reload costs.');
  const shown = costsShownByReloads(results, context);
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  return measureReloadCosts(url, { ...headers, ...authorization }, context.tools, shown);
}

const skip = ({ name }: Scenario, why: string): ScenarioResult => ({ name, verdict: 'skipped', why });

/** `control` is the measure for the others, so it runs whenever one of them does. */
function chosen(names: readonly string[] | undefined): readonly Scenario[] {
  if (!names) return SCENARIOS;
  const wanted = new Set(names);
  const alone = names.every((name) => name === 'cors');
  return SCENARIOS.filter(({ name }) => wanted.has(name) || (name === 'control' && !alone));
}

/** So often, unless it fails for a reason that ends the run; the control call is made once, as the others rest on it. */
async function runSome(
  scenario: Scenario,
  context: Context,
  stopped: Promise<never>,
  times: number,
): Promise<ScenarioResult> {
  const results: ScenarioResult[] = [];
  const wanted = scenario.name === 'control' || scenario.name === 'cors' ? 1 : times;
  while (results.length < wanted) {
    const result = await runOne(scenario, context, stopped);
    results.push(result);
    if (result.verdict !== 'pass' && result.verdict !== 'fail') break;
  }
  return sumOfRuns(results);
}

async function runOne(
  scenario: Scenario,
  context: Context,
  stopped: Promise<never>,
): Promise<ScenarioResult> {
  const { name } = scenario;
  const unmet = unmetNeed(scenario.needs, context);
  if (unmet) return { name, ...unmet };
  const startedAt = Date.now();
  const limit = new AbortController();
  const longestMs = context.timeoutMs + GRACE_MS + (context.control?.durationMs ?? 0) * CALLS_OF_A_SCENARIO;
  try {
    const late = pause(longestMs, undefined, { signal: limit.signal }).then(() => {
      throw new Error(`it was not done after ${Math.round(longestMs / 1000)} s`);
    });
    late.catch(() => undefined);
    const finding = await untilAborted(Promise.race([scenario.run(context), late]), stopped);
    return withLevel(nameGaps({ name, ...finding, durationMs: Date.now() - startedAt }));
  } catch (error) {
    if (error instanceof HarnessError && error.kind === 'interrupted') {
      return { name, verdict: 'skipped', why: 'Stopped before it was done.' };
    }
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return withLevel({
      name,
      verdict: 'fail',
      why: `This could not be carried out: ${why}`,
      level: 'must',
      durationMs: Date.now() - startedAt,
    });
  } finally {
    limit.abort();
  }
}

/** A failure may be the server's end, and then the next scenarios would only say so again. */
async function whyEnded(
  { name, verdict }: ScenarioResult,
  { url }: VerifyOptions,
  context: Context,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return `Stopped during "${name}". What was found so far is kept.`;
  if (verdict !== 'fail') return undefined;
  try {
    const server = await context.newRawServer();
    await server.close();
    return undefined;
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return `The server at ${url} stopped answering during "${name}". What was found so far is kept.`;
  }
}

function sumUp(
  { context, server, protocolVersion }: Prepared,
  scenarios: readonly ScenarioResult[],
  { url, label = url, seed, terms, revision, expectError }: VerifyOptions,
  {
    startedAt,
    incomplete,
    reloadCosts,
  }: { startedAt: number; incomplete: string | undefined; reloadCosts: readonly ReloadCost[] },
): Report {
  const outcome = outcomeOf(scenarios, context);
  const { bridge } = context;
  const asked = scenarios.filter(({ name }) => name !== STDOUT).length;
  return {
    schemaVersion: SCHEMA_VERSION,
    target: label,
    server,
    protocolVersion,
    outcome,
    grade: gradeOf(outcome, scenarios, {
      isBlocked: context.blocked !== undefined,
      era: context.era,
      bridge,
      ...(asked < SCENARIOS.length && { of: SCENARIOS.length }),
    }),
    scenarios,
    ...(context.tool && { tool: context.tool }),
    ...(reloadCosts.length > 0 && { reloadCosts }),
    ...(revision !== undefined && revision !== 'auto' && { revision }),
    ...(expectError === true && { expectError }),
    ...(bridge && { bridge: reportedBridge(bridge, scenarios) }),
    ...(context.withoutCors && { withoutCors: true }),
    ...(terms && { terms }),
    ...(incomplete !== undefined && { incomplete }),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    seed,
    reprise: VERSION,
  };
}

/** What every bridge passes on unchanged: its verdict is the server's. */
const OWN: ReadonlySet<string> = new Set(['control', 'concurrent-calls', 'pending-question', STDOUT]);

function reportedBridge(bridge: BridgeMark, scenarios: readonly ScenarioResult[]): ReportedBridge {
  const isOwn = (name: string): boolean => {
    if (OWN.has(name)) return true;
    if (name === 'cors') return false;
    return name === 'reload-with-task' ? bridge.replay !== 'tasks' : !isOfBridge(bridge);
  };
  const ownScenarios = scenarios.map(({ name }) => name).filter(isOwn);
  return { ...bridge, note: bridgeNote(bridge), ownScenarios };
}

/** A server that could not be judged has a place in the report too. */
export function unreachedReport(target: string, seed: number, why: string): Report {
  return {
    schemaVersion: SCHEMA_VERSION,
    target,
    server: { name: new URL(target).host, version: '' },
    protocolVersion: '',
    outcome: null,
    grade: 'not judged',
    scenarios: [],
    incomplete: why,
    startedAt: new Date().toISOString(),
    durationMs: 0,
    seed,
    reprise: VERSION,
  };
}

/** Rejects when the run is to end; one for the whole run, however many wait for it. */
function whenAborted(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new HarnessError('interrupted', 'Stopped before the run was done.'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  stopped.catch(() => undefined);
  return stopped;
}

function untilAborted<T>(work: Promise<T>, stopped: Promise<never>): Promise<T> {
  work.catch(() => undefined);
  return Promise.race([work, stopped]);
}
