import { afterEach, describe, expect, it } from 'vitest';
import { Gate } from '../base/gate.ts';
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

  it.each(['GET', 'POST'] as const)('waits while the page is about to be left (%s)', async (method) => {
    const staying = new Gate();
    const sent: string[] = [];
    const fetch = createRecordingFetch({
      fetch: (url) => {
        sent.push(String(url));
        return Promise.resolve(new Response('', { status: 202 }));
      },
      now: () => 0,
      listen: () => listener,
      onStream: () => undefined,
      whenStaying: () => staying.passed,
    });
    staying.close();
    const { signal } = new AbortController();
    const waiting = fetch('http://s/', { method, headers: new Headers(), signal });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(sent).toEqual([]);
    staying.open();
    await waiting;
    expect(sent).toEqual(['http://s/']);
  });

  it('is ended when the page is about to be left, unless its response has come', async () => {
    const leaving = new AbortController();
    const aborted: string[] = [];
    const responses = [
      new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
    ];
    const fetch = createRecordingFetch({
      fetch: (url, init) =>
        new Promise((resolve, reject) => {
          init?.signal?.addEventListener('abort', () => {
            aborted.push(String(url));
            reject(new Error('aborted'));
          });
          const response = responses.pop();
          if (response) resolve(response);
        }),
      now: () => 0,
      listen: () => listener,
      onStream: () => undefined,
      whenStaying: () => Promise.resolve(),
      untilLeaving: () => leaving.signal,
    });
    const { signal } = new AbortController();
    const request = { method: 'GET', headers: new Headers(), signal } as const;
    await fetch('http://s/open', request);
    const waiting = fetch('http://s/waiting', request);
    await new Promise((resolve) => setTimeout(resolve, 0));
    leaving.abort();
    await expect(waiting).rejects.toThrow('aborted');
    expect(aborted).toEqual(['http://s/waiting']);
  });
});
