import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { checkStore, indexedDbStore, memoryStore, type Store } from './index.ts';

let databases = 0;

/** As docs/client.md shows it. */
function mapStore(map = new Map<string, unknown>()): Store {
  return {
    name: 'test',
    keys: () => Promise.resolve([...map.keys()]),
    getMany: (keys) => Promise.resolve(keys.map((key) => map.get(key))),
    write: async (set, remove = []) => {
      for (const [key, value] of structuredClone(set)) map.set(key, value);
      for (const key of remove) map.delete(key);
      return Promise.resolve();
    },
  };
}

describe('the contract of a store', () => {
  it.each([
    ['memory', memoryStore],
    ['IndexedDB', () => indexedDbStore(`contract-${(databases += 1)}`)],
    ['a map', () => mapStore()],
  ])('holds for %s', async (_, create) => {
    await expect(checkStore(create)).resolves.toBeUndefined();
  });

  const broken: readonly (readonly [string, RegExp, (store: Store) => Partial<Store>])[] = [
    ['keeps the object itself', /copy/, () => sharing()],
    ['has no name', /name/, () => ({ name: '' })],
    ['forgets to remove', /removes/, (store) => ({ write: (set) => store.write(set) })],
    [
      'leaves out what is missing',
      /order/,
      (store) => ({ getMany: async (keys) => (await store.getMany(keys)).filter(Boolean) }),
    ],
    ['writes one by one', /nothing/, (store) => ({ write: oneByOne(store) })],
  ];
  it.each(broken)('is broken by a store that %s', async (_, rule, change) => {
    const create = () => {
      const store = mapStore();
      return { ...store, ...change(store) };
    };
    await expect(checkStore(create)).rejects.toThrow(rule);
  });
});

function sharing(map = new Map<string, unknown>()): Partial<Store> {
  return {
    getMany: (keys) => Promise.resolve(keys.map((key) => map.get(key))),
    keys: () => Promise.resolve([...map.keys()]),
    write: (set, remove = []) => {
      for (const [key, value] of set) map.set(key, value);
      for (const key of remove) map.delete(key);
      return Promise.resolve();
    },
  };
}

function oneByOne(store: Store): Store['write'] {
  return async (set, remove) => {
    for (const record of set) await store.write([record]);
    await store.write([], remove);
  };
}
