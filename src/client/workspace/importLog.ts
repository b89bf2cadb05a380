/** Brings a log of a file into the store, where it is read like any other. Nothing is written before all of it was read. */
import { VERSION, type Entry } from '../../log/entry/entry.ts';
import { ServerReducer } from '../../log/state/serverReducer.ts';
import { foldStored } from '../../log/state/foldStored.ts';
import { logIndexKey, segmentKey, segmentRecord, type LogIndexRecord } from '../../storage/records.ts';
import { Segmenter } from '../../storage/segmenter.ts';
import type { Store } from '../../storage/store.ts';
import { readLogFile, type ImportedInfo } from '../../timeline/share/readLogFile.ts';

export interface LogFile {
  readonly name: string;
  /** Read from its beginning, each time. */
  readonly pieces: () => AsyncIterable<string>;
}

/** What the file says of itself; throws, in words, if it cannot be used. */
export async function checkLogFile(file: LogFile): Promise<ImportedInfo> {
  const reading = readLogFile(file.pieces());
  for (;;) {
    const next = await reading.next();
    if (next.done) return next.value;
  }
}

/** Writes a file that was checked under the name of a server. */
export async function storeLogFile(
  store: Store,
  id: string,
  file: LogFile,
  importedAt: number,
): Promise<void> {
  const segmenter = new Segmenter();
  const state = new ServerReducer(id);
  let last: Entry | undefined;
  const reading = readLogFile(file.pieces());
  let next = await reading.next();
  for (; !next.done; next = await reading.next()) {
    const entries = next.value;
    foldStored(state, entries);
    last = entries.at(-1) ?? last;
    const touched = segmenter.add(entries);
    await store.write(touched.map((one) => [segmentKey(id, one.n), segmentRecord(one.items)] as const));
  }
  // An import is a use: else the limit of the storage would take an old log first, before it was looked at.
  state.usedAt = importedAt;
  state.closeImported(last?.at ?? 0, { code: 'imported', name: file.name, skipped: next.value.skipped });
  const record: LogIndexRecord = {
    v: VERSION,
    head: state.snapshot(),
    segments: segmenter.segments,
    isImported: true,
  };
  await store.write([[logIndexKey(id), record]]);
}
