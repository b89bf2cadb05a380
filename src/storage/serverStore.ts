/** What is kept of a server beside its log: its session, its lists, what a person wants of it, its credentials. */
import {
  CredentialPlace,
  type CredentialTerms,
  type KeptCredentials,
  type TabTexts,
} from './credentialPlace.ts';
import { serverPrefix } from './records.ts';
import { SessionPlace } from './sessionPlace.ts';
import type { Store } from './store.ts';

export interface StoredServer extends KeptCredentials {
  readonly session: unknown;
  readonly lists: unknown;
  readonly preferences: unknown;
}

export class ServerStore {
  readonly credentials: CredentialPlace;
  readonly #session: SessionPlace;
  readonly #store: Store;
  readonly #id: string;

  constructor(store: Store, tab: TabTexts, id: string) {
    this.#store = store;
    this.#id = id;
    this.credentials = new CredentialPlace(store, tab, id);
    this.#session = new SessionPlace(store, id);
  }

  /** A session belongs to the URL that it was begun at, and credentials to an origin: other ones are left out. */
  async load(terms: CredentialTerms): Promise<StoredServer> {
    const keys = [this.#key('lists'), this.#key('wishes'), this.credentials.key, this.#session.key];
    // In one transaction: a page that comes back waits for it.
    const [lists, preferences, credentials, session] = await this.#store.getMany(keys);
    const kept = await this.credentials.open(credentials, terms);
    return { ...kept, session: await this.#session.open(session, kept.url), lists, preferences };
  }

  saveSession(url: string, session: object | undefined): Promise<void> {
    return this.#session.save(url, session);
  }

  saveLists(lists: object): Promise<void> {
    return this.#store.write([[this.#key('lists'), lists]]);
  }

  /** The interfaces that it had, as they were stored. */
  loadInterfaces(): Promise<unknown> {
    return this.#store.get(this.#key('interfaces'));
  }

  saveInterfaces(history: readonly object[]): Promise<void> {
    return this.#store.write([[this.#key('interfaces'), history]]);
  }

  savePreferences(preferences: object): Promise<void> {
    return this.#store.write([[this.#key('wishes'), preferences]]);
  }

  /** The documents of MCP Apps, newest last. */
  async loadViews(): Promise<unknown> {
    return (await this.#store.getMany([this.#key('views')]))[0];
  }

  saveViews(views: readonly object[]): Promise<void> {
    return this.#store.write([[this.#key('views'), views]]);
  }

  /** All of it, with the log. */
  async forget(): Promise<void> {
    await this.#session.saved;
    const keys = (await this.#store.keys()).filter((key) => key.startsWith(serverPrefix(this.#id)));
    await this.#store.write([], [...keys, ...this.credentials.forget().remove]);
  }

  #key(name: string): string {
    return `${serverPrefix(this.#id)}${name}`;
  }
}
