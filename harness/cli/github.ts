/** What a run leaves in GitHub Actions: a summary, annotations and outputs, where the runner says how. */
import { appendFile } from 'node:fs/promises';
import { exitCodeOfReport, worstExitCode } from '../exitCode.ts';
import { drawAnnotations } from '../report/annotations.ts';
import type { Changes } from '../report/compareReports.ts';
import type { Report } from '../report/facts.ts';
import { drawMarkdown } from '../report/markdown.ts';
import type { Env } from './readSecret.ts';

/** @param print to the log of the step, where the runner reads its commands */
export async function tellGitHub(
  reports: readonly Report[],
  changes: Changes | undefined,
  env: Env,
  print: (line: string) => void,
): Promise<void> {
  if (reports.length === 0) return;
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output, GITHUB_ACTIONS: isRunner } = env;
  if (summary) await appendFile(summary, drawMarkdown(reports, changes));
  if (output) await appendFile(output, drawOutputs(reports, changes));
  if (isRunner === 'true') for (const line of drawAnnotations(reports)) print(line);
}

/** Lines of `name=value`, in which a value has one line. */
function drawOutputs(reports: readonly Report[], changes: Changes | undefined): string {
  const codes = reports.map(exitCodeOfReport);
  const shown = reports[codes.indexOf(worstExitCode(codes))] ?? reports[0];
  const failed = reports.flatMap(({ scenarios }) => scenarios.filter(({ verdict }) => verdict === 'fail'));
  const values = {
    grade: shown?.grade ?? '',
    outcome: shown?.outcome ?? '',
    failed: [...new Set(failed.map(({ name }) => name))].join(','),
    'new-failures': [...new Set(changes?.newFailures.map(({ scenario }) => scenario))].join(','),
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value.replace(/[\r\n]+/g, ' ')}\n`)
    .join('');
}
