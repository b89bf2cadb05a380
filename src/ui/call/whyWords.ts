/** The sentences that say why a call ended as it did. */
import { plural } from '../../base/format.ts';

export const WORDS = {
  done: 'The server sent the result, and it was stored.',
  toolError: 'The tool ran, and its result is an error (isError).',
  running: 'The server hasn’t sent a result yet.',
  noStream: 'No stream carried it.',
  compareHint: 'Select another call, and compare it with this one',
  compareHeld: 'Compare with held call',
  noHttp: 'No HTTP exchange yet.',
  callGone: 'The entries of this call are no longer stored.',
  requestGone: 'The entries of this request are no longer stored.',
  called: (status: number) => `Called by POST. The server responded with ${status}.`,
  notResumed: (status: number) => `Tried to resume the stream. The server responded with ${status}.`,
  resumed: (from: string | undefined, replayed: number) =>
    `Resumed the stream${from === undefined ? '' : ` from event ${from}`}. ${replayed === 0 ? 'No events were missed.' : `${plural(replayed, 'missed event')} replayed.`}`,
} as const;
