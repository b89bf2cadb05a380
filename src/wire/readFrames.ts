/** Reads a stream of server-sent events, chunk by chunk, each byte parsed once. */
import { createParser } from 'eventsource-parser';
import { errorMessage } from '../base/format.ts';
import type { Frame } from './exchange.ts';

export type ReadEnd =
  | { readonly how: 'closed' }
  | { readonly how: 'stopped' }
  | { readonly how: 'broken'; readonly why: string }
  | { readonly how: 'oversized' };

export interface ReadOptions {
  readonly maxEventChars: number;
  readonly namedEvents?: ReadonlySet<string>;
  /** The events of one chunk; `false` stops reading. */
  readonly onFrames: (frames: readonly Frame[]) => boolean;
  readonly onRetry: (delayMs: number) => void;
  /** Gives the page a breath between chunks, so that a burst never holds up a click. */
  readonly yieldIfDue: () => Promise<void> | undefined;
}

/** A chunk can be megabytes; more than this at once would be felt. */
const SLICE_CHARS = 65_536;

export async function readFrames(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxEventChars, namedEvents, onFrames, onRetry, yieldIfDue }: ReadOptions,
): Promise<ReadEnd> {
  let frames: Frame[] = [];
  let oversized = false;
  const parser = createParser({
    maxBufferSize: maxEventChars,
    onEvent: ({ id, event, data }) => {
      // The standard's messages carry no event name; a foreign event is not ours to read.
      if (event !== undefined && event !== 'message') {
        if (namedEvents?.has(event)) frames.push({ event, data });
        return;
      }
      frames.push(id === undefined ? { data } : { id, data });
    },
    onRetry,
    onError: (error) => {
      // Unknown fields are to be ignored (HTML, server-sent events); only the overflow ends the parser.
      oversized ||= error.type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { how: 'closed' };
      const text = decoder.decode(value, { stream: true });
      for (let at = 0; at < text.length; at += SLICE_CHARS) {
        parser.feed(text.slice(at, at + SLICE_CHARS));
        if (frames.length > 0) {
          const batch = frames;
          frames = [];
          if (!onFrames(batch)) return { how: 'stopped' };
        }
        if (oversized) return { how: 'oversized' };
        await yieldIfDue();
      }
    }
  } catch (error) {
    return { how: 'broken', why: errorMessage(error) };
  }
}
