import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { isFresh } from '../protocol/cacheHint.ts';
import { isReady } from './callContinuations.ts';
import { Log } from '../log.ts';
import { expiresAt } from '../protocol/task.ts';
import { followUpId, parseWireId } from '../protocol/wireId.ts';
import { recorded } from '../reasons/reason.ts';

const CALL = '01CALL';
let now = 0;
const clock: Clock = { now: () => now, after: () => () => undefined, random: () => 0 };

function newLog(era?: 'stateless'): Log {
  now = 1000;
  const log = new Log('s', clock);
  log.append({
    body: {
      kind: 'call',
      callId: CALL,
      change: { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false, ...(era && { era }) },
    },
  });
  return log;
}

function answer(log: Log, result: JsonObject, id = CALL): void {
  const message = { jsonrpc: '2.0', id, result };
  log.append({ body: { kind: 'received', stream: id, callId: CALL, raw: JSON.stringify(message) }, message });
}

function notify(log: Log, method: string, params: JsonObject): void {
  const message = { jsonrpc: '2.0', method, params };
  log.append({ body: { kind: 'received', stream: 'x', method, raw: JSON.stringify(message) }, message });
}

const call = (log: Log) => log.state.calls.get(CALL);
/** What a page finds that is loaded now. */
const reloaded = (log: Log) => new Log('s', clock, { state: log.state.snapshot(), tail: [] });

const elicit = (message: string) => ({ method: 'elicitation/create', params: { message } });
const TASK = {
  taskId: 'task-1',
  createdAt: '1970-01-01T00:00:01Z',
  lastUpdatedAt: '1970-01-01T00:00:01Z',
  ttlMs: 60_000,
  pollIntervalMs: 500,
};
const poll = (log: Log, fields: JsonObject) =>
  answer(log, { resultType: 'complete', ...TASK, ...fields }, followUpId(CALL, 'poll', 'p1'));

describe('the ids of follow-ups', () => {
  it('name the call that they belong to', () => {
    expect(parseWireId(followUpId('01A', 'round', '2'))).toEqual({ callId: '01A', followUp: 'round' });
    expect(parseWireId(followUpId('a.b.c.d', 'poll', 'x'))).toEqual({ callId: 'a.b.c.d', followUp: 'poll' });
  });

  it('take any other id as it is', () => {
    expect(parseWireId('01A')).toEqual({ callId: '01A' });
    expect(parseWireId('a.b.c')).toEqual({ callId: 'a.b.c' });
  });
});

describe('a call to a stateless server', () => {
  it('settles with a complete result, and with one that does not say so', () => {
    for (const result of [{ resultType: 'complete', content: [] }, { content: [] }]) {
      const log = newLog('stateless');
      answer(log, result);
      expect(call(log)).toMatchObject({ name: 'settled', result });
    }
  });

  it('settles with an error when the result type is unknown', () => {
    const log = newLog('stateless');
    answer(log, { resultType: 'maybe', content: [] });
    expect(call(log)?.error?.message).toContain('"maybe"');
  });

  it('keeps questions and the state of a round across a reload, byte for byte', () => {
    const log = newLog('stateless');
    const requestState = '{"b": 1,\n "a":"ü\\u0000"} ';
    answer(log, {
      resultType: 'input_required',
      inputRequests: { one: elicit('1?'), two: elicit('2?') },
      requestState,
    });
    expect(call(log)).toMatchObject({ name: 'needs-input', rounds: 1 });
    const later = reloaded(log);
    expect(later.state.continuations.rounds.get(CALL)?.requestState).toBe(requestState);
    expect([...later.state.questions.keys()]).toEqual([`${CALL}/one`, `${CALL}/two`]);
    expect(later.state.calls.get(CALL)?.name).toBe('needs-input');
  });

  it('is ready for its retry when the last question is answered, and not before', () => {
    const log = newLog('stateless');
    answer(log, { resultType: 'input_required', inputRequests: { one: elicit('1?'), two: elicit('2?') } });
    const respond = (target: Log, key: string) =>
      target.append({
        body: {
          kind: 'question',
          requestId: `${CALL}/${key}`,
          change: { name: 'answered', response: { action: 'accept', content: { key } } },
        },
      });
    respond(log, 'one');
    const later = reloaded(log);
    const round = () => later.state.continuations.rounds.get(CALL);
    const isRoundReady = () => [...later.state.continuations.rounds.values()].some(isReady);
    expect(isRoundReady()).toBe(false);
    respond(later, 'two');
    expect(isRoundReady()).toBe(true);
    expect(round()?.answers).toEqual({
      one: { action: 'accept', content: { key: 'one' } },
      two: { action: 'accept', content: { key: 'two' } },
    });
    expect(later.state.calls.get(CALL)?.name).toBe('open');
    later.append({ body: { kind: 'call', callId: CALL, change: { name: 'retrying' } } });
    expect(isRoundReady()).toBe(false);
  });

  it('goes through several rounds, and its retries settle it', () => {
    const log = newLog('stateless');
    answer(log, { resultType: 'input_required', inputRequests: { a: elicit('?') }, requestState: 's1' });
    answer(
      log,
      { resultType: 'input_required', inputRequests: { a: elicit('?') }, requestState: 's2' },
      followUpId(CALL, 'round', '1'),
    );
    expect(log.state.continuations.rounds.get(CALL)).toMatchObject({
      number: 2,
      requestState: 's2',
      answers: {},
    });
    expect(log.state.questions.size).toBe(1);
    answer(log, { resultType: 'complete', content: [] }, followUpId(CALL, 'round', '2'));
    expect(call(log)?.name).toBe('settled');
    expect(log.state.continuations.rounds.size).toBe(0);
  });
});

