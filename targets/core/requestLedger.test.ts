import { describe, expect, it } from 'vitest';
import { RequestLedger, requestIdsIn } from './requestLedger.ts';

const answer = (id: number, text = '') => ({ jsonrpc: '2.0' as const, id, result: { text } });

describe('the request ledger', () => {
  it('tells a new request, one that is sent again, and another one under a used ID', () => {
    const ledger = new RequestLedger();
    const first = ledger.receive([1], 'a', 'kept');
    expect(first.name).toBe('new');
    expect(ledger.receive([1], 'a', 'kept')).toEqual({ ...first, name: 'repeated' });
    expect(ledger.receive([1], 'b', 'kept').name).toBe('conflict');
    ledger.settle(1, answer(1));
    expect(ledger.receive([1], 'a', 'kept').name).toBe('repeated');
    expect(ledger.receive([1], 'b', 'kept').name).toBe('conflict');
  });

  it('takes a batch as one: all of its IDs are new, or all are sent again', () => {
    const ledger = new RequestLedger();
    expect(ledger.receive([1, 2], 'a', 'kept').name).toBe('new');
    expect(ledger.receive([1, 2], 'a', 'kept').name).toBe('repeated');
    expect(ledger.receive([2, 3], 'a', 'kept').name).toBe('conflict');
    expect(ledger.receive([4, 4], 'b', 'kept').name).toBe('conflict');
    const run = ledger.settle(1, answer(1));
    expect(run?.isOver).toBe(false);
    ledger.settle(2);
    expect(run?.isOver).toBe(true);
    expect(run?.answers).toEqual([JSON.stringify(answer(1))]);
  });

  it('frees the IDs of a POST that was refused', () => {
    const ledger = new RequestLedger();
    ledger.receive([1], 'a', 'kept');
    ledger.forget([1]);
    expect(ledger.receive([1], 'b', 'kept').name).toBe('new');
  });

  it('remembers the newest thousand, and every one that runs', () => {
    const ledger = new RequestLedger();
    ledger.receive(['running'], 'a', 'stored');
    for (let id = 0; id < 1500; id += 1) {
      ledger.receive([id], 'a', 'stored');
      ledger.settle(id, answer(id));
    }
    const names = ['running', 0, 500, 501, 1499].map((id) => ledger.receive([id], 'a', 'stored').name);
    expect(names).toEqual(['repeated', 'new', 'new', 'repeated', 'repeated']);
  });

  it('keeps a limited part of the answers, and knows the request without it', () => {
    const ledger = new RequestLedger();
    const text = 'x'.repeat(6 * 1024 * 1024);
    for (const id of [1, 2, 3]) {
      ledger.receive([id], 'a', 'kept');
      ledger.settle(id, answer(id, text));
    }
    const kept = [1, 2, 3].map((id) => {
      const receipt = ledger.receive([id], 'a', 'kept');
      return receipt.name === 'repeated' && receipt.run.answers.length;
    });
    expect(kept).toEqual([0, 1, 1]);
  });

  it('keeps no answers that the event store has', () => {
    const ledger = new RequestLedger();
    ledger.receive([1], 'a', 'stored');
    expect(ledger.settle(1, answer(1))?.answers).toEqual([]);
  });
});

describe('the request IDs in a body', () => {
  it.each([
    [{ id: 1, method: 'ping' }, [1]],
    [
      [{ id: 1, method: 'ping' }, { method: 'notifications/initialized' }, { id: 'a', method: 'ping' }],
      [1, 'a'],
    ],
    [{ id: 1, method: 'initialize' }, []],
    [{ id: 1, result: {} }, []],
    [{ id: null, method: 'ping' }, []],
    ['text', []],
  ])('%j: %j', (body, ids) => {
    expect(requestIdsIn(body)).toEqual(ids);
  });
});
