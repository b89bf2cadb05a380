/** What is kept of a server beside its log: its session, its lists, what a person wants of it, its credentials. */
import { isKeyOfLog } from './records.ts';
import type { Store } from './store.ts';
import { Vault } from './vault.ts';

export class ServerRecords {
  readonly #store: Store;
  readonly #server: string;
  readonly #vault: Vault;

  constructor(store: Store, server: string) {
    this.#store = store;
    this.#server = server;
    this.#vault = new Vault(store);
  }

  async load(): Promise<{ session: unknown; lists: unknown; wishes: unknown; credentials: unknown }> {
    const names = ['session', 'lists', 'wishes'].map((name) => this.#key(name));
    const [session, lists, wishes] = await this.#store.getMany(names);
    return { session, lists, wishes, credentials: await this.#vault.get(this.#server) };
  }

  saveSession(session: object | undefined): Promise<void> {
    if (session) return this.#store.write([[this.#key('session'), session]]);
    return this.#store.write([], [this.#key('session')]);
  }

  saveLists(lists: object): Promise<void> {
    return this.#store.write([[this.#key('lists'), lists]]);
  }

  saveWishes(wishes: object): Promise<void> {
    return this.#store.write([[this.#key('wishes'), wishes]]);
  }

  saveCredentials(credentials: object): Promise<void> {
    return Object.keys(credentials).length > 0
      ? this.#vault.put(this.#server, credentials)
      : this.#vault.forget(this.#server);
  }

  async forget(): Promise<void> {
    const ofLog = (await this.#store.keys()).filter((key) => isKeyOfLog(this.#server, key));
    const beside = ['session', 'lists', 'wishes'].map((name) => this.#key(name));
    await this.#store.write([], [...beside, ...ofLog]);
    await this.#vault.forget(this.#server);
  }

  #key(name: string): string {
    return `server/${this.#server}/${name}`;
  }
}
