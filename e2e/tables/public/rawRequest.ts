/** One HTTP request by `node:http`, on a connection of its own that can be cut: nothing of the harness is between. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { createParser } from 'eventsource-parser';
import { isObject, type JsonObject } from '../../../src/base/json.ts';

export interface RawEvent {
  readonly id: string | undefined;
  readonly message: JsonObject | undefined;
}

export interface RawInit {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly onMessage?: (message: JsonObject) => void;
}

export class RawRequest {
  /** `undefined` before the head of the response. */
  status: number | undefined;
  headers: IncomingHttpHeaders = {};
  readonly events: RawEvent[] = [];
  /** The server has closed the connection, or it broke. */
  ended = false;
  readonly startedAt = Date.now();
  readonly #request;
  readonly #wake = new Set<() => void>();

  constructor(url: string, { method, headers = {}, body, onMessage }: RawInit) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    this.#request = request(url, {
      method,
      agent: false,
      headers: {
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    this.#request.on('response', (response) => {
      this.status = response.statusCode;
      this.headers = response.headers;
      this.#wakeAll();
      let whole = '';
      const parser = createParser({
        onEvent: ({ id, data }) => {
          const message = parse(data);
          this.events.push({ id, message });
          if (message) onMessage?.(message);
        },
      });
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        if (this.isStream) parser.feed(piece);
        else whole += piece;
        this.#wakeAll();
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        const message = this.isStream ? undefined : parse(whole);
        if (message) this.events.push({ id: undefined, message });
        this.#end();
      });
    });
    this.#request.on('error', () => this.#end());
    this.#request.end(text);
  }

  get isStream(): boolean {
    return this.headers['content-type']?.includes('text/event-stream') ?? false;
  }

  get messages(): readonly JsonObject[] {
    return this.events.flatMap(({ message }) => (message ? [message] : []));
  }

  get lastEventId(): string | undefined {
    return this.events.findLast(({ id }) => id !== undefined)?.id;
  }

  responseTo(id: string): JsonObject | undefined {
    return this.messages.find(
      (message) => message['id'] === id && ('result' in message || 'error' in message),
    );
  }

  /** Resolves when the test holds, at the end, or after the given time. Says if it holds. */
  async until(test: () => boolean, withinMs: number): Promise<boolean> {
    const endsAt = Date.now() + withinMs;
    while (!test() && !this.ended && Date.now() < endsAt) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#wake.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, endsAt - Date.now());
        this.#wake.add(wake);
      });
    }
    return test();
  }

  untilHead(withinMs: number): Promise<boolean> {
    return this.until(() => this.status !== undefined, withinMs);
  }

  /** As a page that is gone: the connection is closed, and nothing is said. */
  cut(): void {
    this.#request.destroy();
    this.#end();
  }

  #end(): void {
    this.ended = true;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of [...this.#wake]) wake();
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
