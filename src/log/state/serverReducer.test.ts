import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { STANDALONE, type EntryBody } from '../entry/entry.ts';
import { Log } from '../log.ts';
import { recorded } from '../reasons/reason.ts';
import { reasonText } from '../reasons/reasonText.ts';

const clock: Clock = { now: () => 5, after: () => () => undefined, random: () => 0 };
const CALL = 'call-1';

function newLog(): Log {
  const log = new Log('s', clock);
  log.append({
    body: {
      kind: 'call',
      callId: CALL,
      change: { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false },
    },
  });
  log.append({ body: { kind: 'sent', stream: CALL, callId: CALL, raw: '{}' } });
  return log;
}

function receive(log: Log, message: JsonObject, extra: Partial<EntryBody & { kind: 'received' }> = {}): void {
  const method = message['method'];
  log.append({
    body: {
      kind: 'received',
      stream: CALL,
      callId: CALL,
      raw: JSON.stringify(message),
      ...(typeof method === 'string' && { method }),
      ...extra,
    },
    message,
  });
}

const question = { id: 3, method: 'elicitation/create', params: { message: 'Go on?' } };

describe('the state of a server', () => {
  it('moves a cursor with the entry that carries it', () => {
    const log = newLog();
    log.append({ body: { kind: 'position', stream: CALL, callId: CALL, eventId: 'e0' } });
    expect(log.state.streams.get(CALL)).toMatchObject({ cursor: 'e0', callId: CALL });
    receive(log, { method: 'notifications/message' }, { eventId: 'e1' });
    expect(log.state.streams.get(CALL)?.cursor).toBe('e1');
  });

  it('knows a bridge by its response header, until a success comes without it', () => {
    const log = newLog();
    const respond = (status: number, responseHeaders: Record<string, string>) =>
      log.append({
        body: {
          kind: 'http',
          stream: 's',
          method: 'POST',
          url: 'u',
          status,
          durationMs: 1,
          requestHeaders: {},
          responseHeaders,
        },
      });
    respond(200, { 'mcp-reprise-bridge': 'stdio; replay=bridge' });
    respond(403, {});
    expect(log.state.bridge).toEqual({ transport: 'stdio', replay: 'bridge' });
    expect(log.state.snapshot().bridge).toEqual(log.state.bridge);
    respond(200, {});
    expect(log.state.bridge).toBeUndefined();
  });

  it('moves it past an event that cannot be read: asking again would bring it again', () => {
    const log = newLog();
    log.append({
      body: { kind: 'malformed', stream: CALL, eventId: 'e1', reason: recorded(''), excerpt: '' },
    });
    expect(log.state.streams.get(CALL)?.cursor).toBe('e1');
  });

  it('does not move it back for a duplicate', () => {
    const log = newLog();
    receive(log, { method: 'notifications/message' }, { eventId: 'e2' });
    log.append({ body: { kind: 'duplicate', stream: CALL, callId: CALL, eventId: 'e1' } });
    expect(log.state.streams.get(CALL)?.cursor).toBe('e2');
    expect(log.state.calls.get(CALL)).toMatchObject({ received: 1, duplicates: 1 });
  });

  it('settles a call by its response, and needs its stream no more', () => {
    const log = newLog();
    receive(log, { id: CALL, result: { content: [] } }, { eventId: 'e1' });
    expect(log.state.calls.get(CALL)).toMatchObject({
      name: 'settled',
      result: { content: [] },
      resultSeq: 3,
    });
    expect(log.state.streams.has(CALL)).toBe(false);
    expect(log.state.neededSince()).toBe(Infinity);
  });

  it('settles a call by an error as well', () => {
    const log = newLog();
    receive(log, { id: CALL, error: { code: -32603, message: 'broke' } });
    expect(log.state.calls.get(CALL)).toMatchObject({
      name: 'settled',
      error: { code: -32603, message: 'broke' },
    });
  });

  it('ignores an answer that comes after the call was cancelled', () => {
    const log = newLog();
    log.append({
      body: { kind: 'call', callId: CALL, change: { name: 'cancelled', reason: recorded('x') } },
    });
    receive(log, { id: CALL, result: {} });
    expect(log.state.calls.get(CALL)).toMatchObject({ name: 'cancelled' });
  });

  it('stores no result in its snapshot: it stands in the log', () => {
    const log = newLog();
    receive(log, { id: CALL, result: { content: [] } });
    expect(log.state.snapshot().calls[0]).not.toHaveProperty('result');
  });

  it('waits for a person while a question is open', () => {
    const log = newLog();
    receive(log, question);
    expect(log.state.calls.get(CALL)?.name).toBe('needs-input');
    expect(log.state.questions.get('3')).toMatchObject({ rpcId: 3, callId: CALL });
    log.append({ body: { kind: 'question', requestId: '3', change: { name: 'answered' } } });
    expect(log.state.calls.get(CALL)?.name).toBe('open');
  });

  it('takes a question back that the server cancels', () => {
    const log = newLog();
    receive(log, question);
    receive(log, { method: 'notifications/cancelled', params: { requestId: 3 } });
    expect(log.state.questions.size).toBe(0);
    expect(log.state.calls.get(CALL)?.name).toBe('open');
  });

  it('says of a question why it is gone, unless a person answered it', () => {
    const log = newLog();
    receive(log, question);
    receive(log, { ...question, id: 4 });
    receive(log, { ...question, id: 5 });
    log.append({ body: { kind: 'question', requestId: '3', change: { name: 'answered' } } });
    log.append({
      body: { kind: 'question', requestId: '4', change: { name: 'expired', reason: recorded('Gone.') } },
    });
    receive(log, { id: CALL, result: {} });
    expect(
      log.state.questions.closed.map(({ question: { id }, reason }) => [id, reasonText(reason)]),
    ).toEqual([
      ['4', 'Gone.'],
      ['5', 'The call ended before you answered.'],
    ]);
    expect(log.state.snapshot().closedQuestions).toHaveLength(2);
  });

  it('does not blame the call for ending while the answer is on its way', () => {
    const log = newLog();
    receive(log, question);
    receive(log, { ...question, id: 4 });
    log.append({ body: { kind: 'question', requestId: '3', change: { name: 'answering' } } });
    log.append({
      body: { kind: 'question', requestId: '4', change: { name: 'answering', reason: recorded('By rule.') } },
    });
    receive(log, { id: CALL, result: {} });
    log.append({ body: { kind: 'question', requestId: '3', change: { name: 'answered' } } });
    expect(log.state.questions.size).toBe(0);
    expect(log.state.questions.closed.map(({ reason }) => reasonText(reason))).toEqual(['By rule.']);
  });

  it('notes that what was begun at an address is done', () => {
    const log = newLog();
    receive(log, { ...question, params: { mode: 'url', elicitationId: 'e' } });
    log.append({
      body: { kind: 'question', requestId: '3', change: { name: 'answered', reason: recorded('Opened.') } },
    });
    receive(log, { method: 'notifications/elicitation/complete', params: { elicitationId: 'e' } });
    expect(log.state.questions.closed).toMatchObject([{ reason: recorded('Opened.'), completedAt: 5 }]);
  });

  it('gives a question on the standalone stream to the one call that is open', () => {
    const log = newLog();
    log.append({
      body: { kind: 'received', stream: STANDALONE, method: 'elicitation/create', raw: '' },
      message: question,
    });
    expect(log.state.questions.get('3')?.callId).toBe(CALL);
  });

  it('forgets every position when a new session begins', () => {
    const log = newLog();
    receive(log, { method: 'notifications/message' }, { eventId: 'e2' });
    log.append({ body: { kind: 'sent', stream: 'x', method: 'initialize', raw: '{}' } });
    expect(log.state.streams.size).toBe(0);
    expect(log.state.sendsEventIds).toBe(false);
  });

  it('keeps the position that the new session names before it is ready', () => {
    const log = newLog();
    log.append({ body: { kind: 'sent', stream: 'x', method: 'initialize', raw: '{}' } });
    log.append({ body: { kind: 'position', stream: STANDALONE, eventId: 'g0' } });
    log.append({ body: { kind: 'session', protocolVersion: '2025-11-25', serverName: 's' } });
    expect(log.state.streams.get(STANDALONE)?.cursor).toBe('g0');
  });

  it.each([
    [{ code: 'resume-refused', status: 404 }, 'refused'],
    [{ code: 'resume-blocked' }, 'refused'],
    [recorded('Old.', 'resume-refused'), 'refused'],
    [{ code: 'no-replay' }, 'resumable'],
  ] as const)('takes event IDs for no proof where a call is lost with %j', (reason, name) => {
    const log = newLog();
    const sessions = { name: 'resumable', checkedAt: 1, server: 's 1' } as const;
    log.append({
      body: { kind: 'era', era: 'session', protocolVersion: '2025-11-25', reason: recorded(''), sessions },
    });
    log.append({ body: { kind: 'call', callId: CALL, change: { name: 'lost', reason } } });
    expect(log.state.era?.sessions).toEqual({
      ...sessions,
      name,
      ...(name === 'refused' && { checkedAt: 5 }),
    });
  });

  it.each([
    ['session', 'resumable'],
    ['stateless', 'no-event-ids'],
  ] as const)('sees event IDs that a check of sessions did not see: %s', (era, name) => {
    const log = newLog();
    const sessions = { name: 'no-event-ids', checkedAt: 1, server: 's 1' } as const;
    log.append({ body: { kind: 'era', era, protocolVersion: '2025-11-25', reason: recorded(''), sessions } });
    receive(log, { method: 'notifications/progress', params: { progressToken: CALL } }, { eventId: 'e1' });
    expect(log.state.era?.sessions?.name).toBe(name);
  });

  it('is the same whether it was folded in one go or restored in between', () => {
    const whole = newLog();
    receive(whole, { method: 'notifications/message' }, { eventId: 'e1', replayed: true });
    receive(whole, question, { eventId: 'e2' });
    const half = newLog();
    receive(half, { method: 'notifications/message' }, { eventId: 'e1', replayed: true });
    const restored = new Log('s', clock, { state: structuredClone(half.state.snapshot()), tail: half.tail });
    receive(restored, question, { eventId: 'e2' });
    expect(restored.state.snapshot()).toEqual(whole.state.snapshot());
  });

  it('keeps a call, however often a resource is read after it', () => {
    const log = newLog();
    receive(log, { id: CALL, result: {} });
    for (let i = 0; i < 300; i += 1) {
      const callId = `read-${i}`;
      const change = {
        name: 'sending',
        method: 'resources/read',
        tool: 'a:b',
        args: {},
        timeoutMs: 1,
        repeatable: true,
      } as const;
      log.append({ body: { kind: 'call', callId, change } });
      receive(log, { id: callId, result: {} }, { stream: callId, callId });
    }
    expect(log.state.calls.get(CALL)).toMatchObject({ name: 'settled' });
    expect(log.state.calls.get('read-299')).toMatchObject({ name: 'settled' });
    expect(log.state.calls.size).toBeLessThan(30);
  });
});
