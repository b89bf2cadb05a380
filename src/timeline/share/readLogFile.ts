/** Reads a file that `printLogFile` has written, entry by entry; says in words why another one is not such a file. */
import { parseBounded } from '../../base/boundedJson.ts';
import { isObject, stringField, type JsonObject } from '../../base/json.ts';
import { VERSION, type Entry } from '../../log/entry/entry.ts';
import { upgradeEntry } from '../../log/entry/upgrade.ts';
import { importedEntry } from './importedEntry.ts';
import { JsonItems } from './jsonItems.ts';
import { FORMAT } from './logFile.ts';

/** The file cannot be used; the message is for a person. */
class ImportProblem extends Error {}

export interface FileInfo {
  readonly server: string;
  readonly url: string;
}

export interface ImportedInfo extends FileInfo {
  /** How many entries couldn't be read, and were left out. */
  readonly skipped: number;
}

interface FileHead extends FileInfo {
  /** The format of its entries. */
  readonly version: number;
}

/** Whatever comes before the entries of such a file is short. */
const LONGEST_HEAD = 100_000;

/** @returns what the file says of itself, once it was read to its end */
export async function* readLogFile(
  pieces: AsyncIterable<string>,
): AsyncGenerator<readonly Entry[], ImportedInfo> {
  const items = new JsonItems('entries');
  let head: FileHead | undefined;
  let lastSeq = 0;
  const problems: string[] = [];
  for await (const piece of pieces) {
    const texts = items.feed(piece);
    if (!items.hasBegun && items.head.length > LONGEST_HEAD) throw foreign();
    if (items.hasBegun) head ??= readHead(items.head);
    const entries: Entry[] = [];
    for (const text of texts) {
      const entry = importedEntry(upgraded(parse(text), head));
      if (entry.ok) {
        lastSeq = inOrder(entry.value, lastSeq);
        entries.push(entry.value);
      } else problems.push(`The entry after number ${lastSeq} cannot be read: ${entry.error}.`);
    }
    if (entries.length > 0) yield entries;
  }
  if (!head)
    throw items.end()
      ? foreign()
      : new ImportProblem('This file is not a whole JSON document. It may have been cut off.');
  if (!items.end()) {
    throw new ImportProblem(
      `This log is cut off after entry ${lastSeq}. Export it once more, and import the new file.`,
    );
  }
  // One odd entry costs itself. If there is no other, the file is no log.
  if (lastSeq === 0 && problems[0] !== undefined) {
    throw new ImportProblem(`${problems[0]} Nothing was imported.`);
  }
  return { server: head.server, url: head.url, skipped: problems.length };
}

function foreign(): ImportProblem {
  return new ImportProblem(
    'This file is not a log of Reprise. Choose a file that was made with Export, Log as JSON.',
  );
}

function readHead(head: string): FileHead {
  const value = parse(head);
  if (!isObject(value) || value['format'] !== FORMAT) throw foreign();
  const { version } = value;
  if (typeof version !== 'number' || version < 1) throw foreign();
  if (version > VERSION) {
    throw new ImportProblem(
      `This log was made by a newer Reprise (version ${version} of the format; this one reads up to ${VERSION}). Update Reprise, then import it again.`,
    );
  }
  return { version, server: stringField(value, 'server') ?? 'log', url: stringField(value, 'url') ?? '' };
}

function upgraded(entry: JsonObject | undefined, head: FileHead | undefined): JsonObject | undefined {
  return entry && head ? upgradeEntry(entry, head.version) : entry;
}

function inOrder({ seq }: Entry, lastSeq: number): number {
  if (seq > lastSeq) return seq;
  throw new ImportProblem(`The entry after number ${lastSeq} is out of order. Nothing was imported.`);
}

function parse(text: string): JsonObject | undefined {
  try {
    const { value } = parseBounded(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