describe('a task of the extension', () => {
  function withTask(): Log {
    const log = newLog('stateless');
    answer(log, { resultType: 'task', status: 'working', ...TASK });
    return log;
  }

  it('is kept from the moment its handle arrives', () => {
    const log = reloaded(withTask());
    expect(log.state.continuations.tasks.get('task-1')).toMatchObject({
      callId: CALL,
      generation: 'extension',
      status: 'working',
      ttlMs: 60_000,
      pollIntervalMs: 500,
      createdAt: 1000,
    });
    expect(call(log)).toMatchObject({ name: 'open', taskId: 'task-1' });
    const task = log.state.continuations.tasks.get('task-1');
    expect(task && expiresAt(task)).toBe(61_000);
  });

  it('settles its call with the result that a poll brings', () => {
    const log = reloaded(withTask());
    poll(log, { status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } });
    expect(call(log)).toMatchObject({ name: 'settled', result: { content: [{ text: 'done' }] } });
    const later = reloaded(log);
    expect(call(later)?.result).toBeUndefined();
    later.attachResult(CALL, {
      result: { ...TASK, status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } },
    });
    expect(call(later)?.result).toEqual({ content: [{ type: 'text', text: 'done' }] });
  });

  it('settles its call with the error of a failure', () => {
    const log = withTask();
    poll(log, { status: 'failed', error: { code: -32000, message: 'no' } });
    expect(call(log)).toMatchObject({ name: 'settled', error: { code: -32000, message: 'no' } });
  });

  it('settles its call by a notification as well', () => {
    const log = withTask();
    notify(log, 'notifications/tasks', { ...TASK, status: 'completed', result: { content: [] } });
    expect(call(log)).toMatchObject({ name: 'settled', result: { content: [] } });
  });

  it('asks each question once, though the server lists it until it has taken the answer in', () => {
    const log = withTask();
    const asking = { status: 'input_required', inputRequests: { k: elicit('Go on?') } };
    poll(log, asking);
    expect(call(log)?.name).toBe('needs-input');
    expect(log.state.questions.get('task-1/k')).toMatchObject({
      via: { kind: 'task', taskId: 'task-1', key: 'k' },
    });
    log.append({ body: { kind: 'question', requestId: 'task-1/k', change: { name: 'answered' } } });
    poll(log, asking);
    expect(log.state.questions.size).toBe(0);
    expect(call(log)?.name).toBe('open');
  });

  it('takes a question back when the server does not ask it any more', () => {
    const log = withTask();
    poll(log, { status: 'input_required', inputRequests: { k: elicit('Go on?') } });
    poll(log, { status: 'working' });
    expect(log.state.questions.size).toBe(0);
    expect(call(log)?.name).toBe('open');
  });

  it('is not settled by the acknowledgement of an update or a cancellation', () => {
    const log = withTask();
    answer(log, { resultType: 'complete' }, followUpId(CALL, 'update', 'u'));
    answer(log, { resultType: 'complete' }, followUpId(CALL, 'cancel', 'c'));
    expect(call(log)?.name).toBe('open');
    expect(call(log)?.received).toBe(1);
  });

  it('is told as cancelled, also after its call was given up', () => {
    const log = withTask();
    log.append({
      body: { kind: 'call', callId: CALL, change: { name: 'cancelled', reason: recorded('You did.') } },
    });
    poll(log, { status: 'cancelled' });
    expect(log.state.continuations.tasks.get('task-1')?.status).toBe('cancelled');
    expect(call(log)).toMatchObject({ name: 'cancelled', reason: recorded('You did.') });
  });

  it('is not brought back by a late word', () => {
    const log = withTask();
    poll(log, { status: 'completed', result: {} });
    poll(log, { status: 'working' });
    expect(log.state.continuations.tasks.get('task-1')?.status).toBe('completed');
  });
});

