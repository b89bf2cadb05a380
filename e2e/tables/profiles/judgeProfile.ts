/** Starts a target of a profile, judges it, and compares the report with the table. */
import { startTarget } from '../../../targets/startTarget.ts';
import { OAuthBrowser } from '../../../targets/testing/oauthBrowser.ts';
import { exitCodeOfReport } from '../../../harness/exitCode.ts';
import type { Stage } from '../../../harness/page/stage.ts';
import type { Report } from '../../../harness/report/facts.ts';
import { verify } from '../../../harness/verify.ts';
import { differences, type Expected } from './expected.ts';

export interface JudgeOptions {
  /** All, or those that tell the profile's story. */
  readonly scenarios?: readonly string[];
  readonly seed?: number;
  readonly allowNoCors?: boolean;
  /** How many scenarios run side by side. */
  readonly workers?: number;
}

type Judgeable = Pick<Expected, 'profile' | 'overrides' | 'cors' | 'start' | 'tool' | 'args' | 'revision'>;

const SILENT = { say: () => undefined, started: () => undefined, ended: () => undefined };

export async function judgeProfile(
  {
    profile,
    overrides,
    cors,
    start,
    tool = 'countdown',
    args = { ticks: 12, intervalMs: 150 },
    revision,
  }: Judgeable,
  stage: Stage,
  { scenarios, seed = 1, allowNoCors = false, workers }: JudgeOptions,
): Promise<Report> {
  const { origin } = new URL(stage.site.url);
  const options = { ...(overrides && { overrides: overrides({ origin }) }), ...(cors && { cors }) };
  const target = start ? undefined : await startTarget(profile, options);
  const server = target ?? (await start?.());
  if (!server) throw new Error(`No server for ${profile}.`);
  try {
    const tokens = target && profile === 'oauth' ? await new OAuthBrowser(target).signIn({}) : undefined;
    const { report } = await verify(
      {
        url: server.url,
        ...(tool !== null && { tool }),
        ...(args !== null && { args }),
        ...(revision !== undefined && { revision }),
        headers: {},
        ...(tokens && { bearer: tokens.access_token }),
        ...(scenarios && { scenarios }),
        ...(workers !== undefined && { workers }),
        reloads: 2,
        timeoutMs: 45_000,
        allowNoCors,
        seed,
      },
      stage,
      SILENT,
      new AbortController().signal,
    );
    return report;
  } finally {
    await server.close();
  }
}

export function compareReport(expected: Expected, report: Report): readonly string[] {
  const named = (verdicts: readonly string[]): string[] =>
    report.scenarios.filter(({ verdict }) => verdicts.includes(verdict)).map(({ name }) => name);
  return differences(expected, {
    outcome: report.outcome,
    exitCode: exitCodeOfReport(report),
    asked: report.scenarios.map(({ name }) => name),
    ran: named(['pass', 'fail']),
    passes: named(['pass']),
    fails: named(['fail']),
    scenarios: report.scenarios,
    remarks: report.scenarios.flatMap(({ remarks = [] }) => remarks),
  });
}
