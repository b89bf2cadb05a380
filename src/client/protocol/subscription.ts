/**
 * The one long-lived stream of a stateless server: `subscriptions/listen` (MCP 2026-07-28). It has no memory: what was
 * not heard is gone, so it is opened again whenever it is lost, and after every reload.
 */
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/format.ts';
import type { Entry } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import { messageOf } from '../../log/entry/messageOf.ts';
import { backoffMs } from '../../base/backoff.ts';
import type { EmitLinkEvent } from '../streams/linkEvent.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export interface SubscriptionOptions {
  readonly log: ServerLog;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Sends the request; resolves when its stream is open. */
  readonly listen: (id: string, filter: JsonObject, signal: AbortSignal) => Promise<void>;
  readonly emit: EmitLinkEvent;
  /** The server has said what it will tell of; or, with a reason, that it will not. */
  readonly onAnswer: (filter: JsonObject, honored: JsonObject, refusal?: Reason) => void;
}

interface Listening {
  readonly id: string;
  readonly filter: JsonObject;
  readonly abort: AbortController;
  readonly since: number;
}

/** A stream that lives shorter than this is one more try, however well it began. */
const LASTED_MS = 10_000;

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

export class Subscription {
  readonly #options: SubscriptionOptions;
  readonly #stopListening: () => void;
  #wanted: JsonObject = {};
  #current: Listening | undefined;
  /** Still heard until the next one is acknowledged, so that nothing falls between the two. */
  #previous: Listening | undefined;
  #attempt = 0;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#stopListening = options.log.appended.on(({ others }) => {
      for (const entry of others) this.#notice(entry);
    });
  }

  /** Listens for this, and for nothing else. An empty filter needs no stream. */
  want(filter: JsonObject): void {
    if (JSON.stringify(filter) === JSON.stringify(this.#wanted)) return;
    this.#wanted = filter;
    this.#cancelRetry?.();
    this.#attempt = 0;
    void this.#open();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#cancelRetry?.();
    this.#current?.abort.abort();
    this.#previous?.abort.abort();
  }

  async #open(): Promise<void> {
    this.#previous?.abort.abort();
    this.#previous = this.#current;
    this.#current = undefined;
    if (this.#isClosed || Object.keys(this.#wanted).length === 0) {
      this.#previous?.abort.abort();
      this.#previous = undefined;
      return;
    }
    const listening: Listening = {
      id: this.#options.newId(),
      filter: this.#wanted,
      abort: new AbortController(),
      since: this.#options.clock.now(),
    };
    this.#current = listening;
    try {
      await this.#options.listen(listening.id, listening.filter, listening.abort.signal);
    } catch (error) {
      if (this.#current !== listening) return;
      this.#current = undefined;
      if (isRefusal(error)) this.#giveUp(listening, { code: 'no-stream', text: errorMessage(error) });
      else this.#again({ code: 'no-answer', how: 'connection', text: errorMessage(error) });
    }
  }

  /** The server is there, and says no. */
  #giveUp({ filter }: Listening, refusal: Reason): void {
    this.#current = undefined;
    this.#note(refusal);
    this.#options.onAnswer(filter, {}, refusal);
    this.#options.emit({ kind: 'healthy' });
  }

  #notice(entry: Entry): void {
    const current = this.#current;
    if (!current || !('stream' in entry) || entry.stream !== current.id) return;
    if (entry.kind === 'received' && entry.method === ACKNOWLEDGED) {
      this.#acknowledged(current, messageOf(entry) ?? {});
    } else if (entry.kind === 'received' && entry.method === undefined) {
      const error = objectField(messageOf(entry), 'error');
      const text = stringField(error, 'message');
      if (error) this.#giveUp(current, { code: 'no-stream', ...(text !== undefined && { text }) });
    } else if (entry.kind === 'stream-end') {
      if (this.#options.clock.now() - current.since >= LASTED_MS) this.#attempt = 0;
      this.#current = undefined;
      // A server may end the stream in order, with its answer, or just close it: both are its right.
      this.#again(entry.how === 'broken' ? { code: 'broken' } : undefined);
    }
  }

  #acknowledged({ filter }: Listening, message: JsonObject): void {
    this.#previous?.abort.abort();
    this.#previous = undefined;
    const honored = objectField(objectField(message, 'params'), 'notifications') ?? {};
    const refused = Object.keys(filter).filter((name) => !(name in honored));
    if (refused.length > 0) this.#note({ code: 'not-told', names: refused });
    this.#options.onAnswer(filter, honored);
    this.#options.emit({ kind: 'healthy' });
  }

  #again(trouble: Reason | undefined): void {
    if (this.#isClosed) return;
    const { clock, emit } = this.#options;
    this.#attempt += 1;
    const delayMs = backoffMs(this.#attempt, 'calm', clock.random());
    const retryAt = clock.now() + delayMs;
    if (trouble) emit({ kind: 'trouble', attempt: this.#attempt, retryAt, reason: trouble });
    this.#cancelRetry = clock.after(delayMs, () => void this.#open());
  }

  #note(reason: Reason): void {
    this.#options.log.append({ body: { kind: 'note', level: 'info', reason } });
  }
}

/** An answer with a status, unlike silence, will be the same the next time; one that asks for patience will not. */
function isRefusal(error: unknown): boolean {
  const data = isObject(error) || error instanceof Error ? (error as { data?: unknown }).data : undefined;
  const status = isObject(data) ? data['status'] : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 429;
}
