/** A store that lives as long as the page: for browsers that refuse IndexedDB, and for tests. */
import type { Store } from './store.ts';

export class MemoryStore implements Store {
  readonly #records = new Map<string, unknown>();

  get(key: string): Promise<unknown> {
    return Promise.resolve(this.#records.get(key));
  }

  getMany(keys: readonly string[]): Promise<readonly unknown[]> {
    return Promise.resolve(keys.map((key) => this.#records.get(key)));
  }

  setMany(records: readonly (readonly [string, unknown])[]): Promise<void> {
    // A stored record is a copy, as in IndexedDB: later changes to the object must not reach it.
    const copies = records.map(([key, value]) => [key, structuredClone(value)] as const);
    for (const [key, value] of copies) this.#records.set(key, value);
    return Promise.resolve();
  }

  delMany(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#records.delete(key);
    return Promise.resolve();
  }

  keys(): Promise<readonly string[]> {
    return Promise.resolve([...this.#records.keys()]);
  }
}
