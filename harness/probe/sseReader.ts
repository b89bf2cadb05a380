/** Reads the events of a response as they come, with the time of each. */
import { createParser } from 'eventsource-parser';
import { isObject, type JsonObject } from '../../src/base/json.ts';

export interface RawEvent {
  readonly at: number;
  readonly id: string | undefined;
  /** Not there in an event that only names a position. */
  readonly message: JsonObject | undefined;
}

export class SseReader {
  readonly response: Response;
  readonly events: RawEvent[] = [];
  /** The first characters of the body, for a report. */
  excerpt = '';
  /** The server has closed the stream, or it broke. */
  ended = false;
  readonly #abort: AbortController;
  readonly #wake = new Set<() => void>();
  readonly #body: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#body = response.body?.getReader();
    void this.#read();
  }

  get isStream(): boolean {
    return this.response.headers.get('content-type')?.includes('text/event-stream') ?? false;
  }

  get messages(): readonly JsonObject[] {
    return this.events.flatMap(({ message }) => (message ? [message] : []));
  }

  /** Resolves when what was read so far satisfies the test, at the end, or after the given time. Says if it does. */
  async until(test: () => boolean, timeoutMs: number): Promise<boolean> {
    const endsAt = Date.now() + timeoutMs;
    while (!test() && !this.ended && Date.now() < endsAt) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(wake, Math.max(0, endsAt - Date.now()));
        const wakers = this.#wake;
        function wake(): void {
          clearTimeout(timer);
          wakers.delete(wake);
          resolve();
        }
        wakers.add(wake);
      });
    }
    return test();
  }

  async close(): Promise<void> {
    this.ended = true;
    // In Node 20 an abort alone can leave a read pending for ever.
    await this.#body?.cancel().catch(() => undefined);
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    const isStream = this.isStream;
    let whole = '';
    const parser = createParser({
      onEvent: ({ id, data }) => this.events.push({ at: Date.now(), id, message: parse(data) }),
    });
    try {
      const decoder = new TextDecoder();
      for (;;) {
        const { done, value } = (await this.#body?.read()) ?? { done: true };
        if (done) break;
        const text = decoder.decode(value, { stream: true });
        if (this.excerpt.length < 2000) this.excerpt += text.slice(0, 2000);
        if (isStream) parser.feed(text);
        else whole += text;
        this.#wakeAll();
      }
      const message = isStream ? undefined : parse(whole);
      if (message) this.events.push({ at: Date.now(), id: undefined, message });
    } catch {
      // A stream that breaks has ended; what was read of it stays.
    } finally {
      this.ended = true;
      this.#wakeAll();
    }
  }

  #wakeAll(): void {
    for (const wake of [...this.#wake]) wake();
  }
}

function parse(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
