/** Reads back the ids of what earlier pages received: all of an open call, and the newest of everything else. */
import type { Entry } from '../../log/entry/entry.ts';
import type { ServerState } from '../../log/state/serverState.ts';
import type { ReplayFilter } from './replayFilter.ts';

/** The standalone stream can be as old as its session; this much of it is remembered against over-replay. */
const REMEMBERED_ENTRIES = 20_000;

export async function seedReplayFilter(
  seen: ReplayFilter,
  state: ServerState,
  storedSince: (seq: number) => AsyncIterable<readonly Entry[]>,
): Promise<void> {
  seen.clear();
  const since = Math.min(state.neededSince(), state.nextSeq - REMEMBERED_ENTRIES);
  for await (const entries of storedSince(since)) {
    for (const entry of entries) {
      if (!('eventId' in entry) || entry.eventId === undefined) continue;
      const { stream, eventId } = entry;
      if (entry.kind === 'duplicate') seen.noteDuplicate(stream, eventId);
      if (entry.kind === 'received' && entry.method !== undefined && entry.callId === stream)
        seen.noteOwn(stream, entry.method);
      seen.note({ stream, eventId, text: entry.kind === 'received' ? entry.raw : '', listens: false });
    }
  }
}
