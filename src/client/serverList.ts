/** The list of servers, which all tabs share: one tab's change is merged into what the others have stored, and told. */
import { oneAtATime } from '../auth/oneAtATime.ts';
import { Emitter } from '../base/emitter.ts';
import type { StoreChange } from '../storage/credentialPlace.ts';
import type { Store } from '../storage/store.ts';
import type { LockManagerLike } from './leadership.ts';
import { parseServerRecords, type ServerRecord } from './serverRecord.ts';

export const LIST_RECORD = 'server-list';
/** The lock under which the list is changed, and the channel on which the tabs tell each other. */
export const LIST_LOCK = 'reprise/server-list';

/** The new list, and what else is to be written in the same transaction. */
export interface ListChange extends Partial<StoreChange> {
  readonly all: readonly ServerRecord[];
}

export class ServerList {
  /** Another tab has changed the list. */
  readonly changed = new Emitter<undefined>();
  readonly #store: Store;
  readonly #locks: LockManagerLike | undefined;
  readonly #channel = new BroadcastChannel(LIST_LOCK);
  #all: readonly ServerRecord[];

  static async open(store: Store, locks: LockManagerLike | undefined): Promise<ServerList> {
    return new ServerList(store, locks, parseServerRecords(await store.get(LIST_RECORD)));
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

  /**
   * @param change from the list as it is stored now, which may not be the one that was last seen here
   * @param beforeTold what this tab does first, before the other tabs hear of the change
   */
  update(
    change: (all: readonly ServerRecord[]) => ListChange | Promise<ListChange>,
    beforeTold?: () => Promise<void>,
  ): Promise<void> {
    return oneAtATime(this.#locks, LIST_LOCK, async () => {
      const stored = parseServerRecords(await this.#store.get(LIST_RECORD));
      const { all, set = [], remove = [] } = await change(stored);
      await this.#store.write([[LIST_RECORD, all], ...set], remove);
      this.#all = all;
      try {
        await beforeTold?.();
      } finally {
        this.#channel.postMessage('changed');
      }
    });
  }

  async #reload(): Promise<void> {
    this.#all = parseServerRecords(await this.#store.get(LIST_RECORD));
    this.changed.emit(undefined);
  }
}
