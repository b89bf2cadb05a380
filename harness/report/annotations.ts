/** Problems as annotations of a GitHub Actions run (workflow commands). Pure. */
import { failsAt } from '../judge/levels.ts';
import type { Report } from './facts.ts';
import { problemsIn } from './problems.ts';
import { describeLevel } from './text.ts';

/** An error for what makes the run fail, a warning for the rest. */
export function drawAnnotations(reports: readonly Report[]): readonly string[] {
  return reports.flatMap((report) => [
    ...(report.incomplete === undefined ? [] : [command('error', 'mcp-reprise', report.incomplete)]),
    ...problemsIn(report).map(({ title, shown, others }) => {
      const { failOn = 'must', expectedFailures = [] } = report.terms ?? {};
      const all = [shown, ...others];
      const isError = all.some((one) => failsAt(one, failOn) && !expectedFailures.includes(one.name));
      const level = describeLevel(shown);
      const names = all.map(({ name }) => name).join(', ');
      const fix = shown.fix === undefined ? '' : `\nFix: ${shown.fix}`;
      const text = `${title}${level === '' ? '' : ` [${level}]`}\nFound by ${names}.${fix}`;
      return command(isError ? 'error' : 'warning', `mcp-reprise: ${report.server.name}`, text);
    }),
  ]);
}

const command = (name: 'error' | 'warning', title: string, message: string): string =>
  `::${name} title=${escapeProperty(title)}::${escapeData(message)}`;

/** As the runner decodes them: a line break or a comma of a server must not begin another command. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
