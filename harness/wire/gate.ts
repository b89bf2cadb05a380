/** What goes from one response to the page: passed on at once, held back, delayed or cut. */
import type { ServerResponse } from 'node:http';
import type { Recorder } from './recorder.ts';
import type { WireEvent, WireExchange } from './model.ts';

interface Piece {
  readonly text: string | Buffer;
  readonly event?: WireEvent | undefined;
}

const PART_OF_EVENT = 'data: {"jsonrpc":"2.0","me';

export class Gate {
  readonly exchange: WireExchange;
  readonly #response: ServerResponse;
  readonly #recorder: Recorder;
  readonly #held: Piece[] = [];
  #isHeld = false;
  #isAbandoned = false;
  #hasEnded = false;
  #messages = 0;
  #delayMs = 0;
  #cutAfter: { readonly messages: number; readonly hit: () => void } | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(exchange: WireExchange, response: ServerResponse, recorder: Recorder) {
    this.exchange = exchange;
    this.#response = response;
    this.#recorder = recorder;
  }

  get isStream(): boolean {
    return this.exchange.responseHeaders['content-type']?.includes('text/event-stream') ?? false;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Each event comes so much later. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Resets the connection in the middle of the event that follows so many messages. */
  cutAfter(messages: number, hit: () => void): void {
    this.#cutAfter = { messages, hit };
  }

  hold(): void {
    this.#isHeld = true;
  }

  /** Passes on what was held back. */
  release(): void {
    this.#isHeld = false;
    if (this.#isAbandoned) return;
    for (const piece of this.#held.splice(0)) this.#send(piece);
    if (this.#hasEnded) this.#finish();
  }

  /** Its page is leaving: it gets nothing more. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  write(piece: Piece): void {
    if (this.#isHeld || this.#isAbandoned) this.#held.push(piece);
    else this.#send(piece);
  }

  /** The server has ended its response. */
  end(): void {
    this.#hasEnded = true;
    if (this.#isAbandoned) return;
    // A page whose stream ends asks for the rest. So messages can be counted on, while none reaches the page.
    const mayResume =
      this.isStream &&
      this.#held.every(({ event }) => event?.message?.['method'] !== undefined || !event?.message);
    if (!this.#isHeld || mayResume) this.#finish();
  }

  /** Resets the connection, in the middle of an event. */
  cut(): void {
    if (!this.isOpen) return;
    this.#recorder.end(this.exchange, 'wire');
    const reset = (): void => void this.#response.socket?.resetAndDestroy();
    // The head must be out, or browsers repeat the request by themselves.
    if (this.isStream && this.#response.headersSent) this.#response.write(PART_OF_EVENT, reset);
    else reset();
  }

  #finish(): void {
    void this.#queue.then(() => this.#response.end());
  }

  #send(piece: Piece): void {
    if (this.#delayMs === 0) return this.#pass(piece);
    const delayMs = this.#delayMs;
    this.#queue = this.#queue
      .then(() => new Promise((resolve) => setTimeout(resolve, delayMs)))
      .then(() => this.#pass(piece));
  }

  #pass({ text, event }: Piece): void {
    if (!this.isOpen || this.exchange.end?.by === 'wire') return;
    if (this.#cutAfter && event?.message && this.#messages >= this.#cutAfter.messages) {
      this.#cutAfter.hit();
      return this.cut();
    }
    this.#response.write(text);
    if (event?.message) this.#messages += 1;
    if (event) this.#recorder.delivered(event);
  }
}
