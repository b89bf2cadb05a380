/** Runs the scenarios of one server: the control call first, the others side by side, each within its time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import type { Context, Opened, Scenario } from './context.ts';
import { HarnessError } from './harnessError.ts';
import { startHeartbeat } from './heartbeat.ts';
import { withLevel } from './judge/levels.ts';
import { sumOfRuns } from './judge/sumOfRuns.ts';
import { nameGaps } from './judge/waterfall.ts';
import { seedOf, seededRandom } from './moment.ts';
import { unmetNeed } from './needs.ts';
import { holdsCredentials } from './page/holdsCredentials.ts';
import { withLog } from './page/withLog.ts';
import { TraceRecorder } from './page/traceRecorder.ts';
import type { ScenarioResult } from './report/facts.ts';
import { wasTooSlow } from './scenarios/interrupt.ts';
import { sideBySide } from './sideBySide.ts';
import type { Progress, VerifyOptions } from './verify.ts';

/** Beyond the patience of each step, so that no scenario can hang a run. */
const GRACE_MS = 60_000;
/** A scenario may try three times, and on a busy machine each takes some times as long as the control call. */
const CALLS_OF_A_SCENARIO = 9;
/** All others are compared with what these find. */
const FIRST: ReadonlySet<string> = new Set(['cors', 'control']);

export interface Stop {
  readonly signal: AbortSignal;
  /** Rejects when the signal is aborted. */
  readonly stopped: Promise<never>;
}

interface Ran {
  /** In the order of the list. */
  readonly results: readonly ScenarioResult[];
  /** Why the run ended before its time. */
  readonly incomplete: string | undefined;
}

export async function runScenarios(
  scenarios: readonly Scenario[],
  context: Context,
  options: VerifyOptions,
  progress: Progress,
  { signal, stopped }: Stop,
): Promise<Ran> {
  const { url, seed, repeat = 1 } = options;
  const traces = tracesFor(options, progress);
  const results = new Map<string, ScenarioResult>();
  let incomplete: string | undefined;
  let started = 0;
  const end = (result: ScenarioResult): void => {
    results.set(result.name, result);
    progress.ended(result);
  };
  const run = async (scenario: Scenario): Promise<ScenarioResult> => {
    progress.started(scenario.name, (started += 1), scenarios.length);
    const found = await withTraces(scenario.name, context, traces, (traced) =>
      withLog(scenario.name, traced, options.keepLog, (logged) => runSome(scenario, logged, stopped, repeat)),
    );
    const why = incomplete ?? (await whyEnded(found, url, context, signal));
    // Another scenario may have found the same meanwhile.
    if (incomplete === undefined && why !== undefined) progress.say((incomplete = why));
    // What a server that is gone could not do is no failure of it.
    return incomplete !== undefined && found.verdict === 'fail' ? skip(scenario, incomplete) : found;
  };
  const isOver = (): boolean => incomplete !== undefined;
  for (const scenario of scenarios.filter(({ name }) => FIRST.has(name))) {
    if (!isOver()) end(await run(scenario));
  }
  const others = scenarios
    .filter(({ name }) => !FIRST.has(name))
    // Numbers of its own: with those of all, a moment would depend on what runs beside.
    .map((scenario) => withRandom(scenario, seededRandom(seedOf(seed, scenario.name))));
  await sideBySide(others, { workers: context.workers, run, ended: end, isOver });
  return {
    results: scenarios.map(
      (scenario) =>
        results.get(scenario.name) ?? skip(scenario, 'Not run: the run ended before this scenario.'),
    ),
    incomplete,
  };
}

function tracesFor(options: VerifyOptions, progress: Progress): string | undefined {
  if (options.traces === undefined || !holdsCredentials(options)) return options.traces;
  progress.say('No traces are recorded, because they would contain your credentials.');
  return undefined;
}

