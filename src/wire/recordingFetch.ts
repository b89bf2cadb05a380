/**
 * The fetch that the SDK's transport is given. It reads every answer once, tells a listener what came, and hands the
 * SDK only the frames that the SDK must answer: parsing 50,000 notifications a second time would take it six seconds.
 */
import { errorMessage } from '../base/format.ts';
import type { ExchangeListener, Frame, StreamHandle } from './exchange.ts';
import { BodyTooLarge, MAX_MESSAGE_BYTES, readBody, withBody } from './readBody.ts';
import { readEvents, type ReadEnd } from './readEvents.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface RecordingFetchOptions {
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Who listens to this exchange; without one it is not made. `body` is the JSON-RPC text of a POST. */
  readonly listen: (
    method: string,
    headers: Headers,
    body: string | undefined,
  ) => ExchangeListener | undefined;
  readonly onStream: (listener: ExchangeListener, handle: StreamHandle) => void;
  /** Resolves while the page is not about to be left: only then a failure is the server's, and is told. */
  readonly whenStaying?: () => Promise<void>;
}

export function createRecordingFetch(options: RecordingFetchOptions): Fetch {
  return async (url, init = {}) => {
    const method = init.method ?? 'GET';
    const headers = new Headers(init.headers);
    const body = typeof init.body === 'string' ? init.body : undefined;
    const listener = options.listen(method, headers, body);
    // The SDK goes on as with a server that has no standalone stream.
    if (!listener) return new Response(null, { status: 405 });
    if (method === 'GET') setPosition(headers, listener.lastEventId);
    const startedAt = options.now();
    // A stream can be let go of before its response has come: until then it holds one of the browser's connections.
    const letGo = new AbortController();
    const handle: StreamHandle = { release: () => letGo.abort() };
    options.onStream(listener, handle);
    let response: Response;
    try {
      // In Firefox, a stream that a page asks for while it's left stays open without it, and the next page can't have it.
      if (method === 'GET' && options.whenStaying) await options.whenStaying();
      response = await options.fetch(url, {
        ...init,
        headers,
        // Firefox locks the cache entry of a URL while a response is loading: a second GET would wait 20 s for it.
        ...(method === 'GET' && { cache: 'no-store' }),
        signal: init.signal ? AbortSignal.any([init.signal, letGo.signal]) : letGo.signal,
      });
    } catch (error) {
      await options.whenStaying?.();
      listener.failed(error);
      throw error;
    }
    // A redirect that was not followed is opaque: there is nothing to read, and the SDK words the refusal.
    if (response.status === 0) {
      listener.refused(0, '');
      return response;
    }
    const type = response.headers.get('content-type') ?? '';
    const streams = response.ok && type.includes('text/event-stream') && response.body !== null;
    listener.head({
      status: response.status,
      durationMs: options.now() - startedAt,
      url: String(url),
      method,
      requestHeaders: headers,
      responseHeaders: response.headers,
      streams,
    });
    if (streams && response.body) {
      return withBody(response, recordStream(response.body, listener, letGo.signal, options.whenStaying));
    }
    return recordText(response, type, listener, options.whenStaying);
  };
}

function setPosition(headers: Headers, lastEventId: string | null): void {
  if (lastEventId === null) headers.delete('last-event-id');
  else headers.set('last-event-id', lastEventId);
}

function recordStream(
  body: ReadableStream<Uint8Array>,
  listener: ExchangeListener,
  letGo: AbortSignal,
  whenStaying: RecordingFetchOptions['whenStaying'],
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const encoder = new TextEncoder();
  const cancel = (): void => {
    // The stream is over for us either way; a failing cancel changes nothing.
    reader.cancel().catch(() => undefined);
  };
  return new ReadableStream({
    async start(controller) {
      const end = await readEvents(reader, {
        maxEventBytes: MAX_MESSAGE_BYTES,
        onEvents: async (bytes) => {
          const { forward, done } = await listener.events(bytes);
          for (const frame of forward) controller.enqueue(encoder.encode(serialize(frame)));
          return !done;
        },
      });
      if (end.how === 'stopped' || end.how === 'oversized') cancel();
      if (end.how === 'broken') await whenStaying?.();
      listener.end(letGo.aborted ? { how: 'released' } : toExchangeEnd(end));
      controller.close();
    },
    cancel,
  });
}

function toExchangeEnd(end: ReadEnd): Parameters<ExchangeListener['end']>[0] {
  switch (end.how) {
    case 'stopped':
      return { how: 'done' };
    case 'oversized':
      return { how: 'oversized', limitBytes: MAX_MESSAGE_BYTES };
    case 'closed':
    case 'broken':
      return end;
  }
}

async function recordText(
  response: Response,
  type: string,
  listener: ExchangeListener,
  whenStaying: RecordingFetchOptions['whenStaying'],
): Promise<Response> {
  const isMessage = response.ok && type.includes('application/json');
  let text: string;
  try {
    text = await readBody(response, MAX_MESSAGE_BYTES);
  } catch (error) {
    if (error instanceof BodyTooLarge && !isMessage) {
      listener.refused(response.status, error.message);
      return withBody(response, error.message);
    }
    const limit = error instanceof BodyTooLarge ? error.limitBytes : undefined;
    if (limit === undefined) await whenStaying?.();
    listener.end(
      limit === undefined
        ? { how: 'broken', why: errorMessage(error) }
        : { how: 'oversized', limitBytes: limit },
    );
    throw error;
  }
  if (isMessage && text !== '') {
    const { forward } = await listener.frames([{ data: text }]);
    listener.end({ how: 'closed' });
    // The SDK waits for an answer to each of its requests, so what it must not see becomes an answer it ignores.
    return withBody(response, `[${forward.map(({ data }) => data).join(',')}]`);
  }
  if (response.ok && text === '') listener.end({ how: 'closed' });
  else listener.refused(response.status, text);
  return withBody(response, text);
}

function serialize({ event, data }: Frame): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
}
