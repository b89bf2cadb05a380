/** The list of servers, which all tabs share: one tab's change is merged into what the others have stored, and told. */
import { exclusive } from '../../base/exclusive.ts';
import { Emitter } from '../../base/emitter.ts';
import type { StoreChange } from '../../storage/credentialPlace.ts';
import type { Records, Store } from '../../storage/store.ts';
import type { LocksLike } from '../../base/exclusive.ts';
import { parseSavedServers, type SavedServer } from '../settings/savedServer.ts';
import {
  appendEntries,
  describeListChange,
  forgetNames,
  parseWorkspaceEntries,
  WorkspaceLog,
  type WorkspaceEntry,
} from './workspaceLog.ts';

export const LIST_RECORD = 'server-list';
/** What was done with the list, written in the same transaction. */
const LOG_RECORD = 'workspace-log';
/** The lock under which the list is changed, and the channel on which the tabs tell each other. */
export const LIST_LOCK = 'reprise/server-list';

/** The new list, and what else is to be written in the same transaction. */
export interface ListChange extends Partial<StoreChange> {
  readonly all: readonly SavedServer[];
  /** The server that was moved to another place. */
  readonly moved?: string;
}

export class ServerDirectory {
  /** Another tab has changed the list. */
  readonly changed = new Emitter<undefined>();
  readonly log: WorkspaceLog;
  readonly #now: () => number;
  readonly #store: Store;
  readonly #locks: LocksLike | undefined;
  readonly #channel = new BroadcastChannel(LIST_LOCK);
  #all: readonly SavedServer[];

  static async open(
    store: Store,
    locks: LocksLike | undefined,
    now: () => number = Date.now,
  ): Promise<ServerDirectory> {
    return new ServerDirectory(store, locks, now, await read(store));
  }

  private constructor(store: Store, locks: LocksLike | undefined, now: () => number, stored: Stored) {
    this.#store = store;
    this.#locks = locks;
    this.#now = now;
    this.#all = stored.all;
    this.log = new WorkspaceLog(stored.entries);
    this.#channel.onmessage = () => void this.#reload();
  }

  get all(): readonly SavedServer[] {
    return this.#all;
  }

  find(id: string): SavedServer | undefined {
    return this.#all.find((record) => record.id === id);
  }

  /**
   * @param change from the list as it is stored now, which may not be the one that was last seen here
   * @param beforeTold what this tab does first, before the other tabs hear of the change
   */
  update(
    change: (all: readonly SavedServer[]) => ListChange | Promise<ListChange>,
    beforeTold?: () => Promise<void>,
  ): Promise<void> {
    return exclusive(this.#locks, LIST_LOCK, async () => {
      const stored = await read(this.#store);
      const { all, moved, set = [], remove = [] } = await change(stored.all);
      const added = describeListChange(stored.all, all, moved);
      const entries = forgetNames(appendEntries(stored.entries, added, this.#now()), all);
      const isGone = all.length < stored.all.length;
      const log: Records = added.length > 0 || isGone ? [[LOG_RECORD, entries]] : [];
      await this.#store.write([[LIST_RECORD, all], ...log, ...set], remove);
      this.#all = all;
      this.log.adopt(entries);
      try {
        await beforeTold?.();
      } finally {
        this.#channel.postMessage('changed');
      }
    });
  }

  async #reload(): Promise<void> {
    const { all, entries } = await read(this.#store);
    this.#all = all;
    this.log.adopt(entries);
    this.changed.emit(undefined);
  }
}

interface Stored {
  readonly all: readonly SavedServer[];
  readonly entries: readonly WorkspaceEntry[];
}

async function read(store: Store): Promise<Stored> {
  const [list, log] = await store.getMany([LIST_RECORD, LOG_RECORD]);
  return { all: parseSavedServers(list), entries: parseWorkspaceEntries(log) };
}
