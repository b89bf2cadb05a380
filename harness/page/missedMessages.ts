/** What a server goes on to send on the streams of a page that has gone, read off the wire. */
import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { isObject, type JsonObject } from '../../src/base/json.ts';

export interface MissedMessage {
  /** Of its SSE event, where it had one. */
  readonly eventId: string | undefined;
  readonly isResponse: boolean;
}

/** The end of a page's connections is seen a little after the page has gone. */
const NOTICED_WITHIN_MS = 1500;

/** `ended`: the server closed every stream of a call before there was enough to see. */
export type Sight = 'enough' | 'ended' | 'late';

export class MissedMessages {
  readonly list: MissedMessage[] = [];
  readonly #release = new Set<() => void>();
  readonly #wake = new Set<() => void>();
  readonly released: Promise<void>;
  #openCalls = 0;
  #hasHeldCall = false;
  #isReleased = false;
  #sayReleased = (): void => undefined;

  constructor() {
    this.released = new Promise((resolve) => (this.#sayReleased = resolve));
  }

  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** A request whose page has gone. The returned function says that it's over. */
  hold(isCall: boolean, release: () => void): () => void {
    this.#release.add(release);
    if (isCall) this.#openCalls += 1;
    this.#hasHeldCall ||= isCall;
    return () => {
      if (!this.#release.delete(release)) return;
      if (isCall) this.#openCalls -= 1;
      this.#wakeAll();
    };
  }

  /** Resolves when so many messages were sent, or so many calls have their response. */
  async until(wanted: { messages: number; responses: number }, timeoutMs: number): Promise<Sight> {
    const endsAt = Date.now() + timeoutMs;
    const noticedBy = Math.min(endsAt, Date.now() + NOTICED_WITHIN_MS);
    for (;;) {
      const responses = this.list.filter(({ isResponse }) => isResponse).length;
      if (this.list.length >= wanted.messages || responses >= wanted.responses) return 'enough';
      const isNoticed = this.#hasHeldCall || Date.now() >= noticedBy;
      if (isNoticed && this.#openCalls === 0) return 'ended';
      const leftMs = (isNoticed ? endsAt : noticedBy) - Date.now();
      if (isNoticed && leftMs <= 0) return 'late';
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, leftMs));
        this.#wake.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Closes the streams: only now the server can see that the page has gone. */
  release(): void {
    this.#isReleased = true;
    for (const release of [...this.#release]) release();
    this.#sayReleased();
  }

  add(eventId: string | undefined, message: JsonObject | undefined): void {
    if (!message) return;
    // A request such as a ping is sent again by nobody, and belongs to no call.
    if (typeof message['method'] === 'string' && 'id' in message) return;
    this.list.push({ eventId, isResponse: message['method'] === undefined });
    this.#wakeAll();
  }

  #wakeAll(): void {
    const waiting = [...this.#wake];
    this.#wake.clear();
    for (const wake of waiting) wake();
  }
}

/** Follows the events of a response from its first byte on, as an event may begin while the page is still there. */
export function followEvents(
  answer: IncomingMessage,
  hear: (eventId: string | undefined, message: JsonObject | undefined) => void,
): void {
  if (answer.headers['content-encoding'] !== undefined) return;
  const type = answer.headers['content-type'] ?? '';
  const decoder = new TextDecoder();
  if (type.includes('text/event-stream')) {
    const parser = createParser({
      onEvent: ({ id, data }) => hear(id, parse(data)),
    });
    answer.on('data', (chunk: Buffer) => parser.feed(decoder.decode(chunk, { stream: true })));
  } else if (type.includes('application/json')) {
    let whole = '';
    answer.on('data', (chunk: Buffer) => (whole += decoder.decode(chunk, { stream: true })));
    answer.on('end', () => hear(undefined, parse(whole)));
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
