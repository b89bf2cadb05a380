import { describe, expect, it } from 'vitest';
import type { PageLimits } from '../targets/core/eventLog.ts';
import { MemoryStore, type EventPage } from './eventStore.ts';
import { followStream } from './followStream.ts';

class CountedStore extends MemoryStore {
  reads = 0;

  override readAfter(eventId: string, limits: PageLimits): Promise<EventPage | undefined> {
    this.reads += 1;
    return super.readAfter(eventId, limits);
  }
}

describe('a stream that is followed', () => {
  it('keeps up with a burst: what was stored in one turn is read in one go', async () => {
    const store = new CountedStore({});
    const after = await store.mark('call');
    const texts = Array.from({ length: 5000 }, (_, n) => `{"n":${n}}`);
    for (const [n, text] of texts.entries()) store.append('call', text, n === texts.length - 1);
    const { body } = followStream({ store, streamId: 'call', after, isPrimed: true, isResumed: true });
    const sent = await new Response(body).text();
    expect([...sent.matchAll(/^data: (.*)$/gm)].map(([, text]) => text)).toEqual(texts);
    expect(new Set(sent.match(/^id: .*$/gm)).size).toBe(texts.length);
    expect(store.reads).toBe(1);
  });

  it('counts what was replayed, and not what came later', async () => {
    const store = new MemoryStore({});
    const after = await store.mark('call');
    store.append('call', '1', false);
    store.append('call', '2', false);
    const replayed = new Promise<number>((resolve) => {
      const options = { store, streamId: 'call', after, isPrimed: true, isResumed: true };
      const { body } = followStream({ ...options, onReplayed: resolve });
      void new Response(body).text();
    });
    expect(await replayed).toBe(2);
    store.append('call', '3', true);
  });
});

describe('the memory store of a bridge', () => {
  it('reads no more than a page, by events or by bytes, and tells that there is more', async () => {
    const store = new MemoryStore({});
    const after = await store.mark('call');
    for (let n = 0; n < 5; n += 1) store.append('call', 'x'.repeat(60), n === 4);
    const page = (limits: PageLimits) => store.readAfter(after, limits);
    expect((await page({ events: 3, bytes: 1e6 }))?.events).toHaveLength(3);
    expect(await page({ events: 10, bytes: 100 })).toMatchObject({ events: { length: 2 }, hasMore: true });
    const whole = await page({ events: 10, bytes: 1e6 });
    expect(whole?.hasMore).toBe(false);
    expect(whole?.events.map(({ isLast }) => isLast)).toEqual([false, false, false, false, true]);
  });

  it('gives IDs that are short: each event of a burst carries one', async () => {
    const store = new MemoryStore({});
    for (let n = 0; n < 30; n += 1) await store.mark(`call ${n}`);
    for (let n = 0; n < 50_000; n += 1) store.append('call 29', 'x', false);
    expect((await store.mark('call 29')).length).toBeLessThanOrEqual(12);
  });
});
