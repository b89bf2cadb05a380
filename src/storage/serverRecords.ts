/** What is kept of a server beside its log: its session, its lists, what a person wants of it, its credentials. */
import { isObject, stringField } from '../base/json.ts';
import { CredentialPlace, type CredentialTerms, type TabTexts } from './credentialPlace.ts';
import { serverPrefix } from './records.ts';
import type { Store } from './store.ts';

export class ServerRecords {
  readonly credentials: CredentialPlace;
  readonly #store: Store;
  readonly #id: string;

  constructor(store: Store, tab: TabTexts, id: string) {
    this.#store = store;
    this.#id = id;
    this.credentials = new CredentialPlace(store, tab, id);
  }

  /** A session belongs to the URL that it was begun at, and credentials to an origin: other ones are left out. */
  async load(
    terms: CredentialTerms,
  ): Promise<{ session: unknown; lists: unknown; wishes: unknown; credentials: unknown }> {
    const names = ['session', 'lists', 'wishes'].map((name) => this.#key(name));
    const [stored, lists, wishes] = await this.#store.getMany(names);
    const isOfUrl = stringField(stored, 'url') === terms.url;
    const session = isOfUrl && isObject(stored) ? stored['session'] : undefined;
    return { session, lists, wishes, credentials: await this.credentials.load(terms) };
  }

  saveSession(url: string, session: object | undefined): Promise<void> {
    if (session) return this.#store.write([[this.#key('session'), { url, session }]]);
    return this.#store.write([], [this.#key('session')]);
  }

  saveLists(lists: object): Promise<void> {
    return this.#store.write([[this.#key('lists'), lists]]);
  }

  saveWishes(wishes: object): Promise<void> {
    return this.#store.write([[this.#key('wishes'), wishes]]);
  }

  /** All of it, with the log. */
  async forget(): Promise<void> {
    const keys = (await this.#store.keys()).filter((key) => key.startsWith(serverPrefix(this.#id)));
    await this.#store.write([], [...keys, ...this.credentials.forget().remove]);
  }

  #key(name: string): string {
    return `${serverPrefix(this.#id)}${name}`;
  }
}
