/** A log as one HTML file that needs nothing else: the page of the viewer, with the log inside. */
import type { Entry } from '../../log/entry/entry.ts';
import { printLogFile, type LogInfo, type ShareOptions } from './logFile.ts';
import { inMarkup, LOG_PLACE } from './logPlace.ts';

/** More than this is slow to open in one page; the JSON file has everything. */
const MOST_ENTRIES = 50_000;

/** @param page the page of the viewer, with a place for the log */
export async function* printHtml(
  page: string,
  info: LogInfo,
  chunks: () => AsyncIterable<readonly Entry[]>,
  options: ShareOptions = {},
): AsyncGenerator<string> {
  const at = page.indexOf(LOG_PLACE);
  if (at < 0) throw new Error('The page for HTML files is damaged. Reload this page, and export again.');
  let length = 0;
  for await (const entries of chunks()) length += entries.length;
  const skipped = Math.max(0, length - MOST_ENTRIES);
  yield page.slice(0, at);
  for await (const piece of printLogFile(info, newest(chunks(), skipped), { ...options, skipped }))
    yield inMarkup(piece);
  yield page.slice(at + LOG_PLACE.length);
}

async function* newest(
  chunks: AsyncIterable<readonly Entry[]>,
  skipped: number,
): AsyncGenerator<readonly Entry[]> {
  let left = skipped;
  for await (const entries of chunks) {
    yield entries.slice(left);
    left = Math.max(0, left - entries.length);
  }
}
