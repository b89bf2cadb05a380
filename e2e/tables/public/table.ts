/** Draws docs/public-servers.md from the results: the table, then each sentence with what raw HTTP showed. Pure but for the file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { compareWithRaw, type Check } from './agree.ts';
import type { Result } from './results.ts';

const PAGE = join(ROOT, 'docs/public-servers.md');
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const checksOf = ({ report, raw }: Result): readonly Check[] => compareWithRaw(report, raw);

export function rowOf(result: Result): string {
  const { name, package: from, version, date, language, sdk, report } = result;
  const fails = report.scenarios.filter(({ verdict }) => verdict === 'fail').map((one) => one.name);
  const letter = checksOf(result).find(({ scenario }) => scenario === 'letter');
  const cells = [
    name,
    `${from} ${version}`,
    date,
    language === sdk ? language : `${language}, SDK ${sdk}`,
    report.protocolVersion,
    report.outcome ?? '–',
    report.grade,
    report.withoutCors === true ? 'no' : 'yes',
    fails.join(', ') || '–',
    letter?.raw.replace(/^[^:]*: /, '') ?? '',
  ];
  return `| ${cells.map(cell).join(' | ')} |`;
}

const HEAD = [
  'server',
  'package',
  'date',
  'language, SDK',
  'protocol version',
  'outcome',
  'grade',
  'open to pages',
  'fails',
  'raw HTTP',
];

function pageOf(results: readonly Result[]): string {
  const checks = results.flatMap(checksOf);
  const count = (agrees: boolean | null): number => checks.filter((check) => check.agrees === agrees).length;
  // One name can be a package of either registry.
  const packages = new Set(results.map(({ language, package: name }) => `${language} ${name}`)).size;
  return [
    '# Public servers, judged and checked',
    '',
    '`npm run verify:public` installs these packages outside of the repository, starts each server in a new folder, judges it with every scenario',
    'of `verify`, and asks it the same over raw HTTP (`node:http`): initialize, tools/call, a cut connection, GET with Last-Event-ID, the same request',
    'twice, DELETE, OPTIONS. Each sentence of the verdict is compared with that. This page is made from',
    '[results.json](../e2e/tables/public/results.json) by `npm run verify:public -- --table`; `-- --raw <name>` prints the exchanges.',
    '',
    `${results.length} servers, ${packages} packages. ${checks.length} sentences: ${count(true)} agree with raw HTTP, ${count(false)} disagree, ${count(null)} can't be told from these exchanges.`,
    'A sentence that disagrees is a fault of `verify`, or older than its fix. [CHECKED.md](../e2e/tables/public/CHECKED.md) lists what was',
    "checked by hand, where one series of requests can't tell.",
    '',
    'No outcome means that no call of the server could be interrupted, because it has no tool that takes long enough. "Open to pages: no" means that',
    "a page of another origin can't use the server as it comes. Those were judged with `--allow-no-cors`.",
    '',
    `| ${HEAD.join(' | ')} |`,
    `|${HEAD.map(() => '---').join('|')}|`,
    ...results.map(rowOf),
    '',
    '## Each sentence',
    '',
    ...results.flatMap(sectionOf),
  ].join('\n');
}

function sectionOf(found: Result): readonly string[] {
  const { name, report } = found;
  const checks = checksOf(found);
  const rows = report.scenarios.map((result) => {
    const check = checks.find(({ scenario }) => scenario === result.name);
    const agrees = check?.agrees === true ? 'yes' : check?.agrees === false ? '**no**' : '–';
    return `| ${[result.name, result.verdict, [result.why, ...(result.remarks ?? [])].join(' '), check?.raw ?? '', agrees].map(cell).join(' | ')} |`;
  });
  const call = report.tool
    ? `Tool: \`${report.tool.name}\` \`${JSON.stringify(report.tool.args)}\``
    : 'No tool';
  return [
    `### ${name}`,
    '',
    `${call}. Letter: ${report.outcome ?? 'none'}; raw HTTP: ${checks.find(({ scenario }) => scenario === 'letter')?.raw ?? ''}`,
    '',
    '| scenario | verdict | sentence | raw HTTP | agrees |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ];
}

export function writePage(results: readonly Result[]): void {
  writeFileSync(PAGE, pageOf(results));
}
