/** Reads a stream of server-sent events, and hands on whole events as bytes: whoever records them parses them. */
import { errorMessage } from '../base/format.ts';
import { createYielder } from '../base/yieldToEventLoop.ts';
import { EventCutter } from './eventCutter.ts';
import { EventSender, type OnEvents } from './eventSender.ts';
import { HeldBytes, type EventBytes } from './heldBytes.ts';

export type ReadEnd =
  | { readonly how: 'closed' }
  | { readonly how: 'stopped' }
  | { readonly how: 'broken'; readonly why: string }
  | { readonly how: 'oversized' };

export interface ReadOptions {
  readonly maxEventBytes: number;
  /** Bytes, unless the reader gives what is held elsewhere. */
  onEvents(...events: Parameters<OnEvents>): ReturnType<OnEvents>;
}

/** A chunk can be megabytes; more than this at once would be felt. */
const PIECE_BYTES = 65_536;

export async function readEvents(
  reader: ReadableStreamDefaultReader<EventBytes>,
  { maxEventBytes, ...options }: ReadOptions,
): Promise<ReadEnd> {
  const cutter = new EventCutter();
  // Its next read is its end.
  const sender = new EventSender(
    (bytes) => options.onEvents(bytes),
    () => void reader.cancel().catch(() => undefined),
  );
  const yieldIfDue = createYielder();
  const read = async (): Promise<ReadEnd> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { how: 'closed' };
      if (value instanceof HeldBytes) {
        await sender.addHeld(value);
        if (sender.isStopped) return { how: 'stopped' };
        continue;
      }
      for (let at = 0; at < value.length; at += PIECE_BYTES) {
        await sender.add(cutter.add(value.subarray(at, at + PIECE_BYTES)));
        if (sender.isStopped) return { how: 'stopped' };
        if (cutter.heldBytes > maxEventBytes) return { how: 'oversized' };
        await yieldIfDue();
      }
    }
  };
  const end = await read().catch((error: unknown): ReadEnd => ({ how: 'broken', why: errorMessage(error) }));
  try {
    // The last lines may say how long to wait, though no event has ended.
    if (end.how === 'closed' || end.how === 'broken') await sender.add(cutter.rest());
    await sender.drained();
  } catch (error) {
    return { how: 'broken', why: errorMessage(error) };
  }
  return sender.isStopped ? { how: 'stopped' } : end;
}
