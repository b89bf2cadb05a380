import { describe, expect, it } from 'vitest';
import { HostFetch } from './hostFetch.ts';
import type { FromFetch } from './messages.ts';

const EVENT_BYTES = 20_000;
const event = (): Uint8Array => new TextEncoder().encode(`data: ${'x'.repeat(EVENT_BYTES)}\n\n`);

interface Host {
  readonly host: HostFetch;
  readonly posted: FromFetch[];
  readonly send: (chunk: Uint8Array) => Promise<void>;
  readonly close: () => Promise<void>;
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** One request, whose response is a stream. */
async function open(): Promise<Host> {
  const posted: FromFetch[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const host = new HostFetch(
    (message) => posted.push(message),
    () => Promise.resolve(response),
  );
  host.hear({ name: 'fetch', n: 1, url: 'http://s/', init: { headers: [] } });
  await settled();
  return {
    host,
    posted,
    send: (chunk) => {
      controller?.enqueue(chunk);
      return settled();
    },
    close: () => {
      controller?.close();
      return settled();
    },
  };
}

const namesOf = (posted: readonly FromFetch[]) => posted.map(({ name }) => name);

describe('a request of the worker', () => {
  it('holds large pieces, posts small ones, and posts what no blank line has ended', async () => {
    const { host, posted, send, close } = await open();
    await send(new TextEncoder().encode('data: {}\n\n'));
    await send(event());
    await send(new TextEncoder().encode('retry: 5\n'));
    await close();
    expect(namesOf(posted)).toEqual(['response', 'chunk', 'held', 'chunk', 'body-ended']);
    expect(host.take({ key: 1 })).toEqual(event());
    expect(() => host.take({ key: 1 })).toThrow('not here');
  });

  it('posts everything once the page records again', async () => {
    const { host, posted, send } = await open();
    await send(event());
    host.handOver();
    await send(event());
    expect(namesOf(posted)).toEqual(['response', 'held', 'handed', 'chunk']);
  });

  it('keeps nothing of a stream that is over for the page, also if it is read to its end', async () => {
    const { host, posted, send, close } = await open();
    await send(event());
    await close();
    host.hear({ name: 'cancel', n: 1 });
    expect(namesOf(posted)).toEqual(['response', 'held', 'body-ended']);
    expect(() => host.take({ key: 1 })).toThrow('not here');
  });

  it('waits while the page has too much of it', async () => {
    const { host, posted, send } = await open();
    host.hear({ name: 'pause', n: 1 });
    await send(event());
    await send(event());
    expect(namesOf(posted)).toEqual(['response', 'held']);
    host.hear({ name: 'resume', n: 1 });
    await settled();
    expect(namesOf(posted)).toEqual(['response', 'held', 'held']);
  });
});
