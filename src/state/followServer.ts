/** Has the screen drawn anew when something changes in a server. */
import type { FrameBatcher } from '../base/frameBatcher.ts';
import type { ShownServer } from './shownServer.ts';

/** @returns the undo */
export function followServer(tab: ShownServer, frames: FrameBatcher, update: () => void): () => void {
  let told = newsOf(tab);
  const undo = [
    tab.log.appended.on(() => {
      const news = newsOf(tab);
      if (news === told) frames.schedule(update);
      else frames.scheduleNext(update);
      told = news;
    }),
    tab.changed.on(() => frames.schedule(update)),
  ];
  return () => undo.forEach((stop) => stop());
}

/** What the status line is about: it's looked at after a reload, so it doesn't wait for the next turn. */
function newsOf({ log: { state } }: ShownServer): string {
  return `${state.connection.name} ${state.recovered > 0}`;
}
