/**
 * Reads what a page will ask for in one transaction, before it asks: each of those reads would be a round trip of its own.
 * A record is handed out as often as it was named, and never after it was written.
 */
import { credentialOwner } from './credentialPlace.ts';
import { logIndexKey, serverPrefix } from './records.ts';
import { sessionKey } from './sessionPlace.ts';
import type { Records, Store } from './store.ts';
import { secretKey, VAULT_KEY } from './vault.ts';

/** What a page reads first of the server that it comes back to. The tab that leads reads it once more. */
export const firstRecordsOf = (id: string): readonly string[] => [
  // Looked at by the upgrade, too.
  sessionKey(id),
  sessionKey(id),
  `${serverPrefix(id)}lists`,
  `${serverPrefix(id)}wishes`,
  secretKey(credentialOwner(id)),
  logIndexKey(id),
  VAULT_KEY,
];

/** One that was read ahead. */
interface Ahead {
  /** How often it may still be handed out. */
  left: number;
  /** Nothing, if it couldn't be read. */
  readonly record: Promise<{ readonly value: unknown } | undefined>;
}

export class ReadAhead implements Store {
  readonly #disk: Store;
  readonly #ahead = new Map<string, Ahead>();

  constructor(disk: Store, keys: readonly string[]) {
    this.#disk = disk;
    const wanted = [...new Set(keys)];
    if (wanted.length === 0) return;
    // Whoever asks is told why it failed.
    const reading = disk.getMany(wanted).catch(() => undefined);
    for (const [i, key] of wanted.entries()) {
      const record = reading.then((values) => values && { value: values[i] });
      this.#ahead.set(key, { left: keys.filter((one) => one === key).length, record });
    }
  }

  async get(key: string): Promise<unknown> {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys: readonly string[]): Promise<readonly unknown[]> {
    if (keys.every((key) => this.#ahead.has(key))) {
      const records = await Promise.all(keys.map((key) => this.#take(key)));
      if (records.every((record) => record !== undefined)) return records.map(({ value }) => value);
    }
    return this.#disk.getMany(keys);
  }

  write(set: Records, remove: readonly string[] = []): Promise<void> {
    for (const key of [...set.map(([one]) => one), ...remove]) this.#ahead.delete(key);
    return this.#disk.write(set, remove);
  }

  keys(): Promise<readonly string[]> {
    return this.#disk.keys();
  }

  async #take(key: string): Promise<{ readonly value: unknown } | undefined> {
    const ahead = this.#ahead.get(key);
    if (!ahead) return undefined;
    ahead.left -= 1;
    if (ahead.left === 0) this.#ahead.delete(key);
    return ahead.record;
  }
}
