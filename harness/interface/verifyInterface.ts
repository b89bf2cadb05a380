/** Reads what a server offers, and compares it with the file of `--snapshot`, or writes that file. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import {
  readSnapshotFile,
  snapshotFile,
  takeSnapshot,
  type InterfaceSnapshot,
  type SnapshotList,
} from '../../src/client/catalog/interface/snapshot.ts';
import type { Context } from '../context.ts';
import { HarnessError } from '../harnessError.ts';
import type { RawServer } from '../probe/reach.ts';
import type { ScenarioResult } from '../report/facts.ts';
import { Secrets, type Given } from '../secrets.ts';
import { judgeInterface, missingSnapshot } from './judgeInterface.ts';
import { plainQuotes } from './plainQuotes.ts';

export const INTERFACE = 'interface';

export interface SnapshotOptions {
  readonly path: string;
  /** Write the file, whatever it holds. */
  readonly updates: boolean;
}

export async function verifyInterface(
  { newRawServer }: Pick<Context, 'newRawServer'>,
  given: Given,
  { path, updates }: SnapshotOptions,
  { say }: { readonly say: (text: string) => void },
  isCi = Boolean(process.env['CI']),
): Promise<ScenarioResult> {
  // A server may put what it was sent into a description, and the file is committed.
  const found = new Secrets([given]).value(await readInterface(await newRawServer()));
  const isNew = !existsSync(path);
  if (isNew && isCi && !updates) return { name: INTERFACE, ...missingSnapshot(path) };
  if (isNew || updates) {
    await writeFile(path, snapshotFile(found));
    say(`Wrote ${path}`);
    return { name: INTERFACE, verdict: 'pass', why: `The interface was written to ${path}.` };
  }
  const expected = readSnapshotFile(await readFile(path, 'utf8'));
  if (!expected.ok) throw new HarnessError('usage', `${path} can't be used. ${plainQuotes(expected.error)}`);
  return { name: INTERFACE, ...judgeInterface(expected.value, found, path) };
}

async function readInterface(raw: RawServer): Promise<InterfaceSnapshot> {
  try {
    const { server, protocolVersion, capabilities, instructions } = raw;
    const offers = (list: SnapshotList) =>
      capabilities[list === 'resourceTemplates' ? 'resources' : list] !== undefined;
    const read = async (list: SnapshotList) => (offers(list) ? raw.list(list) : []);
    // Servers with resources and no templates often reject this method, some of them with an HTTP status.
    const templates = read('resourceTemplates').catch(() => []);
    const lists = {
      tools: await read('tools'),
      prompts: await read('prompts'),
      resources: await read('resources'),
      resourceTemplates: await templates,
    };
    return takeSnapshot({ lists, server, protocolVersion, capabilities, instructions });
  } finally {
    await raw.close();
  }
}
