/** A stream as the store has it, from an event on: what is there, then what comes, until its last event. */
import { primingFrame } from '../targets/core/sse.ts';
import type { BridgeEventStore, StoredEvent } from './eventStore.ts';

const PAGE_SIZE = 500;
/** Proxies and browsers close connections that are silent for long. */
const KEEP_ALIVE_MS = 15_000;

const encoder = new TextEncoder();
const KEEP_ALIVE = encoder.encode(': keepalive\n\n');

export interface FollowOptions {
  readonly store: BridgeEventStore;
  readonly streamId: string;
  /** The event before the first one to send. */
  readonly after: string;
  /** Events without a message are sent too: clients before 2025-11-25 can't read them. */
  readonly isPrimed: boolean;
  /** The client has this event already. */
  readonly isResumed: boolean;
  /** Ends the stream before its last event. */
  readonly signal: AbortSignal;
  /** How many messages were there already. Called once. */
  readonly onReplayed?: (count: number) => void;
  /** `left`: the client closed the stream. `last`: everything was sent. Called once. */
  readonly onEnd?: (how: 'last' | 'left' | 'stopped') => void;
}

export function followStream(options: FollowOptions): ReadableStream<Uint8Array> {
  const { store, streamId, signal, isPrimed, onReplayed } = options;
  let last = options.after;
  let replayed = 0;
  let isCaughtUp = false;
  let hasEnded = false;
  /** There may be something new to read. */
  let isDirty = true;
  let wake: () => void = () => undefined;
  const changed = () => {
    isDirty = true;
    wake();
  };
  const unwatch = store.watch(streamId, changed);
  signal.addEventListener('abort', changed);
  const end = (how: 'last' | 'left' | 'stopped') => {
    if (hasEnded) return;
    hasEnded = true;
    unwatch();
    signal.removeEventListener('abort', changed);
    options.onEnd?.(how);
    changed();
  };

  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (isPrimed && !options.isResumed) controller.enqueue(primingFrame(options.after));
    },
    async pull(controller) {
      while (!hasEnded) {
        isDirty = false;
        const page = await store.readAfter(last, PAGE_SIZE);
        if (hasEnded) return;
        const events = page ?? [];
        const isComplete = page === undefined || events.at(-1)?.isLast === true;
        last = events.at(-1)?.id ?? last;
        const messages = events.filter(({ text }) => text !== '' || isPrimed);
        if (!isCaughtUp) replayed += messages.filter(({ text }) => text !== '').length;
        if (!isCaughtUp && events.length < PAGE_SIZE) {
          isCaughtUp = true;
          onReplayed?.(replayed);
        }
        if (messages.length > 0) controller.enqueue(framesOf(messages));
        if (isComplete || (signal.aborted && events.length === 0)) {
          controller.close();
          return end(isComplete ? 'last' : 'stopped');
        }
        if (messages.length > 0) return;
        if (events.length === 0 && !isDirty && !(await somethingNew())) {
          controller.enqueue(KEEP_ALIVE);
          return;
        }
      }
    },
    cancel: () => end('left'),
  });

  /** `false`: nothing came for a while. */
  function somethingNew(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, KEEP_ALIVE_MS, false);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

function framesOf(events: readonly StoredEvent[]): Uint8Array {
  return encoder.encode(
    events
      .map(({ id, text }) =>
        text === '' ? `id: ${id}\ndata: \n\n` : `event: message\nid: ${id}\ndata: ${text}\n\n`,
      )
      .join(''),
  );
}
