/** `mcp-reprise merge`: one report from those of several runs, such as the shards of one. */
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isObject } from '../../src/base/json.ts';
import { exitCodeOfReport, worstExitCode } from '../exitCode.ts';
import { HarnessError } from '../harnessError.ts';
import type { Report } from '../report/facts.ts';
import { joinParts } from '../report/joinParts.ts';
import { parseReport } from '../report/parseReport.ts';
import { Secrets } from '../secrets.ts';
import { tellGitHub } from './github.ts';
import { printable } from './printable.ts';
import { writeReports } from './writeReports.ts';

export const MERGE_USAGE = `Usage: mcp-reprise merge <report.json or folder …> --html <folder> [--json file] [--junit file] [--badge file]`;

export async function runMerge(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parse(argv);
  if (positionals.length === 0) throw new HarnessError('usage', `Missing report files. ${MERGE_USAGE}`);
  const { html, json, junit, badge } = values;
  const files = (await Promise.all(positionals.map(findReports))).flat().sort();
  // A report of an older version may hold the key of a URL.
  const reports = joinParts((await Promise.all(files.map(readReports))).flat().map(withoutUrlKeys));
  if (reports.length === 0) throw new HarnessError('usage', `No reports found in ${positionals.join(', ')}.`);
  const output = {
    ...(html !== undefined && { html }),
    ...(json !== undefined && { json }),
    ...(junit !== undefined && { junit }),
    ...(badge !== undefined && { badge }),
  };
  await writeReports(reports, output, console.log);
  await tellGitHub(reports, undefined, process.env, console.log);
  for (const { server, target, outcome, grade } of reports) {
    console.log(
      printable(`${outcome ?? '–'}  ${grade.padEnd(20)}  ${server.name} ${server.version}  ${target}`),
    );
  }
  return worstExitCode(reports.map(exitCodeOfReport));
}

const withoutUrlKeys = (report: Report): Report => new Secrets([{ url: report.target }]).value(report);

/** A folder stands for every JSON file below it, as an artifact download leaves them. */
async function findReports(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new HarnessError('usage', `File not found: ${path}`);
  if (!found.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  return names.filter((name) => name.endsWith('.json')).map((name) => join(path, name));
}

async function readReports(path: string): Promise<readonly Report[]> {
  try {
    return parseReports(await readFile(path, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HarnessError('usage', `${path} isn't an mcp-reprise report: ${why}.`, { cause: error });
  }
}

export function parseReports(text: string): readonly Report[] {
  const value: unknown = JSON.parse(text);
  const list = isObject(value) && Array.isArray(value['reports']) ? value['reports'] : [value];
  return list.map(parseReport);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        html: { type: 'string' },
        json: { type: 'string' },
        junit: { type: 'string' },
        badge: { type: 'string' },
      },
    });
  } catch (error) {
    throw new HarnessError(
      'usage',
      `${error instanceof Error ? error.message : String(error)}\n${MERGE_USAGE}`,
    );
  }
}
