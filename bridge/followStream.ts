/** A stream as the store has it, from an event on: what is there, then what comes, until its last event. */
import { primingFrame } from '../targets/core/sse.ts';
import type { BridgeEventStore, EventPage, StoredEvent } from './eventStore.ts';

/** Sent in one go. As much as a fast server can write in a turn, or its stream would lag behind it. */
const PAGE = { events: 10_000, bytes: 2 * 1024 * 1024 };
/** A longer text is slower to put together. */
const FRAMES_AT_ONCE = 500;
/** Proxies and browsers close connections that are silent for long. */
const KEEP_ALIVE_MS = 15_000;

const encoder = new TextEncoder();
const KEEP_ALIVE = encoder.encode(': keepalive\n\n');

/** `drain`: after the events that are there. */
export type Stop = 'now' | 'drain';
/** `left`: the client closed the stream. `last`: everything was sent. */
export type FollowEnd = 'last' | 'left' | 'stopped';

export interface FollowOptions {
  readonly store: BridgeEventStore;
  readonly streamId: string;
  /** The event before the first one to send. */
  readonly after: string;
  /** Events without a message are sent too: clients before 2025-11-25 can't read them. */
  readonly isPrimed: boolean;
  /** The client has this event already. */
  readonly isResumed: boolean;
  /** How many messages were there already. Called once. */
  readonly onReplayed?: (count: number) => void;
  /** Called once. */
  readonly onEnd?: (how: FollowEnd) => void;
}

export interface Following {
  readonly body: ReadableStream<Uint8Array>;
  /** Ends the stream before its last event. */
  readonly stop: (how: Stop) => void;
}

export function followStream(options: FollowOptions): Following {
  const { store, streamId, isPrimed } = options;
  let last = options.after;
  let replayed = 0;
  let isCaughtUp = false;
  let hasEnded = false;
  let asked: Stop | undefined;
  /** There may be something new to read. */
  let isDirty = true;
  let wake: (() => void) | undefined;
  const changed = () => {
    isDirty = true;
    wake?.();
  };
  const unwatch = store.watch(streamId, changed);
  const end = (how: FollowEnd) => {
    if (hasEnded) return;
    hasEnded = true;
    unwatch();
    options.onEnd?.(how);
    changed();
  };

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (isPrimed && !options.isResumed) controller.enqueue(primingFrame(options.after));
    },
    async pull(controller) {
      while (!hasEnded) {
        isDirty = false;
        const page = await readPage();
        if (hasEnded) return;
        const isEmpty = page?.events.length === 0;
        if (page === undefined || asked === 'now' || (asked === 'drain' && isEmpty)) {
          controller.close();
          return end('stopped');
        }
        const { events } = page;
        last = events.at(-1)?.id ?? last;
        const sent = isPrimed ? events : events.filter(({ text }) => text !== '');
        count(page);
        for (let at = 0; at < sent.length; at += FRAMES_AT_ONCE) {
          controller.enqueue(framesOf(sent.slice(at, at + FRAMES_AT_ONCE)));
        }
        if (events.at(-1)?.isLast) {
          controller.close();
          return end('last');
        }
        if (sent.length > 0) return;
        if (isEmpty && !isDirty && !(await somethingNew())) {
          return controller.enqueue(KEEP_ALIVE);
        }
      }
    },
    cancel: () => end('left'),
  });
  const stop = (how: Stop) => {
    asked = how;
    changed();
  };
  return { body, stop };

  async function readPage(): Promise<EventPage | undefined> {
    // Other requests have their turn between two pages of a long replay.
    await nextTurn();
    try {
      return await store.readAfter(last, PAGE);
    } catch (error) {
      end('stopped');
      throw error;
    }
  }

  function count({ events, hasMore }: EventPage): void {
    if (isCaughtUp) return;
    replayed += events.filter(({ text }) => text !== '').length;
    isCaughtUp = !hasMore;
    if (isCaughtUp) options.onReplayed?.(replayed);
  }

  /** `false`: nothing came for a while. */
  function somethingNew(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, KEEP_ALIVE_MS, false);
      wake = () => {
        wake = undefined;
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Without `event: message`, which is the default (HTML, "Server-sent events"): a burst is shorter by a tenth. */
function framesOf(events: readonly StoredEvent[]): Uint8Array {
  let frames = '';
  for (const { id, text } of events) frames += `id: ${id}\ndata: ${text}\n\n`;
  return encoder.encode(frames);
}
