/** The report on a page as text. Pure. */
import { duration } from '../../src/base/format.ts';
import type { PageReport, PageResult } from './facts.ts';
import { LETTER_WORDS } from './letter.ts';

const TARGET_WIDTH = 12;
const NAME_WIDTH = 26;
const SIGNS = { pass: 'pass', fail: 'FAIL', unsupported: '  – ', skipped: '  ? ' };

/** "  FAIL  resumable  reload-twice  R  last-event: …" */
export function resultLine({ target, name, verdict, letter, why }: PageResult): string {
  return `  ${SIGNS[verdict]}  ${target.padEnd(TARGET_WIDTH)}  ${name.padEnd(NAME_WIDTH)}  ${letter ?? '–'}  ${why}`;
}

export function describePage(report: PageReport): string {
  const { grade, letter, results, seed, durationMs, incomplete } = report;
  const words = letter === null ? 'no call could be tested' : `${letter}: ${LETTER_WORDS[letter]}`;
  const count = (verdict: PageResult['verdict']): number =>
    results.filter((one) => one.verdict === verdict).length;
  const problems = problemsOf(results);
  return [
    ...problems.flatMap((problem) => ['', problem]),
    ...(problems.length > 0 ? [''] : []),
    ...(incomplete === undefined ? [] : [incomplete]),
    `${grade.toUpperCase()} (${words}). ${[
      `${count('pass')} passed`,
      `${count('fail')} failed`,
      ...(count('unsupported') > 0 ? [`${count('unsupported')} not supported`] : []),
    ].join(', ')}. Seed ${seed}. ${duration(durationMs)}.`,
  ].join('\n');
}

/** Each broken rule once, with where it was seen, one exchange and the fix. */
function problemsOf(results: readonly PageResult[]): readonly string[] {
  const rules = new Map<string, PageResult[]>();
  for (const result of results.filter(({ verdict }) => verdict === 'fail'))
    for (const { rule } of result.findings) rules.set(rule, [...(rules.get(rule) ?? []), result]);
  return [...rules].map(([rule, found]) => {
    const finding = found[0]?.findings.find((one) => one.rule === rule);
    const where = found.map(({ target, name }) => `${target}/${name}`);
    const more = where.length > 4 ? ` and ${where.length - 4} more` : '';
    const level = finding
      ? `   [${finding.level.toUpperCase()}${finding.clause === undefined ? '' : `, ${finding.clause}`}]`
      : '';
    return [
      `✗ ${rule}${level}`,
      `    In: ${where.slice(0, 4).join(', ')}${more}`,
      `    Expected: ${finding?.expected ?? ''}`,
      `    Received: ${finding?.received ?? ''}`,
      ...(finding?.exchange === undefined ? [] : [finding.exchange.replace(/^/gm, '      ')]),
      `  Fix: ${finding?.fix ?? ''}`,
    ].join('\n');
  });
}
