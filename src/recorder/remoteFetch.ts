/** Requests that the worker of the page makes for it. Large pieces of a stream stay there: see `hostFetch.ts`. */
import { HeldBytes, type EventBytes } from '../wire/heldBytes.ts';
import type { FromFetch, HostRequest, ToFetch } from './messages.ts';

/** More than this of a body isn't on its way, or waiting to be read. */
const MOST_WAITING_BYTES = 2_000_000;

interface Open {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
  controller?: ReadableStreamDefaultController<EventBytes>;
  isPaused: boolean;
}

export class RemoteFetch {
  readonly #post: (message: ToFetch) => void;
  readonly #open = new Map<number, Open>();
  /** Not recorded yet. */
  readonly #held = new Map<number, HeldBytes>();
  readonly #onIdle: () => void;
  #count = 0;

  /** @param onIdle no request is open any more */
  constructor(post: (message: ToFetch) => void, onIdle: () => void) {
    this.#post = post;
    this.#onIdle = onIdle;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  fetch(url: string | URL, { signal, headers, body, ...init }: RequestInit): Promise<Response> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    this.#count += 1;
    const n = this.#count;
    const request: HostRequest = {
      ...init,
      headers: [...new Headers(headers)],
      ...(typeof body === 'string' && { body }),
    };
    return new Promise((resolve, reject) => {
      this.#open.set(n, { resolve, reject, isPaused: false });
      signal?.addEventListener('abort', () => this.#abort(n, signal.reason));
      this.#post({ name: 'fetch', n, url: String(url), init: request });
    });
  }

  hear(message: FromFetch): void {
    if (message.name === 'handed') {
      const held = this.#held.get(message.key);
      if (held) held.bytes = message.bytes;
      return;
    }
    const open = this.#open.get(message.n);
    if (!open) return;
    switch (message.name) {
      case 'response':
        return open.resolve(this.#respond(message, open));
      case 'chunk':
        return this.#enqueue(message.n, open, message.bytes);
      case 'held': {
        const { key, length } = message;
        const held = new HeldBytes(key, length, () => this.#held.delete(key));
        this.#held.set(key, held);
        return this.#enqueue(message.n, open, held);
      }
      case 'body-ended':
        this.#forget(message.n);
        return open.controller?.close();
      case 'fetch-failed':
        this.#forget(message.n);
        this.#post({ name: 'cancel', n: message.n });
        return this.#fail(open, new TypeError(message.why));
    }
  }

  /** The worker is gone, and with it what it was reading. */
  lose(): void {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const open of all) this.#fail(open, new TypeError('The worker has ended.'));
  }

  #respond(
    { n, status, statusText, headers }: Extract<FromFetch, { name: 'response' }>,
    open: Open,
  ): Response {
    // A redirect that is not followed has no status, and can't be made anew.
    if (status === 0) return Response.error();
    const body = new ReadableStream<EventBytes>(
      {
        start: (controller) => {
          open.controller = controller;
        },
        pull: () => {
          if (!open.isPaused) return;
          open.isPaused = false;
          this.#post({ name: 'resume', n });
        },
        cancel: () => this.#cancel(n),
      },
      { highWaterMark: MOST_WAITING_BYTES, size: ({ length }) => length },
    );
    const response = new Response(null, { status, statusText, headers: [...headers] });
    // No response can be made with a body that isn't bytes, so it stands before the one that this has, for its reader.
    return status === 204 ? response : Object.defineProperty(response, 'body', { value: body });
  }

  #enqueue(n: number, open: Open, chunk: EventBytes): void {
    open.controller?.enqueue(chunk);
    if (open.isPaused || (open.controller?.desiredSize ?? 1) > 0) return;
    open.isPaused = true;
    this.#post({ name: 'pause', n });
  }

  #abort(n: number, reason: unknown): void {
    const open = this.#open.get(n);
    if (!open) return;
    this.#cancel(n);
    this.#fail(open, reason);
  }

  #cancel(n: number): void {
    this.#post({ name: 'cancel', n });
    this.#forget(n);
  }

  #fail({ reject, controller }: Open, error: unknown): void {
    if (controller) controller.error(error);
    else reject(error);
  }

  #forget(n: number): void {
    this.#open.delete(n);
    if (this.isIdle) this.#onIdle();
  }
}
