/** The stores that come with the client. */
import { IdbStore } from '../../storage/idbStore.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import type { BasicStore } from '../../storage/store.ts';
import type { Store } from './storeTypes.ts';

/** An IndexedDB database of this name. Continues in memory if the browser refuses it or the disk is full. */
export function indexedDbStore(databaseName: string): Store {
  let opened: IdbStore | undefined;
  // Opened with the first use, so that a page which renders on a server can make one.
  return named(databaseName, () => (opened ??= new IdbStore(databaseName)));
}

/** Lives as long as the page. For tests, and for pages that must leave no trace. */
export function memoryStore(): Store {
  const memory = new MemoryStore();
  return named(`memory-${crypto.randomUUID()}`, () => memory);
}

function named(name: string, store: () => BasicStore): Store {
  return {
    name,
    getMany: (keys) => store().getMany(keys),
    write: (set, remove) => store().write(set, remove),
    keys: () => store().keys(),
  };
}
