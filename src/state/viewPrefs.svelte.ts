/** Where a person is among one server's pages: kept for this tab, so that two tabs each have their own view. */
import type { KeptText } from './storage/keptText.ts';

export class ViewPrefs {
  readonly #kept: KeptText;
  readonly #owner: string;
  #written = $state.raw<ReadonlyMap<string, string | undefined>>(new Map());

  constructor(kept: KeptText, owner: string) {
    this.#kept = kept;
    this.#owner = owner;
  }

  /** Reactive: what is drawn from it follows each `write`. */
  read(name: string): string | undefined {
    const written = this.#written.get(name);
    return written === undefined && !this.#written.has(name) ? this.#kept.read(this.#key(name)) : written;
  }

  /** Without a text, the place is forgotten. */
  write(name: string, text: string | undefined): void {
    this.#kept.write(this.#key(name), text);
    this.#written = new Map(this.#written).set(name, text);
  }

  /** As `read` and `write`, for what is not drawn from: a scroll position changes often, and nothing follows it. */
  readUntracked(name: string): string | undefined {
    return this.#kept.read(this.#key(name));
  }

  writeUntracked(name: string, text: string | undefined): void {
    this.#kept.write(this.#key(name), text);
  }

  #key(name: string): string {
    return `reprise.place/${encodeURIComponent(this.#owner)}/${name}`;
  }
}
