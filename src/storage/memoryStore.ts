/** A store that lives as long as the page: for browsers that refuse IndexedDB, and for tests. */
import { errorMessage } from '../base/format.ts';
import type { Records, Store } from './store.ts';

export class MemoryStore implements Store {
  readonly #records = new Map<string, unknown>();

  get(key: string): Promise<unknown> {
    return Promise.resolve(this.#records.get(key));
  }

  getMany(keys: readonly string[]): Promise<readonly unknown[]> {
    return Promise.resolve(keys.map((key) => this.#records.get(key)));
  }

  write(set: Records, remove: readonly string[] = []): Promise<void> {
    try {
      // A stored record is a copy, as in IndexedDB: later changes to the object must not reach it.
      const copies = set.map(([key, value]) => [key, structuredClone(value)] as const);
      for (const [key, value] of copies) this.#records.set(key, value);
      for (const key of remove) this.#records.delete(key);
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(errorMessage(error)));
    }
  }

  keys(): Promise<readonly string[]> {
    return Promise.resolve([...this.#records.keys()]);
  }
}
