/**
 * Where the credentials of one server are: encrypted, for its origin alone, in the browser or in this tab only. A URL with
 * a key in it is one of them.
 */
import { isObject, stringField, type JsonObject } from '../base/json.ts';
import { hasUrlKeys, restoreUrlKeys } from '../base/urlKeys.ts';
import { serverPrefix } from './records.ts';
import { parseSealed, printSealed } from './sealedText.ts';
import type { Records, Store } from './store.ts';
import { secretKey, Vault } from './vault.ts';

/** Texts that a tab keeps for itself, over its reloads. */
export interface TabTexts {
  read(key: string): string | undefined;
  /** Without a text, the key is removed. */
  write(key: string, text: string | undefined): void;
}

/** `tab`: gone when the tab is closed, and never in another one. */
export type KeepSecrets = 'browser' | 'tab';

export interface CredentialTerms {
  /** With its keys, or with placeholders for them. */
  readonly url: string;
  readonly keepSecrets?: KeepSecrets;
}

export interface KeptCredentials {
  /** With its keys, as far as they are kept here. */
  readonly url: string;
  readonly credentials: JsonObject;
  /** Another tab has them. */
  readonly areElsewhere?: true;
}

/** What is to be written together with the record of the server. */
export interface StoreChange {
  readonly set: Records;
  readonly remove: readonly string[];
}

export const credentialOwner = (id: string): string => `server/${encodeURIComponent(id)}`;
/** Says that a tab has the credentials; without it, there are none. */
const inTabKey = (id: string): string => `${serverPrefix(id)}credentials-in-tab`;
const tabSecretKey = (id: string): string => `reprise.secret/${encodeURIComponent(id)}`;

export class CredentialPlace {
  readonly #store: Store;
  readonly #tab: TabTexts;
  readonly #id: string;
  readonly #owner: string;
  readonly #vault: Vault;

  constructor(store: Store, tab: TabTexts, id: string) {
    this.#store = store;
    this.#tab = tab;
    this.#id = id;
    this.#owner = credentialOwner(id);
    this.#vault = new Vault(store);
  }

  /** Where they are in the browser, unless a tab keeps them. */
  get key(): string {
    return secretKey(this.#owner);
  }

  async load(terms: CredentialTerms): Promise<KeptCredentials> {
    return this.open(await this.#store.get(this.key), terms);
  }

  /** Nothing, where they were given for another origin. @param inBrowser the record under `key` */
  async open(inBrowser: unknown, { url, keepSecrets }: CredentialTerms): Promise<KeptCredentials> {
    const text = this.inTab;
    const sealed = keepSecrets === 'tab' ? text !== undefined && parseSealed(text) : inBrowser;
    const kept = await this.#vault.unseal(this.#owner, sealed, URL.parse(url)?.origin);
    if (!isObject(kept)) {
      const areElsewhere = keepSecrets === 'tab' && (await this.#store.get(inTabKey(this.#id))) === true;
      return { url, credentials: {}, ...(areElsewhere && { areElsewhere }) };
    }
    const { serverUrl: _, ...credentials } = kept;
    return { url: restoreUrlKeys(url, stringField(kept, 'serverUrl')), credentials };
  }

  /** What this tab keeps, sealed: the tab that owns the connection may need it. */
  get inTab(): string | undefined {
    return this.#tab.read(tabSecretKey(this.#id));
  }

  keepInTab(sealed: string | undefined): void {
    this.#tab.write(tabSecretKey(this.#id), sealed);
  }

  forget(): StoreChange {
    this.keepInTab(undefined);
    return { set: [], remove: [this.key, inTabKey(this.#id)] };
  }

  /** They replace the ones before, in both places. */
  async change(credentials: object, { url, keepSecrets }: CredentialTerms): Promise<StoreChange> {
    const secrets = { ...credentials, ...(hasUrlKeys(url) && { serverUrl: url }) };
    if (Object.keys(secrets).length === 0) return this.forget();
    const sealed = await this.#vault.seal(this.#owner, secrets, new URL(url).origin);
    if (keepSecrets !== 'tab') {
      this.keepInTab(undefined);
      return { set: [[this.key, sealed]], remove: [inTabKey(this.#id)] };
    }
    this.keepInTab(printSealed(sealed));
    return { set: [[inTabKey(this.#id), true]], remove: [this.key] };
  }
}
