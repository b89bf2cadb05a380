/** The logs that were recorded from the targets, as tests read them. */
import { readFile } from 'node:fs/promises';
import type { Entry } from '../../src/log/entry/entry.ts';
import { upgradeEntry } from '../../src/log/entry/upgrade.ts';

interface LogFile {
  readonly version: number;
  readonly entries: readonly Record<string, unknown>[];
}

export const logPath = (name: string): string => `e2e/recording/logs/${name}.json`;

/** An export: what was made by an earlier build has the format of that build. */
export const recordedText = (name: string): Promise<string> => readFile(logPath(name), 'utf8');

/** Its entries as they were recorded, in the format of today. The importer has no part in it. */
export async function recordedLog(name: string): Promise<readonly Entry[]> {
  return entriesOf(await recordedText(name));
}

export function entriesOf(text: string): readonly Entry[] {
  const { version, entries } = JSON.parse(text) as LogFile;
  return entries.map(({ server: _, serverId: __, message, ...entry }) => {
    const raw = message === undefined ? {} : { raw: JSON.stringify(message) };
    return upgradeEntry({ ...entry, ...raw }, version) as unknown as Entry;
  });
}
