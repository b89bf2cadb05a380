/** The log that a page carries in itself, ready to be looked at and played. */
import type { FrameBatcher } from '../../base/frameBatcher.ts';
import { isObject, numberField } from '../../base/json.ts';
import { NO_LISTS } from '../../client/inspector/index.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { readLogFile, type ImportedInfo } from '../../timeline/share/readLogFile.ts';
import type { KeptText } from '../storage/keptText.ts';
import { Playback } from './playback.svelte.ts';

export interface AboutLog extends ImportedInfo {
  readonly exportedAt: number | undefined;
  /** What isn't in the file, in words. */
  readonly leftOut: readonly string[];
}

export async function readEmbedded(
  text: string,
  frames: FrameBatcher,
  kept: KeptText,
): Promise<{ readonly playback: Playback; readonly about: AboutLog }> {
  const entries: Entry[] = [];
  const reading = readLogFile(once(text));
  let next = await reading.next();
  for (; !next.done; next = await reading.next()) for (const entry of next.value) entries.push(entry);
  const about = { ...next.value, ...headOf(text) };
  const { server, url } = about;
  const of = { id: server, name: server, url, lists: NO_LISTS, session: undefined, settings: {} };
  const playback = new Playback({ of, entries, frames, kept });
  playback.toEnd();
  await playback.server.timeline.load();
  return { playback, about };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** It was read as a log before, so it's an object. */
function headOf(text: string): Pick<AboutLog, 'exportedAt' | 'leftOut'> {
  const file: unknown = JSON.parse(text);
  const leftOut = isObject(file) ? file['leftOut'] : undefined;
  return {
    exportedAt: numberField(file, 'exportedAt'),
    leftOut: Array.isArray(leftOut) ? leftOut.filter((one) => typeof one === 'string') : [],
  };
}
