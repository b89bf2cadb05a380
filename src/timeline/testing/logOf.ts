/** A small log for tests: a countdown that is cut by a reload, resumed, asked a question, and answered. */
import type { Entry, EntryBody } from '../../log/entry/entry.ts';

export const CALL = '01JCALL0000000000000000AAA';
export const LIST = '01JLIST0000000000000000BBB';

export function entryOf(seq: number, at: number, load: number, body: EntryBody): Entry {
  return { seq, at, load, ...body };
}

const json = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const SSE = { 'content-type': 'text/event-stream' };

const http = (stream: string, method: string, status: number, more: object = {}): EntryBody => ({
  kind: 'http',
  stream,
  method,
  url: 'http://127.0.0.1:3000/mcp',
  status,
  durationMs: 5,
  requestHeaders: { 'content-type': 'application/json', authorization: 'Bearer ‹redacted›' },
  responseHeaders: status === 200 ? SSE : {},
  ...more,
});

const progress = (n: number, eventId: string, more: object = {}): EntryBody => ({
  kind: 'received',
  stream: CALL,
  callId: CALL,
  method: 'notifications/progress',
  eventId,
  raw: json({ method: 'notifications/progress', params: { progressToken: CALL, progress: n, total: 3 } }),
  ...more,
});

export const reloadedCall: readonly Entry[] = [
  entryOf(1, 1000, 1, { kind: 'load', reason: 'opened' }),
  entryOf(2, 1010, 1, { kind: 'state', state: { name: 'connecting', url: 'http://127.0.0.1:3000/mcp' } }),
  entryOf(3, 1020, 1, {
    kind: 'sent',
    stream: LIST,
    method: 'tools/list',
    raw: json({ id: LIST, method: 'tools/list' }),
  }),
  entryOf(4, 1030, 1, http(LIST, 'POST', 200)),
  entryOf(5, 1060, 1, { kind: 'received', stream: LIST, raw: json({ id: LIST, result: { tools: [] } }) }),
  entryOf(6, 1065, 1, { kind: 'stream-end', stream: LIST, how: 'answered' }),
  entryOf(7, 1070, 1, { kind: 'state', state: { name: 'connected', how: 'fresh' } }),
  entryOf(8, 2000, 1, {
    kind: 'call',
    callId: CALL,
    change: { name: 'sending', tool: 'countdown', args: { ticks: 3 }, timeoutMs: 1, repeatable: true },
  }),
  entryOf(9, 2001, 1, {
    kind: 'sent',
    stream: CALL,
    callId: CALL,
    method: 'tools/call',
    raw: json({ id: CALL, method: 'tools/call', params: { name: 'countdown', arguments: { ticks: 3 } } }),
  }),
  entryOf(10, 2010, 1, http(CALL, 'POST', 200, { callId: CALL })),
  entryOf(11, 2100, 1, progress(1, 'e1')),
  entryOf(12, 4000, 2, { kind: 'load', reason: 'opened' }),
  entryOf(13, 4005, 2, {
    kind: 'state',
    state: {
      name: 'reconnecting',
      attempt: 1,
      retryAt: 4005,
      reason: { code: 'page-loaded' },
    },
  }),
  entryOf(14, 4010, 2, http(CALL, 'GET', 409, { callId: CALL })),
  entryOf(15, 4100, 2, http(CALL, 'GET', 200, { callId: CALL, requestHeaders: { 'last-event-id': 'e1' } })),
  entryOf(16, 4101, 2, progress(2, 'e2', { replayed: true })),
  entryOf(17, 4101, 2, { kind: 'duplicate', stream: CALL, callId: CALL, eventId: 'e1' }),
  entryOf(18, 4110, 2, { kind: 'state', state: { name: 'connected', how: 'resumed' } }),
  entryOf(19, 4200, 2, {
    kind: 'received',
    stream: CALL,
    callId: CALL,
    method: 'elicitation/create',
    eventId: 'e3',
    raw: json({ id: 7, method: 'elicitation/create', params: { message: 'Go on?' } }),
  }),
  entryOf(20, 5000, 2, { kind: 'question', requestId: '7', change: { name: 'answered' } }),
  entryOf(21, 5001, 2, {
    kind: 'sent',
    stream: 'outgoing',
    raw: json({ id: 7, result: { action: 'accept', content: {} } }),
  }),
  entryOf(22, 5100, 2, progress(3, 'e4')),
  entryOf(23, 5200, 2, {
    kind: 'received',
    stream: CALL,
    callId: CALL,
    eventId: 'e5',
    raw: json({ id: CALL, result: { content: [{ type: 'text', text: 'Zürich is done' }] } }),
  }),
  entryOf(24, 5201, 2, { kind: 'stream-end', stream: CALL, callId: CALL, how: 'answered' }),
  entryOf(25, 5300, 2, { kind: 'note', level: 'warn', reason: { code: 'log-full' } }),
];
