/** Reads the log of a server into memory, and opens it for playback. */
import type { FrameBatcher } from '../../base/frameBatcher.ts';
import { formatNumber } from '../../base/format.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { layeredText, type KeptText } from '../storage/keptText.ts';
import type { ServerView } from '../serverView.svelte.ts';
import { Playback } from './playback.svelte.ts';

/** An earlier moment is folded from the beginning: with more, the slider would lag. */
const MOST_ENTRIES = 100_000;

export async function openPlayback(
  server: ServerView,
  frames: FrameBatcher,
  kept: KeptText,
): Promise<Playback> {
  const entries: Entry[] = [];
  for await (const some of server.log.entries()) {
    for (const entry of some) entries.push(entry);
    if (entries.length > MOST_ENTRIES) {
      throw new Error(
        `Logs of more than ${formatNumber(MOST_ENTRIES)} entries can’t be played. Filter the log, export the entries that are shown, and import that file.`,
      );
    }
  }
  if (entries.length === 0) throw new Error('This log has no entries to play.');
  const { id, name, url, lists, session, settings } = server;
  const playback = new Playback({
    of: { id, name, url, lists, session, settings },
    entries,
    frames,
    kept: layeredText(kept),
  });
  await playback.server.timeline.load();
  return playback;
}
