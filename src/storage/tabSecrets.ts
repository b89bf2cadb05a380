/** Sealed secrets of one server that a tab keeps for itself: in one text, so that they can be handed over together. */
import { isObject, stringField } from '../base/json.ts';
import type { TabTexts } from './credentialPlace.ts';
import { parseSealed, printSealed } from './sealedText.ts';
import type { Records } from './store.ts';
import { isSealed } from './vault.ts';

const tabLoginKey = (id: string): string => `reprise.oauth/${encodeURIComponent(id)}`;

export class TabSecrets {
  readonly #tab: TabTexts;
  readonly #key: string;

  /** @param id of the server whose secrets these are */
  constructor(tab: TabTexts, id: string) {
    this.#tab = tab;
    this.#key = tabLoginKey(id);
  }

  /** All of it, sealed: the tab that owns the connection may need it. */
  get text(): string | undefined {
    return this.#tab.read(this.#key);
  }

  set text(text: string | undefined) {
    this.#tab.write(this.#key, text);
  }

  get(key: string): Promise<unknown> {
    return Promise.resolve(parseSealed(this.#read().get(key) ?? ''));
  }

  getMany(keys: readonly string[]): Promise<readonly unknown[]> {
    return Promise.all(keys.map((key) => this.get(key)));
  }

  keys(): Promise<readonly string[]> {
    return Promise.resolve([...this.#read().keys()]);
  }

  /** What isn't sealed is not kept. */
  write(set: Records, remove: readonly string[] = []): Promise<void> {
    const texts = this.#read();
    for (const [key, value] of set) if (isSealed(value)) texts.set(key, printSealed(value));
    for (const key of remove) texts.delete(key);
    this.text = texts.size > 0 ? JSON.stringify(Object.fromEntries(texts)) : undefined;
    return Promise.resolve();
  }

  #read(): Map<string, string> {
    try {
      const stored: unknown = JSON.parse(this.text ?? '{}');
      const keys = isObject(stored) ? Object.keys(stored) : [];
      return new Map(keys.map((key) => [key, stringField(stored, key) ?? '']));
    } catch {
      return new Map();
    }
  }
}
