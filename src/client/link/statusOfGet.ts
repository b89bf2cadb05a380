/** Sends a GET without a session ID, to see what a server that speaks 2026-07-28 does with it. Nothing else is sent. */
import type { Clock } from '../../base/clock.ts';
import type { Fetch } from '../../wire/recordingFetch.ts';
import { recordResponse } from '../exchange/recordResponse.ts';
import { OUTGOING, type Recording } from '../exchange/streamExchange.ts';

export interface StatusOfGetOptions extends Pick<Recording, 'log' | 'redactor'> {
  readonly clock: Clock;
  readonly url: string;
  /** Not the one that logs in: a server may reject a missing session with 401. */
  readonly fetch: Fetch;
  readonly token: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** @returns nothing where no response came in time, or none that this page may read */
export async function statusOfGet(
  options: StatusOfGetOptions,
  timeoutMs: number,
): Promise<number | undefined> {
  const { url, clock, token } = options;
  // Without a protocol version: the Python SDK looks for sessions only where it isn't 2026-07-28.
  const headers = new Headers({ ...options.headers, accept: 'text/event-stream' });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const abort = new AbortController();
  const cancel = clock.after(timeoutMs, () => abort.abort());
  const startedAt = clock.now();
  try {
    const { fetch } = options;
    const response = await fetch(url, { method: 'GET', headers, cache: 'no-store', signal: abort.signal });
    const { status, headers: responseHeaders } = response;
    const durationMs = clock.now() - startedAt;
    recordResponse(
      options,
      { stream: OUTGOING },
      { status, durationMs, url, method: 'GET', requestHeaders: headers, responseHeaders, streams: false },
    );
    if (response.ok) options.log.append({ body: { kind: 'stream-end', stream: OUTGOING, how: 'released' } });
    return status;
  } catch {
    return undefined;
  } finally {
    cancel();
    // A stream may have been opened: it would hold one of the browser's connections.
    abort.abort();
  }
}
