import { describe, expect, it } from 'vitest';
import type { ServerStateSnapshot } from '../../log/state/mutableServerState.ts';
import { Log } from '../../log/log.ts';
import { Redactor } from '../../wire/redact.ts';
import { AutoResponder } from '../questions/autoResponder.ts';
import { Questions } from '../questions/questions.ts';
import { CurrentPreferences } from '../settings/currentPreferences.ts';
import { NO_PREFERENCES } from '../settings/preferences.ts';
import { DEFAULT_RULES } from '../settings/rules.ts';
import { SecretInput } from '../exchange/secretInput.ts';
import { TaskReceiver } from './taskReceiver.ts';
import { StillClock } from '../testing/stillClock.ts';
import { recorded } from '../../log/reasons/reason.ts';

const ACCEPT = { action: 'accept', content: { name: 'Ada' } };
const SCHEMA = { type: 'object', properties: { name: { type: 'string' }, password: { type: 'string' } } };
const PARAMS = { message: 'Who?', requestedSchema: SCHEMA, task: { ttl: 5000 } };

const ACCEPTED = {
  kind: 'http',
  stream: 'outgoing',
  method: 'POST',
  url: 'http://s',
  status: 202,
  durationMs: 1,
  requestHeaders: {},
  responseHeaders: {},
} as const;

interface World {
  readonly clock?: StillClock;
  readonly from?: ServerStateSnapshot;
  readonly protocolVersion?: string;
  readonly rules?: typeof DEFAULT_RULES;
}

/** One page: everything that a page keeps of tasks, and a wire that records what leaves. */
function load({
  clock = new StillClock(),
  from,
  protocolVersion = '2025-11-25',
  rules = DEFAULT_RULES,
}: World = {}) {
  const log = new Log('s', clock, from && { state: from, tail: [] });
  const sent: { id: unknown; result?: object; error?: object }[] = [];
  const wire = { isConnected: true, isBroken: false };
  let ids = 0;
  const respond = async (id: string | number, body: object) => {
    // As the transport does: the token is awaited before the request is made.
    await Promise.resolve();
    const message = { jsonrpc: '2.0', id, ...body };
    log.append({ body: { kind: 'sent', stream: 'outgoing', raw: JSON.stringify(message) }, message });
    if (wire.isBroken) throw new TypeError('Failed to fetch');
    sent.push({ id, ...body });
    log.append({ body: { ...ACCEPTED, responseTo: String(id) } });
  };
  const flushed = () => Promise.resolve();
  const link = {
    get canReply() {
      return wire.isConnected;
    },
    require: () => ({
      respond,
      answer: (id: string | number, result: object) => respond(id, { result }),
      decline: (id: string | number, message: string) => respond(id, { error: { code: -1, message } }),
    }),
  };
  const receiver = new TaskReceiver({ log, clock, link, flushed, newId: () => `task-${++ids}` });
  const questions = new Questions({
    log,
    link,
    receiver,
    secrets: new SecretInput(new Redactor(), () => undefined),
    tasks: { answer: () => Promise.resolve() },
    calls: { cancel: () => Promise.resolve() },
    flushed,
  });
  const preferences = new CurrentPreferences({ ...NO_PREFERENCES, rules }, () => Promise.resolve());
  const responder = new AutoResponder({ log, clock, preferences, link, questions });
  if (!from) {
    log.append({ body: { kind: 'era', era: 'session', protocolVersion, reason: recorded('') } });
  }
  const settle = () => clock.to(clock.time);
  const receive = async (id: number, method: string, params: object = {}) => {
    const message = { jsonrpc: '2.0', id, method, params };
    log.append({
      body: { kind: 'received', stream: 'standalone', method, raw: JSON.stringify(message) },
      message,
    });
    await settle();
  };
  const die = () => {
    receiver.close();
    responder.close();
    return JSON.parse(JSON.stringify(log.state.snapshot())) as ServerStateSnapshot;
  };
  return { clock, log, sent, wire, receiver, questions, receive, settle, die };
}

const task = (more: object) => expect.objectContaining({ taskId: 'task-1', ttl: 5000, ...more }) as unknown;

