import { afterEach, describe, expect, it } from 'vitest';
import { heapInUse } from '../../targets/testing/heap.ts';
import type { ExchangeListener, StreamHandle } from './exchange.ts';
import { createRecordingFetch } from './recordingFetch.ts';

// No spy: it would hold what it returned.
const any = AbortSignal.any.bind(AbortSignal);
afterEach(() => {
  AbortSignal.any = any;
});

const listener: ExchangeListener = {
  lastEventId: null,
  head: () => undefined,
  failed: () => undefined,
  refused: () => undefined,
  events: async () => ({ forward: [], done: false }),
  frames: async () => ({ forward: [], done: false }),
  end: () => undefined,
};

/** As in WebKit: what it returns is held by nobody, not even by a request. */
function joinWeakly(signals: Iterable<AbortSignal>): AbortSignal {
  const joined = new AbortController();
  controllers.set(joined.signal, joined);
  const held = new WeakRef(joined.signal);
  for (const signal of signals) {
    signal.addEventListener('abort', () => {
      const left = held.deref();
      if (left) controllers.get(left)?.abort();
    });
  }
  return joined.signal;
}
const controllers = new WeakMap<AbortSignal, AbortController>();

describe('a stream', () => {
  it('is ended when it is let go, also in an engine that collects the signal of a request', async () => {
    AbortSignal.any = joinWeakly;
    const handles: StreamHandle[] = [];
    let isAborted = false;
    const fetch = createRecordingFetch({
      fetch: async (_, init) => {
        init?.signal?.addEventListener('abort', () => (isAborted = true));
        return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
      },
      now: () => 0,
      listen: () => listener,
      onStream: (_, handle) => void handles.push(handle),
    });
    const closing = new AbortController();
    const { read } = await fetch('http://s/mcp', {
      method: 'GET',
      headers: new Headers(),
      signal: closing.signal,
    });
    void read?.(() => undefined);
    await heapInUse();
    handles[0]?.release();
    expect(isAborted).toBe(true);
  });
});
