/** A call, or what the timeline shows, as the source of a Mermaid sequence diagram. */
import { PartMissing } from '../../../base/loadPart.ts';
import type { ServerView } from '../../../state/serverView.svelte.ts';
import type { LogIndex } from '../../../timeline/logIndex.ts';
import { printMermaid } from '../../../timeline/share/mermaid.ts';
import { WORDS } from '../../call/whyWords.ts';

/** A diagram of more can't be read. */
const MOST_ENTRIES = 5000;

export async function mermaidOfCall(server: ServerView, callId: string): Promise<string> {
  const index = await wholeIndex(server);
  const call = index.exchanges.callOf(callId);
  if (!call) throw new Error(WORDS.callGone);
  const seqs: number[] = [];
  const end = index.positionOf((call.last ?? Infinity) + 1);
  for (let i = index.positionOf(call.first); i < end && seqs.length < MOST_ENTRIES; i += 1) {
    const { kind, callId: owner } = index.shapeAt(i);
    if (owner === callId || kind === 'load') seqs.push(index.seqAt(i));
  }
  return print(server, seqs);
}

/** What the filter and the range let through. */
export async function mermaidOfShown(server: ServerView): Promise<string> {
  const { seqs } = server.timeline;
  const length = Math.min(MOST_ENTRIES, seqs.length);
  return print(
    server,
    Array.from({ length }, (_, i) => seqs.at(i)),
  );
}

async function wholeIndex(server: ServerView): Promise<LogIndex> {
  const engine = await server.timeline.load();
  if (!engine) throw new PartMissing('timeline');
  return engine.whole();
}

async function print(server: ServerView, seqs: readonly number[]): Promise<string> {
  return printMermaid(server.log.shared(await server.timeline.readEntries(seqs)));
}
