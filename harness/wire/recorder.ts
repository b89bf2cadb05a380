/** Keeps what the wire sees, and wakes whoever waits for something on it. */
import type { JsonObject } from '../../src/base/json.ts';
import { kindOf } from './classify.ts';
import type { EndedBy, Interruption, PageLoad, Recording, WireEvent, WireExchange } from './model.ts';

export interface SeenRequest {
  readonly server: string;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly message?: JsonObject | undefined;
}

/** The wait is over without what it waited for. */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout';
}

const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

export class Recorder implements Recording {
  readonly startedAt = Date.now();
  readonly exchanges: WireExchange[] = [];
  readonly interruptions: Interruption[] = [];
  readonly pages: PageLoad[] = [];
  readonly notes: string[] = [];
  readonly #waiting = new Set<() => void>();
  #lastEventAt = 0;
  #isWaking = false;

  now(): number {
    return Math.round(performance.timeOrigin + performance.now() - this.startedAt);
  }

  begin({ server, method, url, requestHeaders, message }: SeenRequest): WireExchange {
    const exchange: WireExchange = {
      index: this.exchanges.length,
      at: this.now(),
      server,
      kind: kindOf(method, requestHeaders, message),
      method,
      url,
      requestHeaders: withoutCredentials(requestHeaders),
      ...(message && { message }),
      page: undefined,
      onLeave: false,
      isForwarded: false,
      status: 0,
      responseHeaders: {},
      events: [],
    };
    this.exchanges.push(exchange);
    this.changed();
    return exchange;
  }

  head(exchange: WireExchange, status: number, headers: Readonly<Record<string, string>>): void {
    exchange.status = status;
    exchange.responseHeaders = withoutCredentials(headers);
    exchange.headAt = this.now();
    this.changed();
  }

  event(exchange: WireExchange, event: Omit<WireEvent, 'at'>): WireEvent {
    const recorded = { at: this.now(), ...event };
    exchange.events.push(recorded);
    this.changed();
    return recorded;
  }

  delivered(event: WireEvent): void {
    event.deliveredAt ??= this.now();
    this.changed();
  }

  end(exchange: WireExchange, by: EndedBy): void {
    if (exchange.end) return;
    exchange.end = { at: this.now(), by };
    this.changed();
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** Something has happened on the wire, so waits go on. */
  changed(): void {
    this.#lastEventAt = this.now();
    if (this.#isWaking) return;
    this.#isWaking = true;
    // Once for all events of one chunk: what is waited for is computed from the whole recording.
    setImmediate(() => {
      this.#isWaking = false;
      for (const wake of [...this.#waiting]) wake();
    });
  }

  /**
   * Resolves with the first value that isn't `undefined`. Gives up when nothing has happened on the wire for so long.
   * What `read` throws ends the wait.
   */
  until<T>(read: () => T | undefined, silenceMs: number, explain: () => string): Promise<T> {
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const startedAt = this.now();
      const stop = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(check);
      };
      const check = (): void => {
        clearTimeout(timer);
        try {
          const value = read();
          if (value !== undefined) {
            stop();
            return resolve(value);
          }
        } catch (error) {
          stop();
          return reject(error instanceof Error ? error : new Error(String(error)));
        }
        const leftMs = Math.max(startedAt, this.#lastEventAt) + silenceMs - this.now();
        if (leftMs > 0) timer = setTimeout(check, leftMs);
        else {
          stop();
          reject(new WaitTimeout(explain()));
        }
      };
      this.#waiting.add(check);
      check();
    });
  }
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name)));
}
