import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { FallbackStore } from './fallbackStore.ts';
import { IdbStore } from './idbStore.ts';
import { MemoryStore } from './memoryStore.ts';
import type { Records, Store } from './store.ts';

let databases = 0;
const STORES: Readonly<Record<string, () => Store>> = {
  memory: () => new MemoryStore(),
  IndexedDB: () => new IdbStore(`test-${(databases += 1)}`),
  'a fallback over a good disk': () => new FallbackStore(new IdbStore(`test-${(databases += 1)}`)),
  'a fallback over a refusing disk': () => new FallbackStore(new RefusingStore(new Error('denied'))),
};

/** A disk that says no to everything. */
class RefusingStore implements Store {
  readonly #error: Error;
  constructor(error: Error) {
    this.#error = error;
  }
  get = () => Promise.reject(this.#error);
  getMany = () => Promise.reject(this.#error);
  write = () => Promise.reject(this.#error);
  keys = () => Promise.reject(this.#error);
}

/** A disk that can be read, and has no room left. */
class FullStore extends MemoryStore {
  isFull = false;
  override write(records: Records): Promise<void> {
    if (!this.isFull) return super.write(records);
    return Promise.reject(new DOMException('no room', 'QuotaExceededError'));
  }
}

describe.each(Object.entries(STORES))('%s', (_name, create) => {
  it('gives back what was set', async () => {
    const store = create();
    await store.write([
      ['a', { n: 1 }],
      ['b', [2]],
    ]);
    expect(await store.get('a')).toEqual({ n: 1 });
    expect(await store.getMany(['b', 'nothing', 'a'])).toEqual([[2], undefined, { n: 1 }]);
    expect([...(await store.keys())].sort()).toEqual(['a', 'b']);
  });

  it('overwrites and removes', async () => {
    const store = create();
    await store.write([['a', 1]]);
    await store.write([['a', 2]]);
    expect(await store.get('a')).toBe(2);
    await store.write([], ['a', 'never there']);
    expect(await store.get('a')).toBeUndefined();
    expect(await store.keys()).toEqual([]);
  });

  it('keeps a copy: what is changed later is not what was stored', async () => {
    const store = create();
    const record = { list: [1] };
    await store.write([['a', record]]);
    record.list.push(2);
    expect(await store.get('a')).toEqual({ list: [1] });
  });

  it('stores nothing of a batch that cannot be stored whole', async () => {
    const store = create();
    await store.write([['a', 1]]);
    await expect(
      store.write([
        ['a', 2],
        ['b', () => undefined],
      ]),
    ).rejects.toThrow();
    expect(await store.get('a')).toBe(1);
  });
});

describe('a full disk', () => {
  it('keeps what is stored, goes on in memory and says so once', async () => {
    const disk = new FullStore();
    const store = new FallbackStore(disk);
    const told: string[] = [];
    store.onDegraded.on(({ trouble }) => told.push(trouble));
    await store.write([['old', 1]]);
    disk.isFull = true;
    await store.write([['new', 2]]);
    await store.write([['old', 3]]);
    expect(told).toEqual(['full']);
    expect(await store.getMany(['old', 'new'])).toEqual([3, 2]);
    expect(await disk.getMany(['old', 'new'])).toEqual([1, undefined]);
  });
});
