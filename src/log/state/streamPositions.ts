/** Where the streams of a server stand, as a fold: what a page resumes when it comes back. */
import { STANDALONE } from '../entry/entry.ts';
import type { StreamPosition } from './streamPosition.ts';

interface Moved {
  readonly stream: string;
  readonly seq: number;
  readonly eventId?: string | undefined;
}

export class StreamPositions extends Map<string, StreamPosition> {
  /** A request was sent: its stream is about to begin. */
  begin(key: string, seq: number, callId: string): void {
    if (!this.has(key)) this.set(key, { key, since: seq, callId });
  }

  /** A request that takes the place of the call's earlier ones. */
  beginAgain(key: string, seq: number, callId: string): void {
    this.forgetCall(callId);
    this.begin(key, seq, callId);
  }

  /** @param openCallId the call that this stream belongs to, if it is open: its stream may have been forgotten */
  move({ stream: key, seq, eventId }: Moved, openCallId: string | undefined): void {
    if (eventId === undefined) return;
    const known = this.get(key);
    if (known) this.set(key, { ...known, cursor: eventId });
    else if (key === STANDALONE) this.set(key, { key, since: seq, cursor: eventId });
    else if (openCallId === key) this.set(key, { key, callId: key, since: seq, cursor: eventId });
  }

  /** Its own stream, and that of its task's result. */
  forgetCall(callId: string): void {
    for (const stream of this.values()) if (stream.callId === callId) this.delete(stream.key);
  }

  /** The oldest entry that an open call still needs. */
  neededSince(): number {
    const own = [...this.values()].filter(({ key }) => key !== STANDALONE);
    return Math.min(Infinity, ...own.map(({ since }) => since));
  }
}
