/** Reads a file that `printLogFile` has written, entry by entry; says in words why another one is not such a file. */
import { isObject, stringField, type JsonObject } from '../../base/json.ts';
import { VERSION, type Entry } from '../../log/entry.ts';
import { importedEntry } from './importedEntry.ts';
import { JsonItems } from './jsonItems.ts';
import { FORMAT } from './logFile.ts';

/** The file cannot be used; the message is for a person. */
class ImportProblem extends Error {}

export interface ImportedInfo {
  readonly server: string;
  readonly url: string;
}

/** Whatever comes before the entries of such a file is short. */
const LONGEST_HEAD = 100_000;

/** @returns what the file says of itself, once it was read to its end */
export async function* readLogFile(
  pieces: AsyncIterable<string>,
): AsyncGenerator<readonly Entry[], ImportedInfo> {
  const items = new JsonItems('entries');
  let info: ImportedInfo | undefined;
  let lastSeq = 0;
  for await (const piece of pieces) {
    const texts = items.feed(piece);
    if (!items.hasBegun && items.head.length > LONGEST_HEAD) throw foreign();
    if (items.hasBegun) info ??= infoOf(items.head);
    const entries = texts.map((text) => {
      const entry = entryOf(text, lastSeq);
      lastSeq = entry.seq;
      return entry;
    });
    if (entries.length > 0) yield entries;
  }
  if (!info)
    throw items.end()
      ? foreign()
      : new ImportProblem('This file is not a whole JSON document. It may have been cut off.');
  if (!items.end()) {
    throw new ImportProblem(
      `This log is cut off after entry ${lastSeq}. Export it once more, and import the new file.`,
    );
  }
  return info;
}

function foreign(): ImportProblem {
  return new ImportProblem(
    'This file is not a log of Reprise. Choose a file that was made with Export, Log as JSON.',
  );
}

function infoOf(head: string): ImportedInfo {
  const value = parse(head);
  if (!isObject(value) || value['format'] !== FORMAT) throw foreign();
  const { version } = value;
  if (typeof version !== 'number' || version < 1) throw foreign();
  if (version > VERSION) {
    throw new ImportProblem(
      `This log was made by a newer Reprise (version ${version} of the format; this one reads up to ${VERSION}). Update Reprise, then import it again.`,
    );
  }
  return { server: stringField(value, 'server') ?? 'log', url: stringField(value, 'url') ?? '' };
}

function entryOf(text: string, lastSeq: number): Entry {
  const entry = importedEntry(parse(text));
  const where = `The entry after number ${lastSeq}`;
  if (!entry.ok) throw new ImportProblem(`${where} cannot be read: ${entry.error}. Nothing was imported.`);
  if (entry.value.seq <= lastSeq) throw new ImportProblem(`${where} is out of order. Nothing was imported.`);
  return entry.value;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
