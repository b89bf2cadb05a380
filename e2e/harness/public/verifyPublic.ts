/** `npm run verify:public [-- --html <folder>] [name …]`: judges public servers from a clean start, and prints the table. */
import { parseArgs } from 'node:util';
import { writeReports } from '../cli/writeReports.ts';
import { Stage } from '../page/stage.ts';
import type { Report } from '../report/facts.ts';
import { verify } from '../verify.ts';
import { PACKAGES, PUBLIC_SERVERS } from './servers.ts';
import { installPublicServers, startPublicServer } from './startPublicServer.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { html: { type: 'string' } } });
const chosen = PUBLIC_SERVERS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);

const named = (report: Report, verdict: string): string =>
  report.scenarios
    .filter((one) => one.verdict === verdict)
    .map(({ name }) => name)
    .join(', ') || '–';

installPublicServers();
const stage = await Stage.open({ headed: false }, console.error);
const rows: string[] = [];
const reports: Report[] = [];
try {
  for (const server of chosen) {
    const running = await startPublicServer(server);
    const progress = {
      say: (text: string) => console.error(`${server.name}: ${text}`),
      started: () => undefined,
      ended: ({ name, verdict, why }: Report['scenarios'][number]) =>
        console.error(`  ${verdict.padEnd(11)} ${name}: ${why}`),
    };
    const { tool, args } = server;
    const options = {
      url: running.url,
      ...(tool !== undefined && { tool }),
      ...(args && { args }),
      headers: {},
      reloads: 2,
      timeoutMs: 60_000,
      allowNoCors: true,
      seed: 1,
    };
    try {
      const { report } = await verify(options, stage, progress, new AbortController().signal);
      reports.push(report);
      const browser = report.withoutCors === true ? 'no' : 'yes';
      rows.push(
        `| ${server.name} | ${PACKAGES[server.from]} | ${report.outcome ?? '–'} | ${report.grade} | ${browser} | ${named(report, 'fail')} |`,
      );
    } finally {
      await running.stop();
    }
  }
} finally {
  await stage.close();
  await writeReports(reports, values.html === undefined ? {} : { html: values.html }, console.error);
}
console.log(
  [
    '| server | version | outcome | grade | open to pages | fails |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n'),
);
