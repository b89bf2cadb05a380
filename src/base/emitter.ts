/** A typed event with any number of listeners; `on` returns its undo. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        // Reported as uncaught, so that a listener that fails stops neither the others nor the emitter.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
