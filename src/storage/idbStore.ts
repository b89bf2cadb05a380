/** The store of every ordinary page: one IndexedDB object store, through idb-keyval. */
import { createStore, get, getMany, keys, promisifyRequest, type UseStore } from 'idb-keyval';
import type { Records, Store } from './store.ts';

export class IdbStore implements Store {
  readonly #use: UseStore;

  constructor(databaseName = 'reprise') {
    this.#use = createStore(databaseName, 'records');
  }

  get(key: string): Promise<unknown> {
    return get<unknown>(key, this.#use);
  }

  getMany(wanted: readonly string[]): Promise<readonly unknown[]> {
    return getMany<unknown>([...wanted], this.#use);
  }

  write(set: Records, remove: readonly string[] = []): Promise<void> {
    return this.#use('readwrite', (records) => {
      try {
        for (const [key, value] of set) records.put(value, key);
        for (const key of remove) records.delete(key);
      } catch (error) {
        // Without this, what was put before a value that cannot be cloned would be committed.
        records.transaction.abort();
        throw error;
      }
      // Said now and not when the page has heard of each request: a page that dies in between has stored it all the same.
      records.transaction.commit();
      return promisifyRequest(records.transaction);
    });
  }

  keys(): Promise<readonly string[]> {
    return keys<string>(this.#use);
  }
}