/** `control` leaves what it finds in the context, which must not be a copy then. */
async function withTraces(
  name: string,
  context: Context,
  folder: string | undefined,
  run: (context: Context) => Promise<ScenarioResult>,
): Promise<ScenarioResult> {
  if (folder === undefined || name === 'control') return run(context);
  const recorder = new TraceRecorder(folder, name);
  const openIn = async (tab: BrowserContext): Promise<Opened> => {
    await recorder.start(tab);
    return context.openIn(tab);
  };
  const result = await run({
    ...context,
    openIn,
    open: async (proxy) => openIn(await context.browser.newContext(proxy)),
    close: (tab) => recorder.close(tab),
  });
  const traces = await recorder.end(result.verdict === 'fail');
  return traces.length > 0 ? { ...result, traces } : result;
}

const withRandom = (scenario: Scenario, random: () => number): Scenario => ({
  ...scenario,
  run: (context) => scenario.run({ ...context, random }),
});

const skip = ({ name }: Pick<Scenario, 'name'>, why: string): ScenarioResult => ({
  name,
  verdict: 'skipped',
  why,
});

/** So often, unless it fails for a reason that ends the run; the control call is made once, as the others rest on it. */
async function runSome(
  scenario: Scenario,
  context: Context,
  stopped: Promise<never>,
  times: number,
): Promise<ScenarioResult> {
  const results: ScenarioResult[] = [];
  const wanted = FIRST.has(scenario.name) ? 1 : times;
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
  const heartbeat = startHeartbeat();
  const limit = new AbortController();
  const longestMs = context.timeoutMs + GRACE_MS + (context.control?.durationMs ?? 0) * CALLS_OF_A_SCENARIO;
  try {
    const late = pause(longestMs, undefined, { signal: limit.signal }).then(() => {
      throw new Error(`timed out after ${Math.round(longestMs / 1000)} s`);
    });
    late.catch(() => undefined);
    const finding = await untilAborted(Promise.race([scenario.run(context), late]), stopped);
    if (wasTooSlow(finding)) {
      const { isTooBusy, lateMs } = heartbeat.stop();
      if (isTooBusy) return { ...tooBusy(name, lateMs, finding.why), durationMs: Date.now() - startedAt };
    }
    return withLevel(nameGaps({ name, ...finding, durationMs: Date.now() - startedAt }));
  } catch (error) {
    if (error instanceof HarnessError && error.kind === 'interrupted') {
      return { name, verdict: 'skipped', why: 'Interrupted.' };
    }
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const { isTooBusy, lateMs } = heartbeat.stop();
    if (isTooBusy) return { ...tooBusy(name, lateMs, why), durationMs: Date.now() - startedAt };
    return withLevel({
      name,
      verdict: 'fail',
      why: `Scenario error: ${why}`,
      level: 'must',
      durationMs: Date.now() - startedAt,
    });
  } finally {
    limit.abort();
    heartbeat.stop();
  }
}

/** How the sentence begins where nothing can be said about the server. */
export const TOO_BUSY = 'This computer is too busy for this scenario';

/** Not a failure of the server, as far as anybody can tell. */
const tooBusy = (name: string, lateMs: number, why: string): ScenarioResult => ({
  name,
  verdict: 'skipped',
  why:
    `${TOO_BUSY}: verify waited ${Math.round(lateMs / 1000)} s for a processor. ` +
    `Run fewer scenarios in parallel with --workers. (${why})`,
});

/** A failure may be the server's end, and then the next scenarios would only say so again. */
async function whyEnded(
  { name, verdict }: ScenarioResult,
  url: string,
  context: Context,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return `Interrupted during "${name}". The report has partial results.`;
  if (verdict !== 'fail') return undefined;
  try {
    const server = await context.newRawServer();
    await server.close();
    return undefined;
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return `${url} stopped responding during "${name}". The report has partial results.`;
  }
}

/** Rejects when the run is to end; one for the whole run, however many wait for it. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new HarnessError('interrupted', 'Interrupted.'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  stopped.catch(() => undefined);
  return stopped;
}

export function untilAborted<T>(work: Promise<T>, stopped: Promise<never>): Promise<T> {
  work.catch(() => undefined);
  return Promise.race([work, stopped]);
}
