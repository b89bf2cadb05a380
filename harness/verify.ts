/** Judges one server: reach it, look at it as a browser does, run the scenarios, draw the sum. */
import { isOfBridge, type BridgeMark } from '../src/base/bridgeContract.ts';
import { bridgeNote } from '../src/base/bridgeWords.ts';
import type { Context, Scenario } from './context.ts';
import { exitCodeOfReport, type ExitCode } from './exitCode.ts';
import { gradeOf, outcomeOf } from './judge/outcome.ts';
import { costsShownByReloads } from './judge/reloadCost.ts';
import type { Stage } from './page/stage.ts';
import { VERSION } from './page/site.ts';
import { callsNoTool } from './needs.ts';
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
import { describeInterface } from './interface/describeInterface.ts';
import { INTERFACE, verifyInterface, type SnapshotOptions } from './interface/verifyInterface.ts';
import { runScenarios, untilAborted, whenAborted, type Stop } from './runScenarios.ts';
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
  /** The scenarios are one of several parts. */
  readonly part?: { readonly index: number; readonly total: number };
  /** Which way of the protocol a page speaks to it; its own choice if left out. */
  readonly revision?: Revision;
  readonly reloads: number;
  /** How often each scenario is run; once if left out. */
  readonly repeat?: number;
  /** Where a Playwright trace of each failed scenario is kept; none is recorded if left out. */
  readonly traces?: string;
  /** Gets the log of each scenario as JSON, when its page is closed. */
  readonly keepLog?: (scenario: string, log: string) => void;
  /** How many scenarios run side by side. */
  readonly workers?: number;
  readonly timeoutMs: number;
  readonly allowNoCors: boolean;
  /** The tool is meant to end in an error. */
  readonly expectError?: boolean;
  readonly terms?: Terms;
  /** A file that the interface of the server is compared with. */
  readonly snapshot?: SnapshotOptions;
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

export async function verify(
  options: VerifyOptions,
  stage: Stage,
  progress: Progress,
  signal: AbortSignal,
): Promise<Verified> {
  const startedAt = Date.now();
  const stopped = whenAborted(signal);
  const prepared = await untilAborted(prepare(options, stage, progress), stopped);
  try {
    const report = await verifyPrepared(prepared, options, progress, { startedAt, signal, stopped });
    return { report, exitCode: signal.aborted ? 130 : exitCodeOfReport(report) };
  } finally {
    await prepared.close();
  }
}

async function verifyPrepared(
  prepared: Prepared,
  options: VerifyOptions,
  progress: Progress,
  { startedAt, ...stop }: Stop & { readonly startedAt: number },
): Promise<Report> {
  const { context } = prepared;
  const scenarios = chosen(options.scenarios);
  const { results: ran, incomplete } = await runScenarios(scenarios, context, options, progress, stop);
  const isWhole = !options.scenarios || options.part?.index === 1;
  const asksStdout = context.bridge?.transport === 'stdio' && incomplete === undefined && isWhole;
  const { snapshot } = options;
  const results = [
    ...ran,
    ...(asksStdout ? [await judgeStdout(context)] : []),
    ...(snapshot && incomplete === undefined && (options.part?.index ?? 1) === 1
      ? [await verifyInterface(context, options, snapshot, progress)]
      : []),
  ];
  const reloadCosts = await costsOf(results, context, options, incomplete, progress);
  return sumUp(prepared, results, options, { startedAt, incomplete, reloadCosts });
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
  progress.say('Calling each read-only tool once, to measure which calls a reload would cancel.');
  const shown = costsShownByReloads(results, context);
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  return measureReloadCosts(url, { ...headers, ...authorization }, context.tools, shown);
}

/** `control` is the measure for the others, so it runs whenever one of them does. */
function chosen(names: readonly string[] | undefined): readonly Scenario[] {
  if (!names) return SCENARIOS;
  const wanted = new Set(names);
  const alone = callsNoTool(names);
  return SCENARIOS.filter(({ name }) => wanted.has(name) || (name === 'control' && !alone));
}

function sumUp(
  { context, server, protocolVersion, capabilities }: Prepared,
  scenarios: readonly ScenarioResult[],
  { url, label = url, seed, terms, revision, expectError, part, snapshot }: VerifyOptions,
  {
    startedAt,
    incomplete,
    reloadCosts,
  }: { startedAt: number; incomplete: string | undefined; reloadCosts: readonly ReloadCost[] },
): Report {
  const outcome = outcomeOf(scenarios, context);
  const { bridge } = context;
  const asked = scenarios.filter(({ name }) => name !== STDOUT && name !== INTERFACE).length;
  return {
    schemaVersion: SCHEMA_VERSION,
    target: label,
    server,
    protocolVersion,
    outcome,
    // What the server offers says nothing about what becomes of a call.
    grade: gradeOf(outcome, withoutInterface(scenarios), {
      isBlocked: context.blocked !== undefined,
      era: context.era,
      bridge,
      ...(asked < SCENARIOS.length && { of: SCENARIOS.length }),
    }),
    scenarios,
    ...describeInterface(context.tools, capabilities),
    ...(context.tool && { tool: context.tool }),
    ...(reloadCosts.length > 0 && { reloadCosts }),
    ...(revision !== undefined && revision !== 'auto' && { revision }),
    ...(expectError === true && { expectError }),
    ...(bridge && { bridge: reportedBridge(bridge, scenarios) }),
    browser: context.browser.described,
    ...(context.withoutCors && { withoutCors: true }),
    ...(terms && { terms }),
    ...(part && {
      part: {
        ...part,
        hasSession: context.hasSession,
        era: context.era,
        isBlocked: context.blocked !== undefined,
      },
    }),
    ...(snapshot && { snapshotFile: snapshot.path }),
    ...(incomplete !== undefined && { incomplete }),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    seed,
    reprise: VERSION,
  };
}

const withoutInterface = (scenarios: readonly ScenarioResult[]): readonly ScenarioResult[] =>
  scenarios.filter(({ name }) => name !== INTERFACE);

/** What every bridge passes on unchanged: its verdict is the server's. */
const OWN: ReadonlySet<string> = new Set([
  'control',
  'concurrent-calls',
  'pending-question',
  STDOUT,
  INTERFACE,
]);

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
    grade: 'not tested',
    scenarios: [],
    incomplete: why,
    startedAt: new Date().toISOString(),
    durationMs: 0,
    seed,
    reprise: VERSION,
  };
}
