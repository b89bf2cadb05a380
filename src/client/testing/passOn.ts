/** The fetch of a transport that records nothing, and hands on every frame. */
import { EventParser } from '../../wire/eventParser.ts';
import type { ExchangeListener } from '../../wire/exchange.ts';
import { createRecordingFetch, type Fetch, type RecordingFetch } from '../../wire/recordingFetch.ts';

export function passOn(fetch: Fetch): RecordingFetch {
  return createRecordingFetch({
    fetch,
    now: () => 0,
    listen: ({ stream }) => everything(stream),
    onStream: () => undefined,
  });
}

function everything(lastEventId: string | undefined): ExchangeListener {
  const parser = new EventParser(new Set(['endpoint']));
  return {
    lastEventId: lastEventId ?? null,
    head: () => undefined,
    failed: () => undefined,
    refused: () => undefined,
    end: () => undefined,
    events: (bytes: Uint8Array) => Promise.resolve({ forward: parser.feed(bytes).frames, done: false }),
    frames: (frames) => Promise.resolve({ forward: frames, done: false }),
  };
}
