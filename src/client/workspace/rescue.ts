/** Export and removal of a server that can't be opened. Both use only what is stored, and open nothing. */
import { AuthStore } from '../../auth/authStore.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { toLogEntry } from '../../log/entry/publicEntry.ts';
import { withoutUrlKeys } from '../../base/urlKeys.ts';
import { LogReader } from '../../storage/logReader.ts';
import type { TabTexts } from '../../storage/credentialPlace.ts';
import { ServerStore } from '../../storage/serverStore.ts';
import type { Store } from '../../storage/store.ts';
import { TabSecrets } from '../../storage/tabSecrets.ts';
import { Vault } from '../../storage/vault.ts';
import { printLogFile } from '../../timeline/share/logFile.ts';
import { Redactor } from '../../wire/redact.ts';
import { loadKnownServer } from '../servers/knownServer.ts';
import type { LocksLike } from '../../base/exclusive.ts';
import { ServerDirectory } from './serverDirectory.ts';
import type { SavedServer } from '../settings/savedServer.ts';

interface RescueEnvironment {
  readonly store: Store;
  readonly locks: LocksLike | undefined;
  readonly tabTexts: TabTexts;
}

export class Rescue {
  readonly #store: Store;
  readonly #locks: LocksLike | undefined;
  readonly #tabTexts: TabTexts;

  constructor({ store, locks, tabTexts }: RescueEnvironment) {
    this.#store = store;
    this.#locks = locks;
    this.#tabTexts = tabTexts;
  }

  async servers(): Promise<readonly SavedServer[]> {
    const list = await ServerDirectory.open(this.#store, this.#locks);
    return list.all.filter(({ forgottenAt }) => forgottenAt === undefined);
  }

  /** The log as a file: every stored entry that can be read. */
  async exportLog(record: SavedServer): Promise<string> {
    const { id, name, url } = record;
    const parts: string[] = [];
    const info = { server: name, serverId: id, url, exportedAt: Date.now() };
    const redactor = await this.#redactorFor(record);
    for await (const part of printLogFile(info, this.#entries(id, redactor))) parts.push(part);
    return parts.join('');
  }

  /** Deletes the server with its log and its credentials. */
  async remove(record: SavedServer): Promise<void> {
    const { id, url } = record;
    const list = await ServerDirectory.open(this.#store, this.#locks);
    await list.update((all) => ({ all: all.filter((one) => one.id !== id) }));
    await new ServerStore(this.#store, this.#tabTexts, id).forget();
    const loginUrl = withoutUrlKeys(url);
    const keepsLogin = list.all.some((other) => withoutUrlKeys(other.url) === loginUrl);
    if (!keepsLogin) await this.#loginOf(record).forgetAll();
  }

  #loginOf({ id, url, keepSecrets }: SavedServer): AuthStore {
    const own = keepSecrets === 'tab' ? new TabSecrets(this.#tabTexts, id) : undefined;
    return new AuthStore(new Vault(this.#store), withoutUrlKeys(url), own && new Vault(this.#store, own));
  }

  /** What can't be read protects nothing, and must not keep the log from being exported. */
  async #redactorFor(record: SavedServer): Promise<Redactor> {
    const redactor = new Redactor();
    try {
      const records = new ServerStore(this.#store, this.#tabTexts, record.id);
      const { url, session, credentials } = await loadKnownServer(records, record);
      redactor.protect(credentials);
      redactor.protectUrl(url);
      redactor.protectSessionIds([session?.sessionId ?? '']);
      const login = await this.#loginOf(record).tokens();
      redactor.protectValues([login?.tokens.access_token ?? '', login?.tokens.refresh_token ?? '']);
    } catch {
      redactor.protectUrl(record.url);
    }
    return redactor;
  }

  async *#entries(id: string, redactor: Redactor): AsyncGenerator<readonly Entry[]> {
    for await (const entries of new LogReader(this.#store, id).salvage()) {
      yield entries.filter((entry) => canBePrinted(id, entry)).map((entry) => redactor.entry(entry));
    }
  }
}

function canBePrinted(server: string, entry: Entry): boolean {
  try {
    JSON.stringify(toLogEntry(server, entry));
    return true;
  } catch {
    return false;
  }
}
