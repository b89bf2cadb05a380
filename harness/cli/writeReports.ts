/** Writes what was found, in the formats that were asked for. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { drawBadge } from '../report/badge.ts';
import { SCHEMA_VERSION, type Report } from '../report/facts.ts';
import { drawHtml } from '../report/html.ts';
import { drawJunit } from '../report/junit.ts';
import type { Output } from './verifyCommand.ts';
import { ScenarioLogs } from './scenarioLogs.ts';

export async function writeReports(
  reports: readonly Report[],
  { json, junit, html, badge }: Output,
  say: (text: string) => void,
  logs: ScenarioLogs = new ScenarioLogs(),
): Promise<void> {
  if (reports.length === 0) return;
  const jsonText = `${JSON.stringify(reports.length === 1 ? reports[0] : { schemaVersion: SCHEMA_VERSION, reports }, undefined, 2)}\n`;
  const write = async (to: string | true | undefined, text: string): Promise<void> => {
    if (to === undefined) return;
    if (to === true) return void process.stdout.write(text);
    const file = resolve(to);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    say(`Wrote ${file}`);
  };
  await write(json, jsonText);
  await write(junit, drawJunit(reports));
  await write(badge, `${JSON.stringify(drawBadge(reports))}\n`);
  if (html === undefined) return;
  await write(join(html, 'index.html'), drawHtml(reports, logs.links()));
  await logs.write(html);
  await write(join(html, 'report.json'), jsonText);
  await write(join(html, 'junit.xml'), drawJunit(reports));
}
