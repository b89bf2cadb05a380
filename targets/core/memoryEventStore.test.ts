import { describe, expect, it } from 'vitest';
import { eventStoreContract, note, response } from '../stores/eventStoreContract.ts';
import type { LogRecord } from './log.ts';
import { MemoryEventStore } from './memoryEventStore.ts';

eventStoreContract('memory', async (limits) => new MemoryEventStore(limits));

describe('the memory event store', () => {
  it('warns at 80 %, evicts the oldest tenth, and says so', async () => {
    const records: LogRecord[] = [];
    const store = new MemoryEventStore({ maxEvents: 100, log: (record) => records.push(record) });
    await store.storeEvent('done', note(0));
    for (let number = 1; number < 79; number += 1) await store.storeEvent('done', note(number));
    expect(records).toEqual([]);
    await store.storeEvent('done', response(1));
    expect(records).toMatchObject([{ event: 'event_store.near_limit', events: 80 }]);
    for (let number = 0; number < 21; number += 1) await store.storeEvent('open', note(number));
    expect(records[1]).toMatchObject({ event: 'event_store.evicted', events: 11, ofRunningCalls: 0 });
    expect(store.size.events).toBe(90);
  });

  it('takes from a running call only when nothing else is left', async () => {
    const records: LogRecord[] = [];
    const store = new MemoryEventStore({ maxEvents: 50, log: (record) => records.push(record) });
    for (let number = 0; number <= 50; number += 1) await store.storeEvent('open', note(number));
    expect(records.at(-1)).toMatchObject({ event: 'event_store.evicted', ofRunningCalls: 6 });
  });

  it('keeps a result that is bigger than its limit', async () => {
    const store = new MemoryEventStore({ maxBytes: 100 });
    const id = await store.storeEvent('stream', note(0));
    const big = { jsonrpc: '2.0' as const, id: 1, result: { text: 'x'.repeat(1000) } };
    const last = await store.storeEvent('stream', big);
    expect(await store.getStreamIdForEventId(id)).toBe('stream');
    expect(await store.getStreamIdForEventId(last)).toBe('stream');
  });

  it('forgets finished streams after their time, never those of running calls', async () => {
    let now = 0;
    const store = new MemoryEventStore({ maxAgeMs: 1000, now: () => now });
    const done = await store.storeEvent('done', note(0));
    await store.storeEvent('done', response(1));
    const open = await store.storeEvent('open', note(0));
    now = 1001;
    store.prune();
    expect(await store.getStreamIdForEventId(done)).toBeUndefined();
    expect(await store.getStreamIdForEventId(open)).toBe('open');
    expect(store.size.events).toBe(1);
  });

  it('holds a burst of 50,000 events without slowing down', async () => {
    const store = new MemoryEventStore();
    const timeOf = async (count: number) => {
      const startedAt = performance.now();
      for (let number = 0; number < count; number += 1) await store.storeEvent('open', note(number));
      return performance.now() - startedAt;
    };
    const first = await timeOf(10_000);
    await timeOf(30_000);
    expect(await timeOf(10_000)).toBeLessThan(first * 10 + 100);
    expect(store.size.events).toBe(50_000);
  });
});
