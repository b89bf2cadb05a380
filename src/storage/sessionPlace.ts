/** Where the session of one server is: encrypted, because with its ID anybody can join it. */
import { isObject, stringField } from '../base/json.ts';
import { serverPrefix } from './records.ts';
import type { Store } from './store.ts';
import { canSeal, Vault, type Sealed } from './vault.ts';

export const sessionKey = (id: string): string => `${serverPrefix(id)}session`;
const sessionOwner = (id: string): string => `session/${encodeURIComponent(id)}`;

/** What is stored of a session, before it is sealed. */
export interface SessionRecord {
  readonly url: string;
  readonly session: object;
}

export class SessionPlace {
  /** Resolves when the last change is stored. */
  saved: Promise<void> = Promise.resolve();
  readonly #store: Store;
  readonly #id: string;
  readonly #vault: Vault;

  constructor(store: Store, id: string) {
    this.#store = store;
    this.#id = id;
    this.#vault = new Vault(store);
  }

  get key(): string {
    return sessionKey(this.#id);
  }

  /** Nothing, where it was begun at another URL. @param stored the record under `key` */
  async open(stored: unknown, url: string): Promise<unknown> {
    const record = isPlain(stored)
      ? stored
      : await this.#vault.unseal(sessionOwner(this.#id), stored, URL.parse(url)?.origin);
    return isObject(record) && stringField(record, 'url') === url ? record['session'] : undefined;
  }

  /** One after the other: encrypting takes a moment, and an ended session must not be stored after its end. */
  save(url: string, session: object | undefined): Promise<void> {
    const write = async (): Promise<void> => {
      if (session) await this.#store.write([[this.key, await this.seal({ url, session })]]);
      else await this.#store.write([], [this.key]);
    };
    const saved = this.saved.then(write);
    this.saved = saved.catch(() => undefined);
    return saved;
  }

  /** Where the browser can't encrypt (plain http), it is stored as it is: else no reload could resume it. */
  async seal(record: SessionRecord): Promise<Sealed | SessionRecord> {
    if (!canSeal()) return record;
    return this.#vault.seal(sessionOwner(this.#id), record, new URL(record.url).origin);
  }
}

/** As earlier versions stored it. */
export function isPlain(stored: unknown): stored is SessionRecord {
  return isObject(stored) && typeof stored['url'] === 'string' && isObject(stored['session']);
}
