/** The HTTP exchanges of a log as HAR 1.2, for the tools that read it. */
import type { Entry } from '../../log/entry.ts';
import { bare } from './bare.ts';
import { leftOut, type LogInfo, type ShareOptions } from './logFile.ts';

type Http = Extract<Entry, { kind: 'http' }>;
type Sent = Extract<Entry, { kind: 'sent' }>;

interface Open {
  readonly http: Http;
  readonly sent: Sent | undefined;
  body: string;
  endedAt: number;
}

export async function* printHar(
  info: LogInfo,
  version: string,
  chunks: AsyncIterable<readonly Entry[]>,
  options: ShareOptions = {},
): AsyncGenerator<string> {
  const comment = `Left out: ${leftOut(options).join(' ')}`;
  const creator = { name: 'Reprise', version };
  const pages: object[] = [];
  const open = new Map<string, Open>();
  const sent = new Map<string, Sent>();
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"comment":${JSON.stringify(comment)},"entries":[`;
  let separator = '\n';
  for await (const entries of chunks) {
    let text = '';
    const finish = (stream: string): void => {
      const exchange = open.get(stream);
      open.delete(stream);
      if (!exchange) return;
      text += separator + JSON.stringify(harEntry(exchange));
      separator = ',\n';
    };
    for (const whole of entries) {
      const entry = options.withoutContent ? bare(whole) : whole;
      switch (entry.kind) {
        case 'load':
          for (const stream of [...open.keys()]) finish(stream);
          pages.push(pageOf(entry, info));
          break;
        case 'sent':
          sent.set(entry.stream, entry);
          break;
        case 'http':
          finish(entry.stream);
          open.set(entry.stream, { http: entry, sent: takeSent(sent, entry), body: '', endedAt: entry.at });
          break;
        case 'received':
          add(open.get(entry.stream), entry);
          break;
        case 'stream-end':
          finish(entry.stream);
          break;
        default:
      }
    }
    yield text;
  }
  let rest = '';
  for (const exchange of open.values()) {
    rest += separator + JSON.stringify(harEntry(exchange));
    separator = ',\n';
  }
  yield `${rest}\n],"pages":${JSON.stringify(pages)}}}\n`;
}

function takeSent(sent: Map<string, Sent>, http: Http): Sent | undefined {
  const found = http.method === 'POST' ? sent.get(http.stream) : undefined;
  sent.delete(http.stream);
  return found;
}

function add(exchange: Open | undefined, entry: Extract<Entry, { kind: 'received' }>): void {
  if (!exchange) return;
  exchange.endedAt = entry.at;
  const id = entry.eventId === undefined ? '' : `id: ${entry.eventId}\n`;
  exchange.body += isStream(exchange.http) ? `${id}data: ${entry.raw}\n\n` : entry.raw;
}

const isStream = (http: Http): boolean => typeOf(http).includes('text/event-stream');
const typeOf = (http: Http): string => http.responseHeaders['content-type'] ?? '';

function pageOf({ at, load }: Entry, { server }: LogInfo): object {
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
