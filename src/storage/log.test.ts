import { describe, expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { watchPresence } from '../base/presence.ts';
import type { Entry } from '../log/entry/entry.ts';
import { Log } from '../log/log.ts';
import { LogReader, type RestoredLog } from './logReader.ts';
import { LogWriter, type LogWriterOptions } from './logWriter.ts';
import { MemoryStore } from './memoryStore.ts';
import { damagedKey, logIndexKey, segmentKey } from './records.ts';
import type { Store } from './store.ts';
import { recorded, type Reason } from '../log/reasons/reason.ts';
import { reasonText } from '../log/reasons/reasonText.ts';

const clock: Clock = { now: () => 7, after: () => () => undefined, random: () => 0 };
const note = (text: string) => ({
  body: { kind: 'note', level: 'info', reason: recorded(text) } as const,
});

async function open(
  store: Store,
  options?: LogWriterOptions,
): Promise<{ log: Log; writer: LogWriter; restored: RestoredLog }> {
  const restored = await new LogReader(store, 's').restore();
  const log = new Log('s', clock, restored);
  return { log, restored, writer: new LogWriter(store, log, restored, options) };
}

async function all(store: Store): Promise<readonly Entry[]> {
  const reader = new LogReader(store, 's');
  const { segments } = await reader.restore();
  const entries: Entry[] = [];
  for await (const some of reader.entriesSince(segments)) entries.push(...some);
  return entries;
}

const texts = (entries: readonly Entry[]) =>
  entries.map((entry) => (entry.kind === 'note' ? reasonText(entry.reason) : entry.kind));

/** Counts what is read, so that "reads the tail" is more than a word. */
class CountingStore extends MemoryStore {
  reads = 0;
  override get(key: string): Promise<unknown> {
    this.reads += 1;
    return super.get(key);
  }
  override getMany(keys: readonly string[]): Promise<readonly unknown[]> {
    this.reads += keys.length;
    return super.getMany(keys);
  }
}

describe('a page that is being left', () => {
  it('keeps nothing of what it sees after that, and all of it if it comes back', async () => {
    const store = new MemoryStore();
    const page = new EventTarget();
    const { log, writer } = await open(store, watchPresence(page));
    log.append(note('here'));
    await writer.flushed();
    page.dispatchEvent(new Event('pagehide'));
    log.append(note('every request fails'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(texts(await all(store))).toEqual(['here']);
    page.dispatchEvent(new Event('pageshow'));
    await writer.flushed();
    expect(texts(await all(store))).toEqual(['here', 'every request fails']);
  });
});

describe('a stored log', () => {
  it('comes back with its numbers going on', async () => {
    const store = new MemoryStore();
    const first = await open(store);
    first.log.append(note('a'), note('b'));
    await first.writer.flushed();
    const second = await open(store);
    expect(texts(second.restored.tail)).toEqual(['a', 'b']);
    second.log.append(note('c'));
    await second.writer.flushed();
    expect((await all(store)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('resolves `flushed` only when everything before it is stored', async () => {
    const store = new MemoryStore();
    const { log, writer } = await open(store);
    log.append(note('a'));
    expect(await store.get(logIndexKey('s'))).toBeUndefined();
    await writer.flushed();
    expect(texts(await all(store))).toEqual(['a']);
  });

  it('is restored by reading its state and its tail, not all of it', async () => {
    const store = new CountingStore();
    const { log, writer } = await open(store);
    for (let i = 0; i < 20; i += 1) log.appendAll(Array.from({ length: 500 }, () => note('x')));
    await writer.flushed();
    store.reads = 0;
    const { restored } = await open(store);
    expect(restored.state.nextSeq).toBe(10_001);
    expect(store.reads).toBeLessThanOrEqual(3);
  });

  it('warns at 80 %, removes the oldest tenth at the limit, and never what an open call needs', async () => {
    const store = new MemoryStore();
    const { log, writer } = await open(store, { limits: { entries: 5000, sizeBytes: Infinity } });
    const fill = async (n: number) => {
      for (let i = 0; i < n; i += 500) {
        log.appendAll(Array.from({ length: 500 }, () => note('x')));
        await writer.flushed();
      }
    };
    await fill(4500);
    await writer.flushed();
    expect(texts(await all(store)).filter((text) => text.includes('80%'))).toHaveLength(1);
    await fill(1000);
    const evicted = await all(store);
    expect(evicted[0]?.seq).toBeGreaterThan(1);
    expect(evicted.length).toBeLessThanOrEqual(5000);

    const callId = 'c';
    log.append({
      body: {
        kind: 'call',
        callId,
        change: { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false },
      },
    });
    log.append({ body: { kind: 'sent', stream: callId, callId, raw: '{}' } });
    const needed = log.state.nextSeq - 1;
    await fill(12_000);
    expect((await all(store)).some(({ seq }) => seq === needed)).toBe(true);
  });

  it('stores the note about removed entries in the transaction that removes them', async () => {
    const store = new MemoryStore();
    const { log, writer } = await open(store);
    for (let i = 0; i < 4; i += 1) {
      log.appendAll(Array.from({ length: 500 }, () => note('x')));
      await writer.flushed();
    }
    const writes: { set: readonly string[]; removed: readonly string[] }[] = [];
    const write = store.write.bind(store);
    store.write = (set, remove) => {
      writes.push({ set: set.map(([key]) => key), removed: remove ?? [] });
      return write(set, remove);
    };
    const half = writer.segments.slice(2).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    await writer.free(half);
    expect(writes).toEqual([
      { set: [segmentKey('s', 5), logIndexKey('s')], removed: [segmentKey('s', 1), segmentKey('s', 2)] },
    ]);
    const entries = await all(store);
    expect(entries[0]?.seq).toBe(1001);
    expect(entries.at(-1)).toMatchObject({
      kind: 'note',
      reason: { code: 'storage-full' },
      removedThrough: 1000,
    });
  });

  it('makes a damaged state again from the entries, and keeps the damaged one aside', async () => {
    const store = new MemoryStore();
    const { log, writer } = await open(store);
    log.append(note('a'), note('b'));
    await writer.flushed();
    await store.write([[logIndexKey('s'), { v: 2, head: 'nonsense' }]]);
    const { restored } = await open(store);
    expect(texts(restored.tail)).toEqual(['a', 'b']);
    expect(restored.state.nextSeq).toBe(3);
    expect(restored.damage.map(reasonText).join(' ')).toContain('rebuilt it from the log');
    expect(await store.get(damagedKey('s', 'head'))).toEqual({ v: 2, head: 'nonsense' });
  });

  it('gives a note in the place of an entry of a kind that it does not know', async () => {
    const store = new MemoryStore();
    const { log, writer } = await open(store);
    log.append(note('before'), note('unknown'), note('after'));
    await writer.flushed();
    const segment = (await store.get(segmentKey('s', 1))) as { v: number; runs: object[] };
    const runs = segment.runs.map((entry, i) => (i === 1 ? { ...entry, kind: 'of-a-later-version' } : entry));
    await store.write([[segmentKey('s', 1), { ...segment, runs }]]);
    expect(texts(await all(store))).toEqual(['before', 'Can’t process this message.', 'after']);
  });

  it('has nothing twice after a page that died in the middle of a large batch', async () => {
    /** Dies before the index of the batch is written. */
    class MortalStore extends MemoryStore {
      isDying = false;
      override write(...[set, remove]: Parameters<MemoryStore['write']>): Promise<void> {
        const hasIndex = set.some(([key]) => key === logIndexKey('s'));
        return this.isDying && hasIndex ? new Promise(() => undefined) : super.write(set, remove);
      }
    }
    const store = new MortalStore();
    const first = await open(store);
    first.log.append(note('stored'));
    await first.writer.flushed();
    store.isDying = true;
    const written = new Promise<void>((resolve) => {
      const write = store.write.bind(store);
      store.write = (set, remove) => {
        if (set.some(([key]) => key === logIndexKey('s'))) resolve();
        return write(set, remove);
      };
    });
    first.log.appendAll(Array.from({ length: 500 * 18 }, (_, k) => note(`lost ${k}`)));
    await written;
    store.isDying = false;
    const second = await open(store);
    second.log.append(note('again'));
    await second.writer.flushed();
    expect(texts(await all(store))).toEqual(['stored', 'again']);
  });

  it('leaves out a damaged segment, says which entries it held, and keeps it aside', async () => {
    const store = new MemoryStore();
    const { log, writer } = await open(store);
    for (let i = 0; i < 3; i += 1) {
      log.appendAll(Array.from({ length: 500 }, (_, k) => note(`${i}.${k}`)));
      await writer.flushed();
    }
    await store.write([[segmentKey('s', 2), 'not a segment']]);
    const damage: Reason[] = [];
    const reader = new LogReader(store, 's');
    const { segments } = await reader.restore();
    let found = 0;
    for await (const entries of reader.entriesSince(segments, 0, damage)) found += entries.length;
    expect(found).toBe(1000);
    expect(reasonText(damage[0])).toContain('Can’t read entries 501 to 1000');
    expect(await store.get(damagedKey('s', 'segment-2'))).toBe('not a segment');
  });

  it('climbs from version 1, which kept entries one by one', async () => {
    const store = new MemoryStore();
    const { log, writer } = await open(store);
    const raw = '{"jsonrpc":"2.0","method":"ping"}';
    log.append(
      ...Array.from({ length: 3 }, () => ({ body: { kind: 'received', stream: 'x', raw } as const })),
    );
    await writer.flushed();
    const entries = [1, 2, 3].map((seq) => ({ seq, at: 7, load: 0, kind: 'received', stream: 'x', raw }));
    await store.write([[segmentKey('s', 1), { v: 1, entries }]]);
    expect(await all(store)).toEqual(entries);
  });

  it('does not touch what a newer version has stored', async () => {
    const store = new MemoryStore();
    await store.write([[logIndexKey('s'), { v: 99 }]]);
    const { restored } = await open(store);
    expect(restored.damage.map(reasonText).join(' ')).toContain('newer version of Reprise');
    expect(await store.get(damagedKey('s', 'head'))).toEqual({ v: 99 });
  });
});
