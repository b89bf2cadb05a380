/** The HTTP exchanges of a log, as HAR 1.2 has them. */
import type { Entry } from '../../log/entry/entry.ts';
import type { EntryOf } from '../../log/entry/entryKinds.ts';

type Http = EntryOf<'http'>;
type Sent = EntryOf<'sent'>;
type Received = EntryOf<'received'>;

interface Open {
  readonly http: Http;
  readonly sent: Sent | undefined;
  body: string;
  endedAt: number;
}

/** The exchanges that a log tells of, each closed when its stream has ended. */
export class HarExchanges {
  readonly pages: object[] = [];
  readonly #server: string;
  readonly #open = new Map<string, Open>();
  readonly #sent = new Map<string, Sent>();
  #ended: object[] = [];

  constructor(server: string) {
    this.#server = server;
  }

  load(entry: Entry): void {
    this.endAll();
    this.pages.push(pageOf(entry, this.#server));
  }

  sent(entry: Sent): void {
    this.#sent.set(entry.stream, entry);
  }

  http(http: Http): void {
    this.end(http.stream);
    const sent = http.method === 'POST' ? this.#sent.get(http.stream) : undefined;
    this.#sent.delete(http.stream);
    this.#open.set(http.stream, { http, sent, body: '', endedAt: http.at });
  }

  received(entry: Received): void {
    const exchange = this.#open.get(entry.stream);
    if (!exchange) return;
    exchange.endedAt = entry.at;
    const id = entry.eventId === undefined ? '' : `id: ${entry.eventId}\n`;
    exchange.body += isStream(exchange.http) ? `${id}data: ${entry.raw}\n\n` : entry.raw;
  }

  end(stream: string): void {
    const exchange = this.#open.get(stream);
    this.#open.delete(stream);
    if (exchange) this.#ended.push(harEntry(exchange));
  }

  endAll(): void {
    for (const stream of [...this.#open.keys()]) this.end(stream);
  }

  /** The exchanges that have ended since the last time. */
  take(): readonly object[] {
    const taken = this.#ended;
    this.#ended = [];
    return taken;
  }
}

const isStream = (http: Http): boolean => typeOf(http).includes('text/event-stream');
const typeOf = (http: Http): string => http.responseHeaders['content-type'] ?? '';

function pageOf({ at, load }: Entry, server: string): object {
  return {
    startedDateTime: isoTime(at),
    id: `load-${load}`,
    title: `${server}, page load ${load}`,
    pageTimings: {},
  };
}

function harEntry({ http, sent, body, endedAt }: Open): object {
  const receiveMs = Math.max(0, endedAt - http.at);
  const url = URL.parse(http.url);
  return {
    pageref: `load-${http.load}`,
    startedDateTime: isoTime(http.at - http.durationMs),
    time: http.durationMs + receiveMs,
    request: {
      method: http.method,
      url: http.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(http.requestHeaders),
      queryString: [...(url?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
      ...(sent && { postData: { mimeType: 'application/json', text: sent.raw } }),
      headersSize: -1,
      bodySize: sent?.raw.length ?? 0,
    },
    response: {
      status: http.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(http.responseHeaders),
      content: { size: body.length, mimeType: typeOf(http), text: body },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: http.durationMs, receive: receiveMs },
  };
}

/** The time as HAR prints it; one that no `Date` can show becomes the nearest that it can. */
function isoTime(ms: number): string {
  return new Date(Math.min(8.64e15, Math.max(-8.64e15, ms))).toISOString();
}

function headersOf(headers: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
