/** A server with the transport HTTP+SSE (2024-11-05, deprecated): one stream for everything, and a URL for what is sent. */
import { asError, unreachable } from './httpUpstream.ts';
import { forward, isStream, passOn, type Forwarded } from './forward.ts';
import { readEvents } from './readMessages.ts';
import { messagesIn } from './messagesIn.ts';
import type { Outgoing, Upstream, UpstreamEvents, UpstreamStatus } from './upstream.ts';

/** A stream whose first event names the URL to send to. */
export interface OldSseStream {
  readonly postUrl: string;
  readonly response: Forwarded;
  readonly abort: AbortController;
  /** Set by the one who reads. */
  onMessage: (data: string) => void;
  readonly ended: Promise<void>;
}

const ENDPOINT_WAIT_MS = 5000;

/** Opens the stream; `undefined` if the server has no such transport. */
export async function openOldSse(url: string, headers: Headers): Promise<OldSseStream | undefined> {
  const abort = new AbortController();
  const asked = new Headers(headers);
  asked.set('accept', 'text/event-stream');
  for (const name of ['content-type', 'mcp-protocol-version']) asked.delete(name);
  const response = await forward(url, { method: 'GET', headers: asked, signal: abort.signal }).catch(
    () => undefined,
  );
  if (!response || response.status !== 200 || !isStream(response.headers)) {
    abort.abort();
    return undefined;
  }
  return new Promise((resolve) => {
    let stream: OldSseStream | undefined;
    const giveUp = () => {
      abort.abort();
      resolve(undefined);
    };
    const timer = setTimeout(giveUp, ENDPOINT_WAIT_MS);
    const ended = readEvents(response, ({ type, data }) => {
      if (type === 'message') return stream?.onMessage(data);
      const target = URL.parse(data, url);
      // Messages of the page must not be sent to another host.
      if (type !== 'endpoint' || stream || target?.origin !== new URL(url).origin) return;
      clearTimeout(timer);
      stream = { postUrl: target.href, response, abort, ended, onMessage: () => undefined };
      resolve(stream);
    }).catch(() => undefined);
    void ended.then(() => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}

export class OldSseUpstream implements Upstream {
  readonly #stream: OldSseStream;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(stream: OldSseStream, headers: Readonly<Record<string, string>>, events: UpstreamEvents) {
    this.#stream = stream;
    this.#headers = headers;
    stream.onMessage = (data) => {
      for (const { text, message } of messagesIn(data)) events.onMessage(text, message);
    };
    void stream.ended.then(() =>
      events.onEnd({
        message: 'The server closed its stream, which ended the session.',
        data: { bridge: true },
      }),
    );
  }

  async send({ texts, headers }: Outgoing): Promise<Response | undefined> {
    for (const body of texts) {
      const sent = new Headers(headers);
      sent.delete('mcp-session-id');
      for (const [name, value] of Object.entries(this.#headers)) sent.set(name, value);
      const { signal } = this.#stream.abort;
      const answer = await forward(this.#stream.postUrl, {
        method: 'POST',
        headers: sent,
        body,
        signal,
      }).catch(asError);
      if (answer instanceof Error) return unreachable(answer);
      if (answer.status >= 300) return passOn(answer);
      answer.body.resume();
    }
    return undefined;
  }

  status(): UpstreamStatus {
    return { stderr: [], skipped: [] };
  }

  async close(): Promise<void> {
    this.#stream.abort.abort();
  }
}
