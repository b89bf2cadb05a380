/** Lets those pass who come while it is open; the others wait until it is. */
export class Gate {
  passed = Promise.resolve();
  #open: (() => void) | undefined;

  close(): void {
    if (this.#open) return;
    this.passed = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open?.();
    this.#open = undefined;
  }
}
