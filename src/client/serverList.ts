/** The list of servers, which all tabs share: one tab's change is merged into what the others have stored, and told. */
import { oneAtATime } from '../auth/oneAtATime.ts';
import { Emitter } from '../base/emitter.ts';
import type { Store } from '../storage/store.ts';
import type { LockManagerLike } from './leadership.ts';
import { parseServerRecords, type ServerRecord } from './serverRecord.ts';

const RECORD = 'workspace';

export class ServerList {
  /** Another tab has changed the list. */
  readonly changed = new Emitter<undefined>();
  readonly #store: Store;
  readonly #locks: LockManagerLike | undefined;
  readonly #channel = new BroadcastChannel('reprise/servers');
  #all: readonly ServerRecord[];

  static async open(store: Store, locks: LockManagerLike | undefined): Promise<ServerList> {
    return new ServerList(store, locks, parseServerRecords(await store.get(RECORD)));
  }

  private constructor(store: Store, locks: LockManagerLike | undefined, all: readonly ServerRecord[]) {
    this.#store = store;
    this.#locks = locks;
    this.#all = all;
    this.#channel.onmessage = () => void this.#reload();
  }

  get all(): readonly ServerRecord[] {
    return this.#all;
  }

  find(id: string): ServerRecord | undefined {
    return this.#all.find((record) => record.id === id);
  }

  /** @param change from the list as it is stored now, which may not be the one that was last seen here */
  update(change: (all: readonly ServerRecord[]) => readonly ServerRecord[]): Promise<void> {
    return oneAtATime(this.#locks, 'reprise/servers', async () => {
      this.#all = change(parseServerRecords(await this.#store.get(RECORD)));
      await this.#store.write([[RECORD, this.#all]]);
      this.#channel.postMessage('changed');
    });
  }

  async #reload(): Promise<void> {
    this.#all = parseServerRecords(await this.#store.get(RECORD));
    this.changed.emit(undefined);
  }
}