describe('an elicitation that the server asks for as a task', () => {
  it('gets its task at once, as `working`, and only once', async () => {
    const { sent, receive, receiver, settle, log } = load();
    await receive(7, 'elicitation/create', PARAMS);
    receiver.look();
    await settle();
    expect(sent).toEqual([{ id: 7, result: { task: task({ status: 'working' }) } }]);
    expect(log.state.questions.get('7')?.task).toEqual({ taskId: 'task-1', expiresAt: 5000 });
  });

  it('is polled: working, then completed, and `tasks/result` names its task', async () => {
    const { sent, receive, questions } = load();
    await receive(7, 'elicitation/create', PARAMS);
    await receive(8, 'tasks/get', { taskId: 'task-1' });
    await questions.answer('7', ACCEPT);
    await receive(9, 'tasks/get', { taskId: 'task-1' });
    await receive(10, 'tasks/result', { taskId: 'task-1' });
    await receive(11, 'tasks/list');
    expect(sent.slice(1)).toEqual([
      { id: 8, result: task({ status: 'working' }) },
      { id: 9, result: task({ status: 'completed' }) },
      {
        id: 10,
        result: { ...ACCEPT, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'task-1' } } },
      },
      { id: 11, result: { tasks: [task({ status: 'completed' })] } },
    ]);
  });

  it('holds `tasks/result` back until it is answered', async () => {
    const { sent, receive, questions, settle } = load();
    await receive(7, 'elicitation/create', PARAMS);
    await receive(8, 'tasks/result', { taskId: 'task-1' });
    expect(sent).toHaveLength(1);
    await questions.answer('7', ACCEPT);
    await settle();
    expect(sent.at(-1)).toMatchObject({ id: 8, result: ACCEPT });
  });

  it('can be answered once', async () => {
    const { receive, questions } = load();
    await receive(7, 'elicitation/create', PARAMS);
    await questions.answer('7', ACCEPT);
    await expect(questions.answer('7', ACCEPT)).rejects.toThrow('No open request');
  });

  it('survives its page, with what the server waits for', async () => {
    const first = load();
    await first.receive(7, 'elicitation/create', PARAMS);
    await first.receive(8, 'tasks/result', { taskId: 'task-1' });
    const second = load({ clock: first.clock, from: first.die() });
    await second.receive(9, 'tasks/get', { taskId: 'task-1' });
    await second.questions.answer('7', ACCEPT);
    await second.settle();
    expect(second.sent).toMatchObject([
      { id: 9, result: { taskId: 'task-1', status: 'working' } },
      { id: 8, result: ACCEPT },
    ]);
    const third = load({ clock: first.clock, from: second.die() });
    await third.receive(10, 'tasks/result', { taskId: 'task-1' });
    expect(third.sent).toMatchObject([{ id: 10, result: ACCEPT }]);
  });

  it('is created by the next page, under the same ID, if this one dies before it responds', async () => {
    const first = load();
    first.wire.isConnected = false;
    await first.receive(7, 'elicitation/create', PARAMS);
    expect(first.sent).toEqual([]);
    const second = load({ clock: first.clock, from: first.die() });
    second.receiver.look();
    await second.settle();
    expect(second.sent).toEqual([{ id: 7, result: { task: task({ status: 'working' }) } }]);
  });

  it('responds again when a response did not arrive', async () => {
    const { sent, receive, receiver, settle, wire } = load();
    wire.isBroken = true;
    await receive(7, 'elicitation/create', PARAMS);
    expect(sent).toEqual([]);
    wire.isBroken = false;
    receiver.look();
    await settle();
    receiver.look();
    await settle();
    expect(sent).toEqual([{ id: 7, result: { task: task({ status: 'working' }) } }]);
  });

  it('ends when its TTL passes', async () => {
    const { sent, receive, clock, log } = load();
    await receive(7, 'elicitation/create', PARAMS);
    await clock.to(4999);
    expect(log.state.questions.size).toBe(1);
    await clock.to(5000);
    expect(log.state.questions.size).toBe(0);
    expect(log.state.questions.closed).toMatchObject([{ reason: { code: 'task-expired', how: 'question' } }]);
    await receive(8, 'tasks/get', { taskId: 'task-1' });
    expect(sent.at(-1)).toMatchObject({ id: 8, error: { code: -32602 } });
  });

  it('ends when the server cancels it; a second time is an error', async () => {
    const { sent, receive, log } = load();
    await receive(7, 'elicitation/create', PARAMS);
    await receive(8, 'tasks/cancel', { taskId: 'task-1' });
    expect(log.state.questions.size).toBe(0);
    expect(log.state.questions.closed).toMatchObject([{ reason: { code: 'taken-back' } }]);
    await receive(9, 'tasks/cancel', { taskId: 'task-1' });
    await receive(10, 'tasks/result', { taskId: 'task-1' });
    expect(sent.slice(1)).toMatchObject([
      { id: 8, result: { status: 'cancelled' } },
      { id: 9, error: { code: -32602 } },
      { id: 10, error: { message: 'The task was cancelled.' } },
    ]);
  });

  it('fails with the error of a sampling request that the user declines', async () => {
    const { sent, receive, questions } = load();
    await receive(7, 'sampling/createMessage', { messages: [], maxTokens: 9, task: {} });
    await questions.decline('7');
    await receive(8, 'tasks/get', { taskId: 'task-1' });
    await receive(9, 'tasks/result', { taskId: 'task-1' });
    expect(sent.slice(1)).toMatchObject([
      { id: 8, result: { status: 'failed', statusMessage: 'Declined by the user.', ttl: 86_400_000 } },
      { id: 9, error: { code: -1 } },
    ]);
  });

  it('sends a secret value from this page, and says that it is gone after a reload', async () => {
    const first = load();
    const secret = { action: 'accept', content: { name: 'Ada', password: 'correct horse battery' } };
    await first.receive(7, 'elicitation/create', PARAMS);
    await first.questions.answer('7', secret);
    await first.receive(8, 'tasks/result', { taskId: 'task-1' });
    expect(first.sent.at(-1)).toMatchObject({ id: 8, result: secret });
    const from = first.die();
    expect(JSON.stringify(from)).not.toContain('correct horse');
    const second = load({ clock: first.clock, from });
    await second.receive(9, 'tasks/get', { taskId: 'task-1' });
    await second.receive(10, 'tasks/result', { taskId: 'task-1' });
    expect(second.sent).toMatchObject([{ result: { status: 'failed' } }, { error: { code: -32603 } }]);
  });

  it('is a task also where a rule answers it', async () => {
    const { sent, receive } = load({ rules: { ...DEFAULT_RULES, elicitation: 'decline' } });
    await receive(7, 'elicitation/create', PARAMS);
    await receive(8, 'tasks/result', { taskId: 'task-1' });
    expect(sent).toMatchObject([
      { id: 7, result: { task: {} } },
      { id: 8, result: { action: 'decline' } },
    ]);
  });

  it('outlives the call that it was asked in', async () => {
    const { receive, log } = load();
    const change = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
    log.append({ body: { kind: 'call', callId: 'c', change } });
    await receive(7, 'elicitation/create', PARAMS);
    expect(log.state.calls.get('c')?.name).toBe('needs-input');
    log.append({ body: { kind: 'call', callId: 'c', change: { name: 'cancelled', reason: recorded('') } } });
    expect(log.state.questions.size).toBe(1);
  });

  it('is not taken back by `notifications/cancelled` once it is a task', async () => {
    const { receive, log } = load();
    await receive(7, 'elicitation/create', PARAMS);
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    const raw = JSON.stringify(message);
    log.append({ body: { kind: 'received', stream: 'standalone', method: message.method, raw }, message });
    expect(log.state.questions.size).toBe(1);
  });

  it('is a plain request for a protocol version without tasks', async () => {
    const { sent, receive, questions } = load({ protocolVersion: '2025-06-18' });
    await receive(7, 'elicitation/create', PARAMS);
    expect(sent).toEqual([]);
    await questions.answer('7', ACCEPT);
    expect(sent).toEqual([{ id: 7, result: ACCEPT }]);
  });

  it('is gone with its session', async () => {
    const { sent, receive, log } = load();
    await receive(7, 'elicitation/create', PARAMS);
    log.append({ body: { kind: 'sent', stream: 'i', method: 'initialize', raw: '{}' } });
    await receive(0, 'tasks/get', { taskId: 'task-1' });
    expect(sent.at(-1)).toMatchObject({ id: 0, error: { code: -32602 } });
  });
});
