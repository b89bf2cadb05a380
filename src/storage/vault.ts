/** Secrets at rest: AES-GCM under a key that this origin can use and nobody can read. */
import type { Store } from './store.ts';

const KEY = 'vault/key';
const secretKey = (owner: string): string => `vault/secret/${owner}`;

interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

export class Vault {
  readonly #store: Store;
  #key: Promise<CryptoKey> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  async put(owner: string, secret: unknown): Promise<void> {
    if (!('subtle' in crypto)) {
      throw new Error(
        'A token is kept only where the browser can encrypt it: open this page over https or on localhost.',
      );
    }
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const plain = new TextEncoder().encode(JSON.stringify(secret));
    const data = await crypto.subtle.encrypt(sealing(iv, owner), await this.#loadKey(), plain);
    await this.#store.write([[secretKey(owner), { iv, data } satisfies Sealed]]);
  }

  async get(owner: string): Promise<unknown> {
    const sealed = await this.#store.get(secretKey(owner));
    if (!isSealed(sealed)) return undefined;
    try {
      const plain = await crypto.subtle.decrypt(
        sealing(sealed.iv, owner),
        await this.#loadKey(),
        sealed.data,
      );
      return JSON.parse(new TextDecoder().decode(plain)) as unknown;
    } catch {
      // A secret that cannot be opened is as good as none: the person is asked again.
      return undefined;
    }
  }

  async forget(owner: string): Promise<void> {
    await this.#store.write([], [secretKey(owner)]);
  }

  /** Forgets everything whose owner's name begins so. */
  async forgetAll(ownerPrefix: string): Promise<void> {
    const keys = (await this.#store.keys()).filter((key) => key.startsWith(secretKey(ownerPrefix)));
    await this.#store.write([], keys);
  }

  #loadKey(): Promise<CryptoKey> {
    this.#key ??= this.#findOrMakeKeyAlone();
    return this.#key;
  }

  /** Two tabs that each made a key would lock each other out of what they have sealed. */
  async #findOrMakeKeyAlone(): Promise<CryptoKey> {
    if (typeof navigator === 'undefined' || !('locks' in navigator)) return this.#findOrMakeKey();
    return navigator.locks.request(KEY, () => this.#findOrMakeKey());
  }

  async #findOrMakeKey(): Promise<CryptoKey> {
    const stored = await this.#store.get(KEY);
    if (stored instanceof CryptoKey) return stored;
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]);
    await this.#store.write([[KEY, key]]);
    return key;
  }
}

/** The owner is bound in as associated data: a secret copied to another owner's place does not open. */
function sealing(iv: Uint8Array<ArrayBuffer>, owner: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(owner) };
}

function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && 'iv' in value && 'data' in value;
}
