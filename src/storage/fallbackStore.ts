/**
 * Keeps the page going when the disk does not: after the first refused write, new records stay in memory and cover
 * what is on disk. Nothing that was stored is touched, and the page says what a reload would lose.
 */
import { Emitter } from '../base/emitter.ts';
import { reason } from '../base/words.ts';
import { MemoryStore } from './memoryStore.ts';
import type { Store } from './store.ts';

export type StorageTrouble = 'refused' | 'full';

export interface Degraded {
  readonly trouble: StorageTrouble;
  readonly detail: string;
}

export class FallbackStore implements Store {
  readonly onDegraded = new Emitter<Degraded>();
  readonly #disk: Store;
  readonly #memory = new MemoryStore();
  readonly #removed = new Set<string>();
  #degraded: Degraded | undefined;

  constructor(disk: Store) {
    this.#disk = disk;
  }

  get degraded(): Degraded | undefined {
    return this.#degraded;
  }

  async get(key: string): Promise<unknown> {
    const [value] = await this.getMany([key]);
    return value;
  }

  async getMany(keys: readonly string[]): Promise<readonly unknown[]> {
    const onDisk = await this.#tryDisk(
      (disk) => disk.getMany(keys),
      () => keys.map(() => undefined),
    );
    if (!this.#degraded) return onDisk;
    const inMemory = await this.#memory.getMany(keys);
    return keys.map((key, i) => inMemory[i] ?? (this.#removed.has(key) ? undefined : onDisk[i]));
  }

  async setMany(records: readonly (readonly [string, unknown])[]): Promise<void> {
    if (!this.#degraded) {
      try {
        await this.#disk.setMany(records);
        return;
      } catch (error) {
        this.#degrade(error);
      }
    }
    await this.#memory.setMany(records);
    for (const [key] of records) this.#removed.delete(key);
  }

  async delMany(keys: readonly string[]): Promise<void> {
    await this.#memory.delMany(keys);
    if (this.#degraded) for (const key of keys) this.#removed.add(key);
    // Removing is what makes room on a full disk, so it is tried there in any case.
    await this.#tryDisk(
      (disk) => disk.delMany(keys),
      () => undefined,
    );
  }

  async keys(): Promise<readonly string[]> {
    const onDisk = await this.#tryDisk(
      (disk) => disk.keys(),
      () => [],
    );
    const inMemory = await this.#memory.keys();
    return [...new Set([...onDisk.filter((key) => !this.#removed.has(key)), ...inMemory])];
  }

  async #tryDisk<T>(use: (disk: Store) => Promise<T>, otherwise: () => T): Promise<T> {
    if (this.#degraded?.trouble === 'refused') return otherwise();
    try {
      return await use(this.#disk);
    } catch (error) {
      this.#degrade(error);
      return otherwise();
    }
  }

  #degrade(error: unknown): void {
    if (this.#degraded) return;
    const full = error instanceof Error && error.name === 'QuotaExceededError';
    this.#degraded = { trouble: full ? 'full' : 'refused', detail: reason(error) };
    this.onDegraded.emit(this.#degraded);
  }
}
