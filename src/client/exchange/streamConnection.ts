/** One connection of a stream: a POST or a GET. What it tells after the stream has moved on is not heard. */
import type { StreamHandle } from '../../wire/exchange.ts';

export class StreamConnection {
  readonly key: string;
  readonly callId: string | undefined;
  /** What its GET resumes from. */
  readonly lastEventId: string | undefined;
  handle: StreamHandle | undefined;
  /** Does it make up for a time in which the stream could not be read? Then what comes first was missed. */
  fillsGap = false;
  /** Nothing was heard of it yet, not even a failure. */
  isSilent = true;

  constructor(key: string, callId: string | undefined, lastEventId: string | undefined) {
    this.key = key;
    this.callId = callId;
    this.lastEventId = lastEventId;
  }

  release(): void {
    this.handle?.release();
    this.handle = undefined;
  }
}
