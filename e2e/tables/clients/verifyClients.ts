/** `npm run verify:clients`: measures public MCP clients for web pages as published, and prints the table of the docs. */
import { chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../../scripts/lib/chromium.mjs';
import { openSite } from '../../../harness/page/site.ts';
import { PAGE_TARGETS } from '../../../harness/verifyPage/cases.ts';
import type { PageReport } from '../../../harness/verifyPage/facts.ts';
import { describePage, resultLine } from '../../../harness/verifyPage/text.ts';
import { verifyPage } from '../../../harness/verifyPage/verifyPage.ts';
import { buildClient, type BuiltClient } from './buildClient.ts';
import { CLIENTS, type MeasuredClient } from './clients.ts';

/** Nothing but this machine can be reached. */
const ALONE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';
const SILENCE_MS = 5000;

const wanted = process.argv.slice(2);
const found = await findChromium({ mayInstall: false });
if (found.kind === 'none') throw new Error(found.says);
const browser = await chromium.launch({ executablePath: found.path, args: [...chromiumArgs, ALONE] });
const reports: [MeasuredClient, PageReport][] = [];
try {
  for (const client of CLIENTS.filter(
    ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
  )) {
    console.log(`\n${client.name}`);
    const page = await open(client);
    try {
      const report = await verifyPage(
        {
          pageUrl: page.url,
          script: client.script,
          seed: 1,
          timeoutMs: SILENCE_MS,
          workers: 2,
          browser: `Chromium ${browser.version().split('.')[0] ?? ''}`,
          newContext: () => browser.newContext(),
        },
        (result) => console.log(resultLine(result)),
      );
      console.log(describePage(report));
      reports.push([client, report]);
    } finally {
      await page.close();
    }
  }
} finally {
  await browser.close();
}

console.log(`\n${tableOf(reports)}`);
for (const [client, report] of reports) {
  for (const text of disagreements(report)) {
    console.error(`${client.name}: ${text}.`);
    process.exitCode = 1;
  }
  if (report.letter === client.letter && report.grade === client.grade) continue;
  console.error(
    `${client.name}: expected ${client.letter}, ${client.grade}; measured ${report.letter ?? '–'}, ${report.grade}.`,
  );
  process.exitCode = 1;
}

/** Whether the letter fits what the server itself has counted, for every scenario that it can count. */
function disagreements({ results }: PageReport): readonly string[] {
  return results.flatMap(({ target, name, letter, counted }) => {
    if (!letter || !counted || counted.calls === 0 || name === 'second-tab') return [];
    const hasRunAgain = counted.calls > 1;
    const hasNewSession = counted.initializes > 1;
    const isWrong =
      (letter === 'X') !== hasRunAgain || (letter === 'N' && counted.initializes > 0 && !hasNewSession);
    return isWrong
      ? [
          `${target}/${name}: ${letter}, but the server counted ${counted.calls} calls and ${counted.initializes} sessions`,
        ]
      : [];
  });
}

function open({ entry, packages }: MeasuredClient): Promise<BuiltClient> {
  return entry === undefined ? openSite() : buildClient(entry, packages);
}

/** A column for each test server, with its letters in the order of the scenarios. */
function tableOf(measured: readonly (readonly [MeasuredClient, PageReport])[]): string {
  const names = PAGE_TARGETS.map(({ name }) => name);
  const rows = measured.map(([{ name }, { grade, results }]) => {
    const cells = names.map((target) => {
      const own = results.filter((one) => one.target === target);
      return [
        ...new Set(own.map(({ letter, verdict }) => letter ?? (verdict === 'unsupported' ? '–' : '?'))),
      ].join(' ');
    });
    const rules = [...new Set(results.flatMap(({ findings }) => findings.map(({ rule }) => rule)))];
    return `| ${name} | ${grade} | ${cells.join(' | ')} | ${rules.map((rule) => `\`${rule}\``).join(', ') || 'none'} |`;
  });
  const head = `| Client | Grade | ${names.join(' | ')} | Rules broken |`;
  return [head, head.replace(/[^|]+/g, ' --- '), ...rows].join('\n');
}
