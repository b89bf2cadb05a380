import { expect, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { ServerReducer } from '../../log/state/serverReducer.ts';
import { foldStored, Log } from '../../log/log.ts';
import { Redactor } from '../../wire/redact.ts';
import { recordFrames } from './recordFrames.ts';
import { RunWatch } from './runWatch.ts';
import { redactLists, redactSession } from '../servers/redactStored.ts';
import { ReplayFilter } from './replayFilter.ts';
import { recordSent } from './sentMessages.ts';
import { recorded } from '../../log/reasons/reason.ts';

const SECRET = 'bearer/token-42';
const CALL = 'call-1';
const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };

function recording() {
  const redactor = new Redactor();
  redactor.protect({ bearer: SECRET });
  const log = new Log('s', clock, undefined, (body) => redactor.body(body));
  const inputSchema = { properties: { pin: { type: 'string', format: 'password' } } };
  const toolOf = () => ({ inputSchema });
  return {
    clock,
    log,
    redactor,
    seen: new ReplayFilter(),
    toolOf,
    wire: { awaits: () => false, hasEventIds: true },
  };
}

test('the state holds no secret either, and is the one that the stored entries give', () => {
  const all = recording();
  const { log } = all;
  const args = { url: `https://x/?t=${SECRET}` };
  const change = { name: 'sending', tool: 't', args, timeoutMs: 1, repeatable: false } as const;
  log.append({ body: { kind: 'call', callId: CALL, change } });
  const frames = [
    { method: 'notifications/progress', params: { progressToken: CALL, progress: 1, message: SECRET } },
    { id: 7, method: 'elicitation/create', params: { message: `${SECRET}?` } },
    { id: CALL, error: { code: 1, message: `Your token ${SECRET.replace('/', '%2f')} is bad.` } },
  ].map((message, n) => ({
    id: `e${n}`,
    data: JSON.stringify({ jsonrpc: '2.0', ...message }).replaceAll('/token', '\\/token'),
  }));
  const { drafts } = recordFrames(frames, {
    ...all,
    awaits: () => false,
    stream: CALL,
    callId: CALL,
    listens: false,
    replaying: false,
    runs: new RunWatch(false),
    calls: log.state.calls,
  });
  log.appendAll(drafts);
  const kept = JSON.stringify([log.state.snapshot(), log.tail]);
  expect(kept).not.toMatch(/token-42/);
  expect(kept).toContain('Your token ‹redacted› is bad.');
  const state = new ServerReducer('s');
  foldStored(state, log.tail);
  expect(state.snapshot()).toEqual(log.state.snapshot());
});

test('texts of the page itself are redacted where they are recorded', () => {
  const { log } = recording();
  log.append({
    body: {
      kind: 'state',
      state: { name: 'failed', reason: { code: 'refused', status: 400, text: SECRET } },
    },
  });
  log.append({ body: { kind: 'note', level: 'warn', reason: recorded(SECRET) } });
  expect(log.tail).toMatchObject([
    { state: { name: 'failed', reason: { status: 400, text: '‹redacted›' } } },
    { reason: { code: 'recorded', text: '‹redacted›' } },
  ]);
  expect(log.state.connection).toMatchObject({ reason: { text: '‹redacted›' } });
});

test('a secret argument is hidden in what was sent, however short it is', () => {
  const all = recording();
  const params = {
    name: 't',
    arguments: { pin: '12', user: 'ann', password: 'x' },
    _meta: { progressToken: CALL },
  };
  recordSent(all, JSON.stringify({ jsonrpc: '2.0', id: CALL, method: 'tools/call', params }));
  const prompt = { name: 'p', arguments: { api_key: 'k' } };
  recordSent(all, JSON.stringify({ jsonrpc: '2.0', id: '2', method: 'prompts/get', params: prompt }));
  const argument = { name: 'token', value: 'abc' };
  recordSent(
    all,
    JSON.stringify({ jsonrpc: '2.0', id: '3', method: 'completion/complete', params: { argument } }),
  );
  const raws = all.log.tail.map((entry) => ('raw' in entry ? (JSON.parse(entry.raw) as object) : {}));
  expect(raws).toMatchObject([
    {
      params: {
        arguments: { pin: '‹redacted›', user: 'ann', password: '‹redacted›' },
        _meta: { progressToken: CALL },
      },
    },
    { params: { arguments: { api_key: '‹redacted›' } } },
    { params: { argument: { name: 'token', value: '‹redacted›' } } },
  ]);
});

test('an answer to a question is hidden by the schema that was asked for', () => {
  const all = recording();
  const requestedSchema = { properties: { code: { type: 'string', writeOnly: true } } };
  const asked = { jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: { requestedSchema } };
  all.log.append({
    body: {
      kind: 'received',
      stream: 'standalone',
      method: 'elicitation/create',
      raw: JSON.stringify(asked),
    },
    message: asked,
  });
  recordSent(
    all,
    JSON.stringify({ jsonrpc: '2.0', id: 7, result: { action: 'accept', content: { code: '12' } } }),
  );
  expect(all.log.tail.at(-1)).toMatchObject({ raw: expect.stringContaining('"code":"‹redacted›"') });
});

test('lists and sessions are stored without secrets, but with what is sent back', () => {
  const { redactor } = recording();
  const resource = { name: SECRET, uri: `https://x/${SECRET}`, description: SECRET };
  const lists = { tools: [], resources: [resource], resourceTemplates: [], prompts: [] };
  expect(redactLists(lists, redactor).resources).toEqual([{ ...resource, description: '‹redacted›' }]);
  const serverInfo = { name: 's', version: '1', title: SECRET };
  const handshake = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
  const session = { sessionId: 'abc', protocolVersion: '2025-11-25', handshake };
  expect(redactSession(session, redactor)).toMatchObject({
    sessionId: 'abc',
    handshake: { serverInfo: { title: '‹redacted›' } },
  });
});

test('an entry of an earlier version is redacted when it is shared, with its IDs', () => {
  const { redactor } = recording();
  redactor.protectSession(new Headers({ 'mcp-session-id': 'session-0123' }));
  const stamp = { seq: 1, at: 1, load: 1 };
  const raw = JSON.stringify({ jsonrpc: '2.0', id: 'session-0123/1', result: { a: SECRET } });
  expect(redactor.entry({ ...stamp, kind: 'received', stream: 's', eventId: 'session-0123_7', raw })).toEqual(
    {
      ...stamp,
      kind: 'received',
      stream: 's',
      eventId: '‹redacted›_7',
      raw: '{"jsonrpc":"2.0","id":"‹redacted›/1","result":{"a":"‹redacted›"}}',
    },
  );
  const http = {
    ...stamp,
    kind: 'http',
    stream: 's',
    method: 'GET',
    url: 'https://x/mcp?api_key=abc',
    status: 200,
    durationMs: 1,
    requestHeaders: { 'last-event-id': 'session-0123_6' },
    responseHeaders: { 'x-echo': SECRET },
  } as const;
  expect(redactor.entry(http)).toMatchObject({
    url: 'https://x/mcp?api_key=‹redacted›',
    requestHeaders: { 'last-event-id': '‹redacted›_6' },
    responseHeaders: { 'x-echo': '‹redacted›' },
  });
});
