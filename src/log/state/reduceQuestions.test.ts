import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { Log } from '../log.ts';
import type { CallChange, QuestionChange } from '../entry/entry.ts';
import type { Reason } from '../reasons/reason.ts';
import type { Transition } from './transition.ts';

const clock: Clock = { now: () => 7, after: () => () => undefined, random: () => 0 };
const CALL = 'call-1';
const GONE: Reason = { code: 'session-gone' };

/** A log with an open call, and what is told of it. */
class Server {
  readonly log = new Log('s', clock);
  #told: Transition[] = [];

  constructor() {
    this.log.changed.on((transitions) => this.#told.push(...transitions));
    this.call(CALL, { name: 'sending', tool: 't', args: {}, repeatable: false });
    this.call(CALL, { name: 'open' });
    this.told();
  }

  call(callId: string, change: CallChange): void {
    this.log.append({ body: { kind: 'call', callId, change } });
  }

  change(requestId: string, change: QuestionChange): void {
    this.log.append({ body: { kind: 'question', requestId, change } });
  }

  sends(message: JsonObject, callId?: string): void {
    const { method } = message;
    this.log.append({
      body: {
        kind: 'received',
        stream: callId ?? 'standalone',
        raw: JSON.stringify(message),
        ...(callId !== undefined && { callId }),
        ...(typeof method === 'string' && { method }),
      },
      message,
    });
  }

  asks(id: unknown, callId: string | undefined = CALL, params: JsonObject = { message: '?' }): void {
    this.sends({ jsonrpc: '2.0', id, method: 'elicitation/create', params }, callId);
  }

  get callName() {
    return this.log.state.calls.get(CALL)?.name;
  }

  get open() {
    return [...this.log.state.questions.keys()];
  }

  /** What was told of questions since this was last asked. */
  told(): readonly string[] {
    const told = this.#told.flatMap((one) => {
      if (one.kind === 'questionAsked') return [`asked ${one.question.id}`];
      if (one.kind === 'questionClosed') return [`${one.how} ${one.requestId}`];
      return one.kind === 'questionChanged' ? [`changed ${one.question.id}`] : [];
    });
    this.#told = [];
    return told;
  }
}

describe('a request of the server', () => {
  it('is asked for the call of its stream, which needs input until it is answered', () => {
    const server = new Server();
    server.asks(1);
    expect(server.log.state.questions.get('1')).toMatchObject({ rpcId: 1, callId: CALL, askedAt: 7 });
    expect(server.callName).toBe('needs-input');
    server.change('1', { name: 'answering' });
    expect(server.callName).toBe('needs-input');
    server.change('1', { name: 'answered' });
    expect(server.callName).toBe('open');
    expect(server.told()).toEqual(['asked 1', 'changed 1', 'answered 1']);
  });

  it('on another stream is of the only open call, and of none where two are open', () => {
    const server = new Server();
    server.sends({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} });
    expect(server.log.state.questions.get('1')?.callId).toBe(CALL);
    server.call('call-2', { name: 'sending', tool: 't', args: {}, repeatable: false });
    server.sends({ jsonrpc: '2.0', id: 2, method: 'sampling/createMessage', params: {} });
    expect(server.log.state.questions.get('2')?.callId).toBeUndefined();
  });

  it('leaves its call waiting as long as there is another one', () => {
    const server = new Server();
    server.asks(1);
    server.asks('two');
    server.change('1', { name: 'answered' });
    expect([server.open, server.callName]).toEqual([['two'], 'needs-input']);
    server.change('two', { name: 'expired', reason: GONE });
    expect([server.open, server.callName]).toEqual([[], 'open']);
  });

  it.each([
    ['has no ID', { jsonrpc: '2.0', method: 'elicitation/create', params: {} }],
    ['has an ID that is none', { jsonrpc: '2.0', id: null, method: 'elicitation/create', params: {} }],
    ['is a ping', { jsonrpc: '2.0', id: 3, method: 'ping' }],
  ])('that %s asks nothing', (_, message) => {
    const server = new Server();
    server.sends(message, CALL);
    expect([server.told(), server.callName]).toEqual([[], 'open']);
  });

  it('that comes twice is asked once, and in a new session it is another one', () => {
    const server = new Server();
    server.asks(0);
    server.asks(0);
    expect(server.told()).toEqual(['asked 0']);
    server.log.append({ body: { kind: 'session', protocolVersion: '2025-11-25', serverName: 's' } });
    server.asks(0, CALL, { message: 'anew' });
    expect(server.told()).toEqual(['expired 0', 'asked 0']);
    expect(server.log.state.questions.get('0')?.params).toEqual({ message: 'anew' });
  });
});

describe('the server takes a request back', () => {
  const takeBack = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };

  it('and says so in the list of closed ones', () => {
    const server = new Server();
    server.asks(1);
    server.sends(takeBack, CALL);
    expect(server.told()).toEqual(['asked 1', 'cancelled 1']);
    expect(server.log.state.questions.closed).toMatchObject([
      { question: { id: '1' }, reason: { code: 'taken-back', how: 'request' } },
    ]);
    expect(server.callName).toBe('open');
  });

  it('which nobody knows: nothing changes', () => {
    const server = new Server();
    server.sends(takeBack, CALL);
    expect(server.told()).toEqual([]);
  });

  it('too late, where it has become a task: that is cancelled by tasks/cancel alone', () => {
    const server = new Server();
    server.asks(1);
    server.change('1', { name: 'task', taskId: 't1', ttlMs: 1000 });
    expect(server.log.state.questions.get('1')?.task).toEqual({ taskId: 't1', expiresAt: 1007 });
    server.sends(takeBack, CALL);
    expect(server.told()).toEqual(['asked 1', 'changed 1']);
    expect(server.open).toEqual(['1']);
  });
});

describe('the end of a call', () => {
  it('expires what it asked, and counts an answer that is on its way as used', () => {
    const server = new Server();
    server.asks(1);
    server.asks(2);
    server.change('2', { name: 'answering' });
    server.call(CALL, { name: 'lost', reason: GONE });
    expect(server.open).toEqual([]);
    expect(server.told()).toEqual(['asked 1', 'asked 2', 'changed 2', 'expired 1', 'answered 2']);
  });

  it('before the answer has arrived is no reason to forget that there was one', () => {
    const server = new Server();
    server.asks(1);
    server.call(CALL, { name: 'cancelled', reason: { code: 'user-cancelled' } });
    server.told();
    server.change('1', { name: 'answered' });
    expect(server.told()).toEqual(['answered 1']);
    expect(server.callName).toBe('cancelled');
  });

  it('for want of a URL elicitation (-32042) leaves it in the inbox, once', () => {
    const server = new Server();
    const elicitations = [{ mode: 'url', elicitationId: 'e1', url: 'https://a.example/pay', message: 'Pay' }];
    const error = { code: -32042, message: 'URL elicitation required', data: { elicitations } };
    server.sends({ jsonrpc: '2.0', id: CALL, error }, CALL);
    const [id = ''] = server.open;
    expect(server.told()).toEqual([`asked ${id}`]);
    expect(server.log.state.questions.get(id)?.params).toMatchObject({ url: 'https://a.example/pay' });
    const done = {
      jsonrpc: '2.0',
      method: 'notifications/elicitation/complete',
      params: { elicitationId: 'e1' },
    };
    server.sends(done);
    expect(server.told()).toEqual([`answered ${id}`]);
  });
});
