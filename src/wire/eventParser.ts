/** Reads whole server-sent events out of bytes, each byte once. */
import { createParser } from 'eventsource-parser';
import type { Frame } from './exchange.ts';

export interface ParsedEvents {
  readonly frames: readonly Frame[];
  /** How long the server wants a page to wait before it reconnects. */
  readonly retryMs?: number;
}

export class EventParser {
  readonly #decoder = new TextDecoder();
  readonly #parser: ReturnType<typeof createParser>;
  #frames: Frame[] = [];
  #retryMs: number | undefined;

  /** @param named events with a name that are read beside the messages, which have none */
  constructor(named?: ReadonlySet<string>) {
    this.#parser = createParser({
      onEvent: ({ id, event, data }) => {
        // The standard's messages carry no event name; a foreign event is not ours to read.
        if (event !== undefined && event !== 'message') {
          if (named?.has(event)) this.#frames.push({ event, data });
          return;
        }
        this.#frames.push(id === undefined ? { data } : { id, data });
      },
      onRetry: (delayMs) => {
        this.#retryMs = delayMs;
      },
    });
  }

  feed(bytes: Uint8Array): ParsedEvents {
    const text = this.#decoder.decode(bytes, { stream: true });
    // After a CR the parser would wait for what follows it. A blank line that is one too many means nothing.
    this.#parser.feed(text.endsWith('\r') ? `${text}\n` : text);
    const [frames, retryMs] = [this.#frames, this.#retryMs];
    this.#frames = [];
    this.#retryMs = undefined;
    return { frames, ...(retryMs !== undefined && { retryMs }) };
  }
}
