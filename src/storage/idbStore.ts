/** The store of every ordinary page: one IndexedDB object store, through idb-keyval. */
import { createStore, delMany, get, getMany, keys, setMany, type UseStore } from 'idb-keyval';
import type { Store } from './store.ts';

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

  setMany(records: readonly (readonly [string, unknown])[]): Promise<void> {
    return setMany(
      records.map(([key, value]) => [key, value]),
      this.#use,
    );
  }

  delMany(unwanted: readonly string[]): Promise<void> {
    return delMany([...unwanted], this.#use);
  }

  keys(): Promise<readonly string[]> {
    return keys<string>(this.#use);
  }
}