describe('a task of 2025-11-25', () => {
  it('keeps its call open until its result was fetched', () => {
    const log = newLog();
    const task = {
      taskId: 't',
      status: 'working',
      ttl: null,
      createdAt: '',
      lastUpdatedAt: '',
      pollInterval: 9,
    };
    answer(log, { task });
    expect(log.state.continuations.tasks.get('t')).toMatchObject({
      generation: 'core',
      ttlMs: null,
      pollIntervalMs: 9,
    });
    answer(log, { ...task, status: 'completed' }, followUpId(CALL, 'poll', '1'));
    expect(call(log)?.name).toBe('open');
    answer(log, { content: [], isError: true }, followUpId(CALL, 'result', '1'));
    expect(call(log)).toMatchObject({ name: 'settled', result: { isError: true } });
  });

  it('is not seen in a result that has content', () => {
    const log = newLog();
    answer(log, { content: [], task: { taskId: 't', status: 'working' } });
    expect(call(log)?.name).toBe('settled');
  });
});

describe('cache hints', () => {
  const ask = (log: Log, id: string, params: JsonObject = {}) =>
    log.append({
      body: { kind: 'sent', stream: id, method: 'tools/list', raw: '' },
      message: { id, method: 'tools/list', params },
    });
  const list = (log: Log, id: string, result: JsonObject) =>
    log.append({ body: { kind: 'received', stream: id, raw: '' }, message: { id, result } });

  it('are as fresh as the stalest page, and survive a reload', () => {
    const log = newLog('stateless');
    ask(log, '1');
    list(log, '1', { tools: [], ttlMs: 9000, cacheScope: 'public', nextCursor: 'c' });
    ask(log, '2', { cursor: 'c' });
    list(log, '2', { tools: [], ttlMs: 5000, cacheScope: 'private' });
    expect(reloaded(log).state.hints.get('tools/list')).toMatchObject({
      ttlMs: 5000,
      scope: 'private',
      at: 1000,
    });
  });

  it('are gone when the server says that the list has changed', () => {
    const log = newLog('stateless');
    ask(log, '1');
    list(log, '1', { tools: [], ttlMs: 9000 });
    notify(log, 'notifications/tools/list_changed', {});
    expect(log.state.hints.get('tools/list')).toBeUndefined();
  });

  it('count as stale where a server gives none', () => {
    const log = newLog();
    ask(log, '1');
    list(log, '1', { tools: [] });
    expect(log.state.hints.get('tools/list')?.ttlMs).toBe(0);
    expect(isFresh(log.state.hints.get('tools/list'), now)).toBe(false);
  });

  it('hold for as long as they say', () => {
    const log = newLog();
    ask(log, '1');
    list(log, '1', { tools: [], ttlMs: 10 });
    const hint = log.state.hints.get('tools/list');
    expect([isFresh(hint, now + 9), isFresh(hint, now + 10)]).toEqual([true, false]);
  });
});

describe('the stream of tasks/result', () => {
  const RESULT = followUpId(CALL, 'result', 'r1');
  const askFor = (log: Log, stream: string) =>
    log.append({ body: { kind: 'sent', stream, callId: CALL, method: 'tasks/result', raw: '{}' } });
  const position = (log: Log, stream: string, eventId: string) =>
    log.append({ body: { kind: 'position', stream, eventId } });

  it('keeps its position across a reload, and goes with its call', () => {
    const log = newLog();
    askFor(log, RESULT);
    position(log, RESULT, 'e1');
    const next = reloaded(log);
    expect(next.state.streams.get(RESULT)).toMatchObject({ cursor: 'e1', callId: CALL });
    answer(next, { content: [] }, RESULT);
    expect(call(next)).toMatchObject({ name: 'settled' });
    expect(next.state.streams.size).toBe(0);
  });

  it('gives way to the next one', () => {
    const log = newLog();
    askFor(log, RESULT);
    askFor(log, followUpId(CALL, 'result', 'r2'));
    expect([...log.state.streams.keys()]).toEqual([followUpId(CALL, 'result', 'r2')]);
  });

  it('brings questions that name their task, beside other calls', () => {
    const log = newLog();
    answer(log, { task: { ...TASK, status: 'working' } });
    const change = { name: 'sending', tool: 'u', args: {}, timeoutMs: 1, repeatable: false } as const;
    log.append({ body: { kind: 'call', callId: '02CALL', change } });
    const about = { 'io.modelcontextprotocol/related-task': { taskId: 'task-1' } };
    const { method } = elicit('');
    const message = { jsonrpc: '2.0', id: 7, method, params: { message: 'Go on?', _meta: about } };
    log.append({ body: { kind: 'received', stream: RESULT, method, raw: '' }, message });
    expect(call(log)).toMatchObject({ name: 'needs-input' });
    expect(log.state.calls.get('02CALL')).toMatchObject({ name: 'sending' });
  });
});
