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
const MAX_PREAMBLE = 100_000;

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
    if (!items.hasBegun && items.head.length > MAX_PREAMBLE) throw foreign();
    if (items.hasBegun) head ??= readHead(items.head);
    const entries: Entry[] = [];
    for (const text of texts) {
      const entry = importedEntry(upgraded(parse(text), head));
      if (entry.ok) {
        lastSeq = inOrder(entry.value, lastSeq);
        entries.push(entry.value);
      } else problems.push(`The entry after ${lastSeq} is invalid (${entry.error}).`);
    }
    if (entries.length > 0) yield entries;
  }
  if (!head) throw items.end() ? foreign() : new ImportProblem('The file is incomplete or isn’t JSON.');
  if (!items.end()) {
    throw new ImportProblem(`The file ends after entry ${lastSeq}. Export the log again.`);
  }
  // One odd entry costs itself. If there is no other, the file is no log.
  if (lastSeq === 0 && problems[0] !== undefined) {
    throw new ImportProblem(`Can’t import: no valid entries. ${problems[0]}`);
  }
  return { server: head.server, url: head.url, skipped: problems.length };
}

function foreign(): ImportProblem {
  return new ImportProblem('Not a Reprise log. Choose a file exported as “Reprise log (JSON)”.');
}

function readHead(head: string): FileHead {
  const value = parse(head);
  if (!isObject(value) || value['format'] !== FORMAT) throw foreign();
  const { version } = value;
  if (typeof version !== 'number' || version < 1) throw foreign();
  if (version > VERSION) {
    throw new ImportProblem(
      `This log was saved by a newer version of Reprise (format ${version}; this version reads up to ${VERSION}). Update Reprise and try again.`,
    );
  }
  return { version, server: stringField(value, 'server') ?? 'log', url: stringField(value, 'url') ?? '' };
}

function upgraded(entry: JsonObject | undefined, head: FileHead | undefined): JsonObject | undefined {
  return entry && head ? upgradeEntry(entry, head.version) : entry;
}

function inOrder({ seq }: Entry, lastSeq: number): number {
  if (seq > lastSeq) return seq;
  throw new ImportProblem(`Can’t import: the entry after ${lastSeq} is out of order.`);
}

function parse(text: string): JsonObject | undefined {
  try {
    const { value } = parseBounded(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
