/** Short notices that come and go by themselves, and never take the focus. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  /** What can be done about it while it is there. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Somebody has put it away by hand. */
  readonly onDismiss?: () => void;
}

const SHOWN_MS = 6000;

export class Toasts {
  #all = $state.raw<readonly Toast[]>([]);
  #next = 1;

  get all(): readonly Toast[] {
    return this.#all;
  }

  /** @returns takes it away again */
  show(toast: Omit<Toast, 'id'>, shownMs: number = SHOWN_MS): () => void {
    const id = this.#next;
    this.#next += 1;
    this.#all = [...this.#all, { ...toast, id }];
    const timer = setTimeout(() => this.#remove(id), shownMs);
    return () => {
      clearTimeout(timer);
      this.#remove(id);
    };
  }

  act(toast: Toast): void {
    this.#remove(toast.id);
    toast.action?.run();
  }

  dismiss(toast: Toast): void {
    this.#remove(toast.id);
    toast.onDismiss?.();
  }

  #remove(id: number): void {
    this.#all = this.#all.filter((toast) => toast.id !== id);
  }
}
