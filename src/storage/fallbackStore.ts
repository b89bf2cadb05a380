/**
 * Keeps the page going when the disk does not: after the first refused write, new records stay in memory and cover
 * what is on disk. Nothing that was stored is touched, and the page says what a reload would lose.
 */
import { Emitter } from '../base/emitter.ts';
import { errorMessage } from '../base/format.ts';
import { MemoryStore } from './memoryStore.ts';
import type { BasicStore, Records, Store } from './store.ts';

export type StorageTrouble = 'refused' | 'full';

export interface Degraded {
  readonly trouble: StorageTrouble;
  readonly detail: string;
}

export class FallbackStore implements Store {
  readonly onDegraded = new Emitter<Degraded>();
  readonly #disk: BasicStore;
  readonly #memory = new MemoryStore();
  readonly #removed = new Set<string>();
  #degraded: Degraded | undefined;

  constructor(disk: BasicStore) {
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

  async write(set: Records, remove: readonly string[] = []): Promise<void> {
    if (!this.#degraded) {
      try {
        await this.#disk.write(set, remove);
        return;
      } catch (error) {
        if (isBug(error)) throw error;
        this.#degrade(error);
      }
    }
    await this.#memory.write(set, remove);
    for (const [key] of set) this.#removed.delete(key);
    for (const key of remove) this.#removed.add(key);
    // Removing is what makes room on a full disk, so it is tried there in any case.
    if (remove.length > 0) {
      await this.#tryDisk(
        (disk) => disk.write([], remove),
        () => undefined,
      );
    }
  }

  async keys(): Promise<readonly string[]> {
    const onDisk = await this.#tryDisk(
      (disk) => disk.keys(),
      () => [],
    );
    const inMemory = await this.#memory.keys();
    return [...new Set([...onDisk.filter((key) => !this.#removed.has(key)), ...inMemory])];
  }

  async #tryDisk<T>(use: (disk: BasicStore) => Promise<T>, otherwise: () => T): Promise<T> {
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
    this.#degraded = { trouble: full ? 'full' : 'refused', detail: errorMessage(error) };
    this.onDegraded.emit(this.#degraded);
  }
}

/** A value that cannot be stored anywhere is no fault of the disk. */
export function isBug(error: unknown): boolean {
  return error instanceof Error && error.name === 'DataCloneError';
}
