/**
 * `npm run verify:public [-- <part of a name> …]`: judges public servers from a clean start, asks each the same over raw
 * HTTP, compares the two, and keeps both in `results.json`. `--raw` only asks, and prints the exchanges, `--table` only
 * writes docs/public-servers.md from the results, `--html <folder>` writes the reports,
 * `--workers 4` judges so many at the same time, `--before <date>` only those without a result of that day or later, and
 * `--minutes <n>` starts no server after so many minutes.
 */
import { parseArgs } from 'node:util';
import { inParallel } from '../../../scripts/lib/inParallel.mjs';
import { chooseTool } from '../../../harness/chooseTool.ts';
import { writeReports } from '../../../harness/cli/writeReports.ts';
import { DEFAULT_WORKERS } from '../../../harness/defaultWorkers.ts';
import { Stage } from '../../../harness/page/stage.ts';
import { reach } from '../../../harness/probe/reach.ts';
import type { Report } from '../../../harness/report/facts.ts';
import { verify } from '../../../harness/verify.ts';
import { compareWithRaw } from './agree.ts';
import { rawCheck, type RawCall } from './rawCheck.ts';
import type { RawFacts } from './rawFacts.ts';
import { addResult, readResults, RESULTS } from './results.ts';
import { PUBLIC_SERVERS, type PublicServer } from './servers.ts';
import { startPublicServer } from './startPublicServer.ts';
import { rowOf, writePage } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    html: { type: 'string' },
    raw: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    results: { type: 'string', default: RESULTS },
    workers: { type: 'string', default: '1' },
    before: { type: 'string' },
    minutes: { type: 'string' },
  },
});
const startsBefore = Date.now() + Number(values.minutes ?? Infinity) * 60_000;
const ORDER = PUBLIC_SERVERS.map(({ name }) => name);
const exact = PUBLIC_SERVERS.filter(({ name }) => positionals.includes(name));
const matching =
  exact.length > 0
    ? exact
    : PUBLIC_SERVERS.filter(
        ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
      );
const { before } = values;
const isJudged = new Set(
  before === undefined
    ? []
    : readResults(values.results)
        .filter(({ date }) => date >= before)
        .map(({ name }) => name),
);
const chosen = matching.filter(({ name }) => !isJudged.has(name));

async function callOf({ tool, args }: PublicServer, url: string): Promise<RawCall | undefined> {
  if (tool !== undefined) return { tool, args: args ?? {} };
  const found = chooseTool((await reach(url, {})).tools);
  return found && { tool: found.name, args: found.args };
}

async function askRaw(server: PublicServer): Promise<RawFacts> {
  const running = await startPublicServer(server);
  try {
    const call = await callOf(server, running.url);
    return await rawCheck(running.url, call, values.raw ? console.log : () => undefined);
  } finally {
    await running.stop();
  }
}

async function judge(server: PublicServer, stage: Stage): Promise<Report> {
  const running = await startPublicServer(server);
  const { tool, args } = server;
  const progress = {
    say: (text: string) => console.error(`${server.name}: ${text}`),
    started: () => undefined,
    ended: ({ name, verdict, why }: Report['scenarios'][number]) =>
      console.error(`${server.name}: ${verdict} ${name}: ${why}`),
  };
  try {
    const options = {
      url: running.url,
      ...(tool !== undefined && { tool }),
      ...(args && { args }),
      headers: {},
      reloads: 2,
      workers: Math.ceil(DEFAULT_WORKERS / Number(values.workers)),
      timeoutMs: 60_000,
      allowNoCors: true,
      seed: 1,
    };
    return (await verify(options, stage, progress, new AbortController().signal)).report;
  } finally {
    await running.stop();
  }
}

function keep(server: PublicServer, report: Report, raw: RawFacts): void {
  const [[name, version] = ['', '']] = Object.entries(server.packages);
  const { outcome, grade, protocolVersion, withoutCors, tool, scenarios } = report;
  const checks = compareWithRaw(report, raw);
  for (const { scenario, agrees, raw: shown } of checks) {
    if (agrees === false) console.error(`${server.name}: DISAGREES ${scenario}: ${shown}`);
  }
  if (checks.some(({ agrees }) => agrees === false)) process.exitCode = 1;
  const result = {
    name: server.name,
    package: name,
    version,
    language: server.language,
    sdk: server.sdk,
    date: new Date().toISOString().slice(0, 10),
    report: {
      outcome,
      grade,
      protocolVersion,
      ...(withoutCors !== undefined && { withoutCors }),
      ...(tool && { tool }),
      scenarios: scenarios.map(({ name, verdict, why, level, remarks }) => ({
        name,
        verdict,
        why,
        ...(level && { level }),
        ...(remarks && { remarks }),
      })),
    },
    raw,
  };
  addResult(values.results, result, ORDER);
  console.log(rowOf(result));
}

async function judgeAll(): Promise<void> {
  const stages: Stage[] = [];
  const reports: Report[] = [];
  try {
    while (stages.length < Math.min(Number(values.workers), chosen.length)) {
      stages.push(await Stage.open({ headed: false }, console.error));
    }
    const free = [...stages];
    await inParallel(chosen, stages.length, async (server) => {
      if (Date.now() >= startsBefore) return;
      const stage = free.pop();
      if (!stage) throw new Error('Each server needs its own stage.');
      try {
        // Each has a process of the server for itself.
        const [raw, report] = await Promise.all([askRaw(server), judge(server, stage)]);
        reports.push(report);
        keep(server, report, raw);
      } catch (error) {
        // The others can be judged all the same.
        console.error(`${server.name}: ${error instanceof Error ? error.message : String(error)}`);
        process.exitCode = 1;
      }
      free.push(stage);
    });
  } finally {
    await Promise.all(stages.map((stage) => stage.close()));
    await writeReports(reports, values.html === undefined ? {} : { html: values.html }, console.error);
  }
}

if (values.list) console.log(PUBLIC_SERVERS.map(({ name }) => name).join('\n'));
else if (values.table) writePage(readResults(values.results));
else if (values.raw) {
  for (const server of chosen) {
    const raw = await askRaw(server);
    console.log(JSON.stringify(raw, undefined, 1));
    const known = readResults(values.results).find(({ name }) => name === server.name);
    if (known) addResult(values.results, { ...known, raw }, ORDER);
  }
} else await judgeAll();
