/**
 * Requests that the worker makes for its page. What a stream brings in large pieces stays here, and the page only says
 * when it is to be recorded: a burst costs the page next to nothing.
 */
import { errorMessage } from '../base/format.ts';
import { EventCutter } from '../wire/eventCutter.ts';
import { joined } from '../wire/joined.ts';
import type { FromFetch, HeldKey, ToFetch } from './messages.ts';

/** Less than this is posted: a page that gets each event by itself handles it as if it had read it. */
const LEAST_HELD_BYTES = 16_384;
/** Gathered up to this, or for so long: WebKit gives out a burst as thousands of tiny chunks. */
const GATHERED_BYTES = 262_144;
const GATHERED_MS = 10;
/** Of one stream: what is held for the page's word. */
const MOST_HELD_BYTES = 4_000_000;
/** The beginning of an event that is longer than this is the page's to judge. */
const LONGEST_EVENT_BYTES = 1_000_000;

type PostFetch = (message: FromFetch, transfer: Transferable[]) => void;

interface Held {
  /** Of its request. */
  readonly n: number;
  readonly bytes: Uint8Array;
  readonly body: HostBody;
}

export class HostFetch {
  readonly #post: PostFetch;
  readonly #fetch: typeof fetch;
  readonly #open = new Map<number, HostBody>();
  readonly #held = new Map<number, Held>();
  #keys = 0;
  #holds = true;
  #onIdle: (() => void) | undefined;

  constructor(post: PostFetch, doFetch: typeof fetch = (input, init) => fetch(input, init)) {
    this.#post = post;
    this.#fetch = doFetch;
  }

  hear(message: ToFetch): void {
    if (message.name === 'fetch') return void this.#perform(message);
    const { n } = message;
    const body = this.#open.get(n);
    if (message.name === 'pause') return body?.pause();
    if (message.name === 'resume') return body?.resume();
    body?.abort.abort();
    // Orders that came before are carried out: nobody asks for the rest, also of a body that is read to its end.
    for (const [key, held] of this.#held) if (held.n === n) this.#held.delete(key);
  }

  /** What is held under this key, which is recorded now. */
  take({ key }: HeldKey): Uint8Array {
    const held = this.#held.get(key);
    if (!held) throw new Error('These events are not here.');
    this.#held.delete(key);
    held.body.release(held.bytes.length);
    return held.bytes;
  }

  /** From here on everything goes to the page. */
  handOver(): void {
    this.#holds = false;
    for (const [key, { bytes, body }] of this.#held) {
      this.#postBytes({ name: 'handed', key, bytes });
      body.release(bytes.length);
    }
    this.#held.clear();
  }

  /** Resolves when no request is open. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#lookIfIdle();
    });
  }

  async #perform({ n, url, init }: Extract<ToFetch, { name: 'fetch' }>): Promise<void> {
    const body = new HostBody((bytes) => this.#send(n, body, bytes));
    this.#open.set(n, body);
    try {
      const response = await this.#fetch(url, { ...init, signal: body.abort.signal });
      const { status, statusText, headers } = response;
      this.#post({ name: 'response', n, status, statusText, headers: [...headers] }, []);
      const holdsEvents = response.ok && (headers.get('content-type') ?? '').includes('text/event-stream');
      await body.read(response.body, holdsEvents);
      this.#post({ name: 'body-ended', n }, []);
    } catch (error) {
      this.#post({ name: 'fetch-failed', n, why: errorMessage(error) }, []);
    }
    this.#open.delete(n);
    this.#lookIfIdle();
  }

  #send(n: number, body: HostBody, bytes: Uint8Array): void {
    if (body.abort.signal.aborted) return;
    if (this.#holds && body.areWhole && bytes.length >= LEAST_HELD_BYTES) {
      const key = ++this.#keys;
      this.#held.set(key, { n, bytes, body });
      body.hold(bytes.length);
      this.#post({ name: 'held', n, key, length: bytes.length }, []);
    } else this.#postBytes({ name: 'chunk', n, bytes });
  }

  /** A copy: a view would take its whole buffer along, which others are views of. */
  #postBytes(message: Extract<FromFetch, { bytes: Uint8Array }>): void {
    const bytes = message.bytes.slice();
    this.#post({ ...message, bytes }, [bytes.buffer]);
  }

  #lookIfIdle(): void {
    if (this.#open.size === 0) this.#onIdle?.();
  }
}

/** The body of one response: read, cut after whole events, gathered, handed on. */
class HostBody {
  readonly abort = new AbortController();
  readonly #send: (bytes: Uint8Array) => void;
  readonly #cutter = new EventCutter();
  #areWhole = false;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #sentAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heldBytes = 0;
  #isPaused = false;
  #onRoom: (() => void) | undefined;

  constructor(send: (bytes: Uint8Array) => void) {
    this.#send = send;
    this.abort.signal.addEventListener('abort', () => this.resume());
  }

  /** Is what is handed on whole events? */
  get areWhole(): boolean {
    return this.#areWhole;
  }

  get #isFull(): boolean {
    return !this.abort.signal.aborted && (this.#isPaused || this.#heldBytes > MOST_HELD_BYTES);
  }

  hold(bytes: number): void {
    this.#heldBytes += bytes;
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
    this.#onRoom?.();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#onRoom?.();
  }

  async read(stream: ReadableStream<Uint8Array> | null, holdsEvents: boolean): Promise<void> {
    this.#areWhole = holdsEvents;
    const reader = stream?.getReader();
    try {
      for (;;) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) return;
        this.#add(this.#areWhole ? this.#cutter.add(chunk.value) : [chunk.value]);
        if (this.#cutter.heldBytes > LONGEST_EVENT_BYTES) this.#endWhole();
        while (this.#isFull) await this.#room();
      }
    } finally {
      this.#endWhole();
    }
  }

  /** What no blank line has ended goes to the page, which may know its end. */
  #endWhole(): void {
    this.#flush();
    this.#areWhole = false;
    this.#add(this.#cutter.rest());
    this.#flush();
  }

  #add(parts: readonly Uint8Array[]): void {
    for (const part of parts) {
      this.#gathered.push(part);
      this.#gatheredBytes += part.length;
    }
    const isDue = performance.now() - this.#sentAt > GATHERED_MS;
    if (isDue || this.#gatheredBytes >= GATHERED_BYTES) this.#flush();
    else if (this.#gatheredBytes > 0) this.#timer ??= setTimeout(() => this.#flush(), GATHERED_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#gatheredBytes === 0) return;
    const bytes = joined(this.#gathered, this.#gatheredBytes);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#sentAt = performance.now();
    this.#send(bytes);
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }
}
