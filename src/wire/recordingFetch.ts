/**
 * The fetch of a transport. It reads every response once, tells a listener what came, and hands the transport only the frames
 * that the page waits for or must answer.
 */
import { errorMessage } from '../base/format.ts';
import type { ExchangeListener, Frame, StreamHandle } from './exchange.ts';
import { BodyTooLarge, MAX_MESSAGE_BYTES, readBody } from './readBody.ts';
import { readEvents, type ReadEnd } from './readEvents.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export type RecordingFetch = (url: string | URL, request: WireRequest) => Promise<WireResponse>;

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Headers;
  /** The JSON-RPC text of a POST. */
  readonly body?: string;
  /** Which stream a GET asks for. Its listener knows the position. */
  readonly stream?: string;
  readonly signal: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  /** The body, unless it has messages. */
  readonly text: string;
  /**
   * Hands on the frames that the page waits for or must answer; resolves when the last one has come. To be called once what
   * the head says is known: the first frame may lead to the next request.
   */
  readonly read?: (onFrame: (frame: Frame) => void) => Promise<void>;
}

export interface RecordingFetchOptions {
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Who listens to this exchange. */
  readonly listen: (request: WireRequest) => ExchangeListener;
  readonly onStream: (listener: ExchangeListener, handle: StreamHandle) => void;
  /** Resolves while the page is not about to be left: only then a failure is the server's, and is told. */
  readonly whenStaying?: () => Promise<void>;
  /** Aborted as soon as the page is about to be left. */
  readonly untilLeaving?: () => AbortSignal;
}

export function createRecordingFetch(options: RecordingFetchOptions): RecordingFetch {
  const { now, whenStaying } = options;
  const kept = new Set<AbortSignal>();
  return async (url, request) => {
    const { method, body } = request;
    const listener = options.listen(request);
    const headers = new Headers(request.headers);
    if (method === 'GET') setPosition(headers, listener.lastEventId);
    const startedAt = now();
    // A stream can be let go of before its response has come: until then it holds one of the browser's connections.
    const letGo = new AbortController();
    const release = (): void => letGo.abort();
    options.onStream(listener, { release });
    // WebKit collects this signal while the request still needs it, and then nothing can end that request.
    const signal = AbortSignal.any([request.signal, letGo.signal]);
    kept.add(signal);
    const over = (): void => void kept.delete(signal);
    let leaving: AbortSignal | undefined;
    let response: Response;
    try {
      // What a page sends while it's left would run without a word on disk: a store that refuses then isn't full.
      await whenStaying?.();
      if (method === 'GET') {
        // In Firefox, a stream that a page asks for while it's left stays open without it, and the next page can't have it:
        // so does one whose response hasn't come by then.
        leaving = options.untilLeaving?.();
        leaving?.addEventListener('abort', release);
      }
      response = await options.fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        // A redirect could take the headers to another origin.
        redirect: 'manual',
        // Firefox locks the cache entry of a URL while a response is loading: a second GET would wait 20 s for it.
        ...(method === 'GET' && { cache: 'no-store' }),
        signal,
      });
    } catch (error) {
      over();
      await whenStaying?.();
      listener.failed(error);
      throw error;
    } finally {
      leaving?.removeEventListener('abort', release);
    }
    const { status, ok, headers: responseHeaders } = response;
    const answered = { status, ok, headers: responseHeaders };
    // A redirect that was not followed is opaque: there is nothing to read.
    if (status === 0) {
      over();
      listener.refused(0, '');
      return { ...answered, text: '' };
    }
    const type = responseHeaders.get('content-type') ?? '';
    const streams = ok && type.includes('text/event-stream') && response.body !== null;
    listener.head({
      status,
      durationMs: now() - startedAt,
      url: String(url),
      method,
      requestHeaders: headers,
      responseHeaders,
      streams,
    });
    if (streams && response.body) {
      const { body } = response;
      const read: WireResponse['read'] = (onFrame) =>
        recordStream(body, { listener, onFrame, letGo: letGo.signal, whenStaying }).finally(over);
      return { ...answered, text: '', read };
    }
    const recorded = await recordText(response, type, listener, whenStaying).finally(over);
    return { ...answered, ...recorded };
  };
}

function setPosition(headers: Headers, lastEventId: string | null): void {
  if (lastEventId === null) headers.delete('last-event-id');
  else headers.set('last-event-id', lastEventId);
}

async function recordStream(
  body: ReadableStream<Uint8Array>,
  {
    listener,
    onFrame,
    letGo,
    whenStaying,
  }: {
    readonly listener: ExchangeListener;
    readonly onFrame: (frame: Frame) => void;
    readonly letGo: AbortSignal;
    readonly whenStaying: RecordingFetchOptions['whenStaying'];
  },
): Promise<void> {
  const reader = body.getReader();
  const end = await readEvents(reader, {
    maxEventBytes: MAX_MESSAGE_BYTES,
    onEvents: async (bytes) => {
      const { forward, done } = await listener.events(bytes);
      forward.forEach(onFrame);
      return !done;
    },
  });
  // The stream is over for us either way; a failing cancel changes nothing.
  if (end.how === 'stopped' || end.how === 'oversized') reader.cancel().catch(() => undefined);
  if (end.how === 'broken') await whenStaying?.();
  listener.end(letGo.aborted ? { how: 'released' } : toExchangeEnd(end));
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
): Promise<Pick<WireResponse, 'text' | 'read'>> {
  const isMessage = response.ok && type.includes('application/json');
  let text: string;
  try {
    text = await readBody(response, MAX_MESSAGE_BYTES);
  } catch (error) {
    if (error instanceof BodyTooLarge && !isMessage) {
      listener.refused(response.status, error.message);
      return { text: error.message };
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
    return {
      text: '',
      read: (onFrame) => {
        forward.forEach(onFrame);
        return Promise.resolve();
      },
    };
  }
  if (response.ok && text === '') listener.end({ how: 'closed' });
  else listener.refused(response.status, text);
  return { text };
}
