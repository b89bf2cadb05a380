import type { RunningTarget } from '../startTarget.ts';

/** Streams that the server believes somebody is reading. */
export function openStreams(target: RunningTarget): number {
  return target.stats().sessions.reduce((sum, session) => sum + session.openStreams, 0);
}
