import { describe, expect, test } from 'vitest';
import type { EntryBody } from '../../log/entry/entry.ts';
import { toFileEntry } from '../../log/entry/publicEntry.ts';
import { CALL, entryOf, reloadedCall } from '../testing/logOf.ts';
import { bare } from './bare.ts';
import { importedEntry } from './importedEntry.ts';
import { recorded } from '../../log/reasons/reason.ts';

/** Stands wherever a user, a server or a message can have put a text. */
const SAID = 'said-by-somebody';
const ids = { stream: CALL, callId: CALL };
const args = { said: SAID };
const raw = JSON.stringify({ jsonrpc: '2.0', id: SAID, result: { said: SAID } });

const bodies: readonly EntryBody[] = [
  { kind: 'load', reason: 'opened', pageLeftAt: 4 },
  { kind: 'state', state: { name: 'connecting', url: `http://localhost/mcp?q=${SAID}` } },
  { kind: 'state', state: { name: 'authorizing', reason: recorded(SAID), ask: 'login' } },
  { kind: 'state', state: { name: 'connected', how: 'resumed', recovered: 3, reason: recorded(SAID) } },
  { kind: 'state', state: { name: 'reconnecting', attempt: 1, retryAt: 2, reason: recorded(SAID) } },
  { kind: 'state', state: { name: 'disconnected', reason: recorded(SAID) } },
  {
    kind: 'state',
    state: { name: 'failed', reason: recorded(SAID, 'cors', SAID), paste: SAID, elsewhere: SAID },
  },
  { kind: 'session', protocolVersion: SAID, serverName: SAID },
  { kind: 'era', era: 'stateless', protocolVersion: '2026-07-28', reason: recorded(SAID) },
  { kind: 'task', taskId: 't', callId: CALL, change: { name: 'ended', reason: recorded(SAID) } },
  {
    kind: 'call',
    callId: CALL,
    change: { name: 'sending', tool: 'countdown', args, meta: args, timeoutMs: 1, repeatable: true },
  },
  {
    kind: 'call',
    callId: CALL,
    change: {
      name: 'sending',
      method: 'resources/read',
      tool: `file:///${SAID}`,
      args,
      timeoutMs: 1,
      repeatable: true,
    },
  },
  {
    kind: 'call',
    callId: CALL,
    change: { name: 'failed', error: { code: -32000, message: SAID }, reason: { code: 'rpc-error' } },
  },
  { kind: 'call', callId: CALL, change: { name: 'lost', reason: recorded(SAID) } },
  { kind: 'question', requestId: '1', change: { name: 'answering', reason: recorded(SAID) } },
  {
    kind: 'question',
    requestId: '1',
    change: { name: 'answered', response: { content: args }, reason: recorded(SAID) },
  },
  { kind: 'question', requestId: '1', change: { name: 'expired', reason: recorded(SAID) } },
  { kind: 'sent', ...ids, method: 'tools/call', raw },
  { kind: 'received', ...ids, eventId: 'e1', replayed: true, raw },
  { kind: 'position', ...ids, eventId: 'e2' },
  { kind: 'duplicate', ...ids, eventId: 'e2' },
  { kind: 'malformed', ...ids, eventId: 'e3', reason: recorded(SAID), excerpt: SAID },
  {
    kind: 'http',
    ...ids,
    method: 'POST',
    url: `http://localhost/mcp?q=${SAID}`,
    status: 400,
    durationMs: 3,
    requestHeaders: { accept: 'text/event-stream', 'Mcp-Param-City': SAID, 'mcp-name': SAID },
    responseHeaders: { 'content-type': 'text/event-stream', 'www-authenticate': SAID, 'x-error': SAID },
  },
  { kind: 'stream-end', ...ids, how: 'broken', reason: recorded(SAID) },
  {
    kind: 'auth',
    step: 'token',
    method: 'POST',
    url: `https://login.example/token?hint=${SAID}`,
    status: 400,
    sent: { scope: SAID },
    answer: SAID,
    reason: { code: 'auth-refused', status: 400, text: SAID },
  },
  { kind: 'note', level: 'warn', reason: recorded(SAID) },
];
const entries = bodies.map((body, n) => entryOf(n + 1, 5, 1, body));

describe('without what messages say', () => {
  test.each(entries.map((entry) => [entry.kind, entry] as const))(
    '%s: no text of others is left',
    (_, entry) => {
      expect(JSON.stringify(bare(entry))).not.toContain(SAID);
    },
  );

  test('an entry is still one that can be imported', () => {
    for (const entry of [...entries, ...reloadedCall]) {
      const left = bare(entry);
      const printed: unknown = JSON.parse(JSON.stringify(toFileEntry('s', left)));
      expect(importedEntry(printed)).toEqual({ ok: true, value: left });
    }
  });

  test('methods, names of tools, IDs, status codes and times stay', () => {
    expect(entries.map(bare)).toMatchObject([
      { kind: 'load', reason: 'opened', pageLeftAt: 4, at: 5 },
      { state: { name: 'connecting', url: 'http://localhost/mcp' } },
      { state: { name: 'authorizing', ask: 'login' } },
      { state: { name: 'connected', how: 'resumed', recovered: 3 } },
      { state: { name: 'reconnecting', attempt: 1, retryAt: 2 } },
      { state: { name: 'disconnected' } },
      { state: { name: 'failed', reason: { oldCode: 'cors' } } },
      { kind: 'session' },
      { era: 'stateless', protocolVersion: '2026-07-28' },
      { taskId: 't', callId: CALL },
      { change: { name: 'sending', tool: 'countdown', args: {} } },
      { change: { name: 'sending', method: 'resources/read', args: {} } },
      { change: { name: 'failed', error: { code: -32000 } } },
      { change: { name: 'lost' } },
      { change: { name: 'answering' } },
      { change: { name: 'answered' } },
      { change: { name: 'expired' } },
      { kind: 'sent', ...ids, method: 'tools/call' },
      { kind: 'received', ...ids, eventId: 'e1', replayed: true },
      { kind: 'position', eventId: 'e2' },
      { kind: 'duplicate', eventId: 'e2' },
      { kind: 'malformed', eventId: 'e3' },
      { method: 'POST', status: 400, durationMs: 3, requestHeaders: { accept: 'text/event-stream' } },
      { kind: 'stream-end', how: 'broken' },
      { step: 'token', method: 'POST', status: 400, reason: { code: 'auth-refused', status: 400 } },
      { kind: 'note', level: 'warn' },
    ]);
  });
});
