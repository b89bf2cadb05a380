/** The connections that read a session's streams, one for each stream: a page that resumes takes the place of the last. */
import type { BridgeEventStore } from './eventStore.ts';
import { followStream, type FollowEnd, type Stop } from './followStream.ts';

export interface StreamReadersOptions {
  readonly store: BridgeEventStore;
  readonly onReplayed: (events: number) => void;
  /** A reader is gone. `left`: its client closed the connection. */
  readonly onEnd: (streamId: string, how: FollowEnd) => void;
}

export interface ReadFrom {
  readonly streamId: string;
  readonly after: string;
  readonly isPrimed: boolean;
  readonly isResumed: boolean;
}

export class StreamReaders {
  readonly #o: StreamReadersOptions;
  readonly #readers = new Map<string, (how: Stop) => void>();

  constructor(options: StreamReadersOptions) {
    this.#o = options;
  }

  get count(): number {
    return this.#readers.size;
  }

  open(from: ReadFrom): ReadableStream<Uint8Array> {
    const { store, onReplayed, onEnd } = this.#o;
    const { streamId } = from;
    // The old connection may be dead without a sign, and its client here again.
    this.stop(streamId, 'now');
    const { body, stop } = followStream({
      ...from,
      store,
      ...(from.isResumed && { onReplayed }),
      onEnd: (how) => {
        if (this.#readers.get(streamId) === stop) this.#readers.delete(streamId);
        onEnd(streamId, how);
      },
    });
    this.#readers.set(streamId, stop);
    return body;
  }

  stop(streamId: string, how: Stop): void {
    this.#readers.get(streamId)?.(how);
  }

  stopAll(): void {
    for (const stop of [...this.#readers.values()]) stop('now');
  }
}
