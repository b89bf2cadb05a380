/** Secrets at rest: AES-GCM under a key that this origin can use and nobody can read. */
import type { Store } from './store.ts';

export const VAULT_KEY = 'vault/key';
/** Read once for each store: a page that resumes opens several secrets of each server. */
const KEYS = new WeakMap<Store, Promise<CryptoKey>>();
export const secretKey = (owner: string): string => `vault/secret/${owner}`;

/** Browsers encrypt for pages over https and on localhost only. */
export const canSeal = (): boolean => 'subtle' in crypto;

/** What this needs of the place of the secrets. */
export type SecretRecords = Pick<Store, 'get' | 'write' | 'keys'>;

export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

export class Vault {
  readonly #store: Store;
  readonly #records: SecretRecords;

  /** @param records where the secrets are, if not beside the key */
  constructor(store: Store, records: SecretRecords = store) {
    this.#store = store;
    this.#records = records;
  }

  async put(owner: string, secret: unknown): Promise<void> {
    await this.#records.write([[secretKey(owner), await this.seal(owner, secret)]]);
  }

  async get(owner: string): Promise<unknown> {
    return this.unseal(owner, await this.#records.get(secretKey(owner)));
  }

  /**
   * Encrypts a secret, to be stored by the caller: maybe in one transaction with other records.
   * @param origin where it may be sent; it does not open for another
   */
  async seal(owner: string, secret: unknown, origin?: string): Promise<Sealed> {
    if (!canSeal()) {
      throw new Error('Tokens are stored encrypted, which requires HTTPS or localhost.');
    }
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const plain = new TextEncoder().encode(JSON.stringify(secret));
    const data = await crypto.subtle.encrypt(sealing(iv, owner, origin), await this.#loadKey(), plain);
    return { iv, data };
  }

  async unseal(owner: string, sealed: unknown, origin?: string): Promise<unknown> {
    if (!isSealed(sealed)) return undefined;
    try {
      const { iv, data } = sealed;
      const plain = await crypto.subtle.decrypt(sealing(iv, owner, origin), await this.#loadKey(), data);
      return JSON.parse(new TextDecoder().decode(plain)) as unknown;
    } catch {
      // A secret that cannot be opened is as good as none: the person is asked again.
      return undefined;
    }
  }

  async forget(owner: string): Promise<void> {
    await this.#records.write([], [secretKey(owner)]);
  }

  /** Forgets everything whose owner's name begins so. */
  async forgetAll(ownerPrefix: string): Promise<void> {
    const keys = (await this.#records.keys()).filter((key) => key.startsWith(secretKey(ownerPrefix)));
    await this.#records.write([], keys);
  }

  #loadKey(): Promise<CryptoKey> {
    const known = KEYS.get(this.#store);
    if (known) return known;
    const key = this.#findOrMakeKeyAlone();
    KEYS.set(this.#store, key);
    key.catch(() => KEYS.delete(this.#store));
    return key;
  }

  /** Two tabs that each made a key would lock each other out of what they have sealed. */
  async #findOrMakeKeyAlone(): Promise<CryptoKey> {
    // One that is there stays: no need to wait for the lock.
    const stored = await this.#store.get(VAULT_KEY);
    if (stored instanceof CryptoKey) return stored;
    if (typeof navigator === 'undefined' || !('locks' in navigator)) return this.#findOrMakeKey();
    return navigator.locks.request(VAULT_KEY, () => this.#findOrMakeKey());
  }

  async #findOrMakeKey(): Promise<CryptoKey> {
    const stored = await this.#store.get(VAULT_KEY);
    if (stored instanceof CryptoKey) return stored;
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]);
    await this.#store.write([[VAULT_KEY, key]]);
    return key;
  }
}

/** Owner and origin are bound in as associated data: a secret that is copied to another's place does not open. */
function sealing(iv: Uint8Array<ArrayBuffer>, owner: string, origin: string | undefined): AesGcmParams {
  const bound = origin === undefined ? owner : JSON.stringify([owner, origin]);
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(bound) };
}

export function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && 'iv' in value && 'data' in value;
}
