/** An HTTP server that can't replay: the bridge holds its streams, so that they outlive the page. */
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { requestIdOf } from './calls.ts';
import { forward, isStream, passOn, type Forwarded } from './forward.ts';
import { readMessages } from './readMessages.ts';
import type { Outgoing, Upstream, UpstreamEvents, UpstreamStatus } from './upstream.ts';

export interface HttpUpstreamOptions {
  readonly url: string;
  /** Sent with every request, beside those of the page. */
  readonly headers: Readonly<Record<string, string>>;
  /** The session ID of the server; stateless servers have none. */
  readonly serverSession: string | undefined;
  /** The response to `initialize`, which was sent to find out what the server can do. */
  readonly initialized: Forwarded;
}

/**
 * A refusal comes at once, and passes as it is. A server that responds in JSON may take minutes until its head: the page
 * gets its first event ID before that, or a reload would lose the call.
 */
const HEAD_WAIT_MS = 250;
const REOPEN_MS = 1000;
const MAX_REOPEN_MS = 30_000;
const DELETE_WAIT_MS = 2000;

export class HttpUpstream implements Upstream {
  readonly #o: HttpUpstreamOptions;
  readonly #events: UpstreamEvents;
  readonly #abort = new AbortController();
  #initialized: Forwarded | undefined;
  /** The page's, of its newest POST: for the requests that the bridge sends by itself. */
  #headers = new Headers();
  #hasStandalone = false;

  constructor(options: HttpUpstreamOptions, events: UpstreamEvents) {
    this.#o = options;
    this.#events = events;
    this.#initialized = options.initialized;
  }

  async send({ messages, texts, headers }: Outgoing): Promise<Response | undefined> {
    this.#headers = headers;
    const ids = messages.flatMap((message) => requestIdOf(message) ?? []);
    const known = this.#initialized;
    this.#initialized = undefined;
    if (known) {
      void this.#pump(known, ids);
      return undefined;
    }
    const [only] = texts;
    const body = texts.length === 1 && only !== undefined ? only : `[${texts.join(',')}]`;
    const head = this.#request('POST', headers, body);
    if (ids.length === 0)
      return this.#settleNotification(
        messages.map(({ method }) => method),
        await head.catch(asError),
      );
    const first = await Promise.race([head.catch(asError), afterMs(HEAD_WAIT_MS)]);
    if (first === 'late') void head.catch(asError).then((answer) => this.#receive(answer, ids, true));
    return first === 'late' ? undefined : this.#receive(first, ids, false);
  }

  status(): UpstreamStatus {
    return { stderr: [], skipped: [] };
  }

  async close(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    if (this.#o.serverSession === undefined) return;
    const signal = AbortSignal.timeout(DELETE_WAIT_MS);
    const options = { method: 'DELETE', headers: this.#ownHeaders(this.#headers), signal };
    await forward(this.#o.url, options).then(
      ({ body }) => body.resume(),
      () => undefined,
    );
  }

  #settleNotification(methods: readonly unknown[], answer: Forwarded | Error): Response | undefined {
    if (answer instanceof Error) return unreachable(answer);
    if (answer.status >= 300) return this.#refuse(answer);
    answer.body.resume();
    if (methods.includes('notifications/initialized')) void this.#holdStandalone();
    return undefined;
  }

  /** `isLate`: the page has its stream already, so a refusal becomes an error in it. */
  #receive(answer: Forwarded | Error, ids: readonly RequestId[], isLate: boolean): Response | undefined {
    if (answer instanceof Error) {
      if (!isLate) return unreachable(answer);
      return this.#giveUp(ids, `No response from the server: ${answer.message}`);
    }
    if (answer.status >= 300) {
      const refusal = this.#refuse(answer);
      if (!isLate) return refusal;
      void refusal.body?.cancel();
      return this.#giveUp(ids, `The server responded with HTTP ${answer.status}.`, answer.status);
    }
    void this.#pump(answer, ids);
    return undefined;
  }

  /** A session that the server doesn't know any more is over for the page, too. */
  #refuse(answer: Forwarded): Response {
    if (answer.status === 404 && this.#o.serverSession !== undefined) {
      this.#events.onEnd({
        message: 'The server ended the session (HTTP 404).',
        data: { bridge: true, status: 404 },
      });
    }
    return passOn(answer);
  }

  /** Reads a response to its end, whether a page is there or not. */
  async #pump(response: Forwarded, ids: readonly RequestId[]): Promise<void> {
    try {
      await readMessages(response, (text, message) => this.#events.onMessage(text, message, ids[0]));
      this.#giveUp(ids, 'The server closed the stream before its response.');
    } catch {
      if (!this.#abort.signal.aborted)
        this.#giveUp(ids, 'The connection to the server was lost before its response.');
    }
  }

  /** An error for those requests that are still open. */
  #giveUp(ids: readonly RequestId[], message: string, status?: number): undefined {
    const data = { bridge: true, ...(status !== undefined && { status }) };
    for (const id of ids) {
      const error = { jsonrpc: '2.0', id, error: { code: -32000, message, data } };
      this.#events.onMessage(JSON.stringify(error), error);
    }
  }

  /** Keeps the standalone stream open for as long as the session lasts, where the server has one. */
  async #holdStandalone(): Promise<void> {
    if (this.#hasStandalone) return;
    this.#hasStandalone = true;
    for (
      let delayMs = REOPEN_MS;
      !this.#abort.signal.aborted;
      delayMs = Math.min(delayMs * 2, MAX_REOPEN_MS)
    ) {
      const answer = await this.#request('GET', this.#headers).catch(asError);
      if (!(answer instanceof Error)) {
        if (answer.status >= 400 || !isStream(answer.headers)) {
          answer.body.resume();
          // A login may be missing; the next POST tells. 405: there is no such stream.
          this.#hasStandalone = false;
          return;
        }
        const openedAt = Date.now();
        await readMessages(answer, (text, message) => this.#events.onMessage(text, message)).catch(
          () => undefined,
        );
        if (Date.now() - openedAt > MAX_REOPEN_MS) delayMs = REOPEN_MS;
      }
      await afterMs(delayMs);
    }
  }

  #request(method: string, pageHeaders: Headers, body?: string): Promise<Forwarded> {
    const headers = this.#ownHeaders(pageHeaders);
    if (method === 'GET') headers.set('accept', 'text/event-stream');
    return forward(this.#o.url, {
      method,
      headers,
      signal: this.#abort.signal,
      ...(body !== undefined && { body }),
    });
  }

  /** The page's, with the session ID of the server instead of the bridge's. */
  #ownHeaders(pageHeaders: Headers): Headers {
    const headers = new Headers(pageHeaders);
    headers.delete('mcp-session-id');
    headers.delete('last-event-id');
    for (const [name, value] of Object.entries(this.#o.headers)) headers.set(name, value);
    if (this.#o.serverSession !== undefined) headers.set('mcp-session-id', this.#o.serverSession);
    return headers;
  }
}

export function unreachable(error: Error): Response {
  const message = `No response from the server: ${error.message}`;
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32000, message, data: { bridge: true } } },
    { status: 502 },
  );
}

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function afterMs(ms: number): Promise<'late'> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'late').unref());
}
