/** What is kept of a server beside its log: its session, its lists, its credentials. */
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

  async load(): Promise<{ session: unknown; lists: unknown; credentials: unknown }> {
    const [session, lists] = await this.#store.getMany([this.#key('session'), this.#key('lists')]);
    return { session, lists, credentials: await this.#vault.get(this.#server) };
  }

  saveSession(session: object | undefined): Promise<void> {
    if (session) return this.#store.write([[this.#key('session'), session]]);
    return this.#store.write([], [this.#key('session')]);
  }

  saveLists(lists: object): Promise<void> {
    return this.#store.write([[this.#key('lists'), lists]]);
  }

  saveCredentials(credentials: object): Promise<void> {
    return Object.keys(credentials).length > 0
      ? this.#vault.put(this.#server, credentials)
      : this.#vault.forget(this.#server);
  }

  async forget(): Promise<void> {
    const ofLog = (await this.#store.keys()).filter((key) => isKeyOfLog(this.#server, key));
    await this.#store.write([], [this.#key('session'), this.#key('lists'), ...ofLog]);
    await this.#vault.forget(this.#server);
  }

  #key(name: string): string {
    return `server/${this.#server}/${name}`;
  }
}
