/** Runs saved calls: each by itself and across a reload of the page, and compares both with what is expected. */
import { inParallel } from '../../scripts/lib/inParallel.mjs';
import { objectField } from '../../src/base/json.ts';
import type { Context } from '../context.ts';
import type { Call } from '../contract.ts';
import { exitCodeOfReport } from '../exitCode.ts';
import type { Stage } from '../page/stage.ts';
import { VERSION } from '../page/site.ts';
import { prepare } from '../prepare.ts';
import { SCHEMA_VERSION, type Report, type ScenarioResult } from '../report/facts.ts';
import { untilAborted, whenAborted } from '../runScenarios.ts';
import type { Progress, Verified, VerifyOptions } from '../verify.ts';
import type { ExpectedCall } from './callsFile.ts';
import { judgeExpected, resultOf } from './judgeExpected.ts';
import type { Snapshots } from './snapshots.ts';

export interface CallsOptions {
  /** Of the file, for the report. */
  readonly path: string;
  readonly calls: readonly ExpectedCall[];
  readonly snapshots: Snapshots;
  /** Which snapshots are written: all, those that are missing, or none, as in CI. */
  readonly writes: 'all' | 'missing' | 'none';
}

export async function verifyCalls(
  options: VerifyOptions,
  file: CallsOptions,
  stage: Stage,
  progress: Progress,
  signal: AbortSignal,
): Promise<Verified> {
  const startedAt = Date.now();
  const stopped = whenAborted(signal);
  const prepared = await untilAborted(prepare(options, stage, progress), stopped);
  const { context, server, protocolVersion } = prepared;
  const results = new Map<ExpectedCall, readonly ScenarioResult[]>();
  let started = 0;
  try {
    await inParallel(file.calls, context.workers, async (expected) => {
      if (signal.aborted) return;
      progress.started(expected.name, (started += 1), file.calls.length);
      const found = await untilAborted(runCall(expected, context, file), stopped).catch((error: unknown) => [
        notRun(expected, signal.aborted ? 'skipped' : 'fail', error),
      ]);
      results.set(expected, found);
      for (const result of found) progress.ended(result);
    });
  } finally {
    await prepared.close();
  }
  if (await file.snapshots.write()) progress.say(`Wrote ${file.snapshots.path}`);
  const scenarios = file.calls.flatMap((expected) => results.get(expected) ?? []);
  const failed = scenarios.filter(({ verdict }) => verdict === 'fail').length;
  const { url, label = url, seed, terms } = options;
  const report: Report = {
    schemaVersion: SCHEMA_VERSION,
    target: label,
    server,
    protocolVersion,
    outcome: null,
    grade: failed === 0 ? 'calls as expected' : 'calls not as expected',
    callsFile: file.path,
    scenarios,
    browser: context.browser.described,
    ...(terms && { terms }),
    ...(signal.aborted && { incomplete: 'Interrupted. The report has partial results.' }),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    seed,
    reprise: VERSION,
  };
  return { report, exitCode: signal.aborted ? 130 : exitCodeOfReport(report) };
}

const keyOf = ({ tool, name }: ExpectedCall): string => `${tool}: ${name}`;

async function runCall(
  expected: ExpectedCall,
  context: Context,
  { snapshots, writes }: CallsOptions,
): Promise<readonly ScenarioResult[]> {
  const { expect } = expected;
  const key = keyOf(expected);
  const outputSchema = objectField(
    context.tools.find(({ name }) => name === expected.tool),
    'outputSchema',
  );
  const alone = await callOnce(expected, context, 'alone');
  const isWritten =
    expect.snapshot &&
    alone.call.name === 'settled' &&
    (writes === 'all' || (writes === 'missing' && snapshots.of(key) === undefined));
  if (isWritten) snapshots.set(key, resultOf(alone.call));
  const known = { outputSchema, snapshot: snapshots.of(key) };
  const judge = ({ call, durationMs }: Ended, name: string): ScenarioResult => {
    const faults = judgeExpected(call, expect, known);
    const why = faults.length > 0 ? faults.join(' ') : 'The result is as expected.';
    const { received, replayed, duplicates } = call;
    const counts = { received, replayed, duplicates, durationMs };
    return faults.length > 0
      ? { name, verdict: 'fail', why, level: 'must', fix: FIX, ...counts }
      : { name, verdict: 'pass', why, ...counts };
  };
  const results = [judge(alone, key)];
  if (!expect.reload) return results;
  return [
    ...results,
    judge(await callOnce(expected, context, 'reloaded', alone.durationMs), `${key}, reloaded`),
  ];
}

const FIX = 'Compare the result with the file of calls, and change the server or the expectation.';

interface Ended {
  readonly call: Call;
  readonly durationMs: number;
}

/** @param aloneMs how long the call takes by itself: the page is loaded again in its middle at the latest */
async function callOnce(
  { tool, args, meta }: ExpectedCall,
  context: Context,
  how: 'alone' | 'reloaded',
  aloneMs = 0,
): Promise<Ended> {
  const { inspector, context: tab } = await context.open();
  try {
    const startedAt = Date.now();
    const id = await inspector.call(tool, args, meta ? { meta } : {});
    if (how === 'reloaded') {
      await inspector.untilOpen(id);
      // Before the first event ID, no call can be resumed.
      await inspector.untilPositioned(id, aloneMs / 2);
      await inspector.reload();
    }
    const call = await inspector.untilEnded(id, context.timeoutMs);
    return { call, durationMs: Date.now() - startedAt };
  } finally {
    await context.close(tab);
  }
}

function notRun(expected: ExpectedCall, verdict: 'fail' | 'skipped', error: unknown): ScenarioResult {
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return { name: keyOf(expected), verdict, why: `Scenario error: ${why}` };
}
