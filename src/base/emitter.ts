/** A typed event with any number of listeners; `on` returns its undo. */
import { runApart } from './runApart.ts';

export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) runApart(() => listener(value));
  }
}
