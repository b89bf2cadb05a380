/** What the user gave to reach the servers of a run: it must not stand in any output. */
import { Redactor, type TypedSecrets } from '../src/wire/redact.ts';
import { HarnessError } from './harnessError.ts';

export interface Given extends Pick<TypedSecrets, 'bearer' | 'headers'> {
  readonly url: string;
}

export class Secrets {
  readonly #redactor = new Redactor();

  constructor(given: readonly Given[]) {
    for (const { url, ...typed } of given) {
      this.#redactor.protect(typed);
      this.#redactor.protectUrl(url);
    }
  }

  text(text: string): string {
    return this.#redactor.text(text);
  }

  /** The same value with every text of it hidden, names included. */
  value<T>(value: T): T {
    return this.#redactor.value(value);
  }

  error(error: unknown): Error {
    if (error instanceof HarnessError) return new HarnessError(error.kind, this.text(error.message));
    if (!(error instanceof Error)) return new Error(this.text(String(error)));
    const safe = new Error(this.text(error.message));
    safe.stack = this.text(error.stack ?? '');
    return safe;
  }
}
