/** A recording as a log that Reprise's app can open. Pure. */
import { printLogFile } from '../../src/timeline/share/logFile.ts';
import { STANDALONE, type Entry, type EntryBody } from '../../src/log/entry/entry.ts';
import { isToolCall, traceCall, type CallTrace } from './callTrace.ts';
import { requestIdOf } from './classify.ts';
import type { Recording, WireExchange } from './model.ts';

interface Timed {
  readonly at: number;
  readonly load: number;
  readonly body: EntryBody;
}

/** Long enough that no call of a story runs into it. */
const TIMEOUT_MS = 600_000;

export async function printStoryLog(
  recording: Recording,
  { server, url, hide }: { server: string; url: string; hide: (text: string) => string },
): Promise<string> {
  const entries = entriesOf(recording, hide);
  async function* chunks(): AsyncGenerator<readonly Entry[]> {
    yield entries;
  }
  let text = '';
  for await (const part of printLogFile({ server, url, exportedAt: recording.startedAt }, chunks()))
    text += part;
  return text;
}

function entriesOf(recording: Recording, hide: (text: string) => string): readonly Entry[] {
  const calls = recording.exchanges.filter(isToolCall).map((post) => traceCall(recording, post));
  const loads = recording.pages.map(({ at, load }): Timed => ({
    at,
    load,
    body: { kind: 'load', reason: 'opened' },
  }));
  const exchanges = recording.exchanges
    .filter(({ kind }) => kind !== 'preflight')
    .flatMap((exchange) => entriesOfExchange(exchange, calls, hide));
  return [...loads, ...exchanges]
    .sort((a, b) => a.at - b.at)
    .map(({ at, load, body }, index) => ({ seq: index + 1, at: recording.startedAt + at, load, ...body }));
}

function entriesOfExchange(
  exchange: WireExchange,
  calls: readonly CallTrace[],
  hide: (text: string) => string,
): Timed[] {
  const { at, message, events, end, headAt = end?.at ?? at } = exchange;
  const load = exchange.page?.load ?? 1;
  const call = calls.find(({ streams }) => streams.includes(exchange));
  const stream = call ? String(call.requestId) : String(requestIdOf(message) ?? STANDALONE);
  const callId = call ? { callId: `${call.post.server}-${call.post.index}` } : {};
  const text = (value: object): string => hide(JSON.stringify(value));
  const method = typeof message?.['method'] === 'string' ? { method: message['method'] } : {};
  const intent: Timed[] =
    call?.post === exchange && 'callId' in callId
      ? [
          {
            at,
            load,
            body: {
              kind: 'call',
              callId: callId.callId,
              change: {
                name: 'sending',
                tool: call.tool,
                args: call.args,
                timeoutMs: TIMEOUT_MS,
                repeatable: false,
              },
            },
          },
        ]
      : [];
  const shortened = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)]));
  return [
    ...intent,
    ...(message
      ? [
          {
            at,
            load,
            body: { kind: 'sent', stream, ...callId, ...method, raw: text(message) },
          } satisfies Timed,
        ]
      : []),
    {
      at: headAt,
      load,
      body: {
        kind: 'http',
        stream,
        ...callId,
        method: exchange.method,
        url: hide(exchange.url),
        status: exchange.status,
        durationMs: Math.max(0, headAt - at),
        requestHeaders: shortened(exchange.requestHeaders),
        responseHeaders: shortened(exchange.responseHeaders),
      },
    },
    ...events.flatMap(({ deliveredAt, eventId, message: received }): Timed[] => {
      if (deliveredAt === undefined) return [];
      const id = eventId === undefined ? {} : { eventId };
      const replayed = exchange.kind === 'resume' ? { replayed: true as const } : {};
      if (received)
        return [
          {
            at: deliveredAt,
            load,
            body: { kind: 'received', stream, ...id, ...replayed, ...callId, raw: text(received) },
          },
        ];
      return eventId === undefined
        ? []
        : [{ at: deliveredAt, load, body: { kind: 'position', stream, eventId, ...callId } }];
    }),
    ...(end
      ? [
          {
            at: end.at,
            load,
            body: { kind: 'stream-end', stream, ...callId, how: end.by === 'server' ? 'closed' : 'broken' },
          } satisfies Timed,
        ]
      : []),
  ];
}
