/** Why a stream cannot be followed any more, in words. */
import { bytes } from '../base/words.ts';

export const tooLargeToRead = (limitBytes: number): string =>
  `The server sent a message of more than ${bytes(limitBytes)}, which is more than this page reads. ` +
  'Ask the tool for less: a page, a filter, a link to the data.';

export const aliveButUnreachable = (why: string): string =>
  `${why} The session is alive, but this call cannot be followed: it may still be running, its result is not reachable.`;

export function brokenWithoutPosition(serverNamesPositions: boolean): string {
  return serverNamesPositions
    ? 'The connection broke before the server named a position: whether the call is still running is not known.'
    : 'This server cannot replay: the call may still be running, its result is not reachable.';
}

/** MCP 2026-07-28: a broken stream loses the request, and a new try is a new request. */
export const CLOSED_IS_CANCELLED =
  'The stream ended before the answer. For this server a closed stream is the cancellation: nothing more will come of this call.';
