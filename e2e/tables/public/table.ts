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
  'CORS',
  'fails',
  'raw HTTP',
];

function pageOf(results: readonly Result[]): string {
  const checks = results.flatMap(checksOf);
  const count = (agrees: boolean | null): number => checks.filter((check) => check.agrees === agrees).length;
  // One name can be a package of either registry.
  const packages = new Set(results.map(({ language, package: name }) => `${language} ${name}`)).size;
  return [
    '# Results for public servers',
    '',
    'For users of these packages who want to know what a page reload does to a call. `npm run verify:public` installs the packages outside of the',
    'repository, starts each server in a new folder, and tests it with every scenario of `verify`. It also sends the same requests over raw HTTP',
    '(`node:http`): initialize, tools/call, a cut connection, GET with Last-Event-ID, the same request twice, DELETE, OPTIONS. Each sentence of',
    'the report is compared with the raw responses. This page is made from [results.json](../e2e/tables/public/results.json) by',
    '`npm run verify:public -- --table`. To print the exchanges of a server, run `npm run verify:public -- --raw <name>`.',
    '',
    `${results.length} servers, ${packages} packages. ${checks.length} sentences: ${count(true)} agree with raw HTTP, ${count(false)} disagree, ${count(null)} can't be checked with these exchanges.`,
    'A sentence that disagrees is an error of `verify`, or older than its fix. [CHECKED.md](../e2e/tables/public/CHECKED.md) lists what was',
    'checked by hand, because one series of requests was not enough.',
    '',
    'A server has no outcome if no call could be interrupted, because it has no long-running tool. "CORS: no" means that a page of another origin',
    "can't use the server without changes. These servers were tested with `--allow-no-cors`.",
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
