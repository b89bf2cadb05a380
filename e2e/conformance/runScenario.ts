/** Runs one scenario by itself: the suite's own "all at once" ignores exit codes and timeouts. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Suite } from './suite.ts';

const WATCHDOG_MS = 60_000;

const Checks = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));

export interface ScenarioResult {
  readonly scenario: string;
  /**
   * `warning`: nothing failed, something is recommended; `empty`: no check ran, which proves nothing; `skipped`: the suite
   * says itself that it has none.
   */
  readonly verdict: 'pass' | 'warning' | 'fail' | 'empty' | 'skipped' | 'hung';
  readonly checks: number;
  readonly why: readonly string[];
}

export async function runScenario(
  suite: Suite,
  scenario: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<ScenarioResult> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const child = spawn(suite.node, [suite.cli, ...args, '--scenario', scenario, '-o', folder], {
      stdio: 'ignore',
      env,
    });
    const isHung = await new Promise<boolean>((resolve) => {
      const watchdog = setTimeout(() => {
        child.kill('SIGKILL');
        resolve(true);
      }, WATCHDOG_MS);
      child.once('exit', () => {
        clearTimeout(watchdog);
        resolve(false);
      });
    });
    if (isHung) return { scenario, verdict: 'hung', checks: 0, why: [`no end within ${WATCHDOG_MS} ms`] };
    return judge(scenario, await readChecks(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readChecks(folder: string): Promise<z.infer<typeof Checks>> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('checks.json'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => Checks.parse(JSON.parse(text)));
}

/** Only what passed or failed is a check; the rest is a record of what happened. */
function judge(scenario: string, all: z.infer<typeof Checks>): ScenarioResult {
  const checks = all.filter(({ status }) => ['SUCCESS', 'FAILURE', 'WARNING'].includes(status));
  const whyOf = (wanted: string) =>
    checks
      .filter(({ status }) => status === wanted)
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? wanted}`);
  const [failures, warnings] = [whyOf('FAILURE'), whyOf('WARNING')];
  const why = [...failures, ...warnings];
  const skipped = all.filter(({ status }) => status === 'SKIPPED');
  if (checks.length === 0 && skipped.length > 0) {
    return {
      scenario,
      verdict: 'skipped',
      checks: 0,
      why: skipped.map(({ errorMessage = '' }) => errorMessage),
    };
  }
  if (checks.length === 0) return { scenario, verdict: 'empty', checks: 0, why };
  const verdict = failures.length > 0 ? 'fail' : warnings.length > 0 ? 'warning' : 'pass';
  return { scenario, verdict, checks: checks.length, why };
}

export function printResult({ scenario, verdict, checks, why }: ScenarioResult): void {
  console.log(`${verdict.padEnd(7)} ${scenario} (${checks} checks)`);
  for (const reason of why) console.log(`          ${reason}`);
}
