/** What a page does for a stateless server beside its calls: listens for changes, and heeds what may be used again. */
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { reason } from '../../base/words.ts';
import { isFresh } from '../../log/protocol/cacheHint.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { messageOf, type Log } from '../../log/log.ts';
import { isFollowed } from '../../log/protocol/task.ts';
import { backoffMs } from '../../base/backoff.ts';
import type { Connection } from './connection.ts';
import type { Trouble } from '../streams/streamsOptions.ts';
import { leftOutTools } from '../protocol/leftOutTools.ts';
import { listenFilter, listsOf, urisOf } from '../protocol/listenFilter.ts';
import { Subscription } from '../protocol/subscription.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export interface StatelessLinkOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly connection: Connection;
  readonly newId: () => string;
  readonly onHealthy: () => void;
  readonly onTrouble: (trouble: Trouble) => void;
  readonly note: (level: 'info' | 'warn', reason: Reason) => void;
  /** The resources whose changes are wanted. */
  readonly subscriptions: () => readonly string[];
  readonly onSubscriptions: (asked: readonly string[], agreed: readonly string[], refusal: Reason) => void;
}

export class StatelessLink {
  readonly #options: StatelessLinkOptions;
  readonly #subscription: Subscription;
  readonly #stopListening: () => void;
  readonly #warned = new Set<string>();
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(options: StatelessLinkOptions) {
    this.#options = options;
    this.#subscription = new Subscription({
      ...options,
      listen: (id, filter, signal) => options.connection.listen(id, filter, signal),
      note: (reason) => options.note('info', reason),
      onAnswer: (filter, honored, refusal) => {
        const [asked, agreed] = [urisOf(filter), urisOf(honored)];
        const names = asked.filter((uri) => !agreed.includes(uri));
        if (asked.length > 0) options.onSubscriptions(asked, agreed, refusal ?? { code: 'not-told', names });
      },
    });
    this.#stopListening = options.log.appended.on((entries) => {
      for (const entry of entries) this.#notice(entry);
    });
    this.listen();
  }

  /** For what is wanted now; a stream that is open for the same is left as it is. */
  listen(): void {
    this.#subscription.want(this.#filter());
  }

  /**
   * The first word with the server after a reload: the lists, where they are stale. What is fresh is used as it is;
   * then nothing has to be asked. @returns whether the server is there, as far as that is known
   */
  async comeBack(refreshLists: () => Promise<void>): Promise<boolean> {
    const { log, clock, connection } = this.#options;
    const stale = listsOf(connection.session.handshake.capabilities).filter(
      (method) => !isFresh(log.head.hints.get(method), clock.now()),
    );
    if (stale.length === 0) return true;
    try {
      await refreshLists();
      return true;
    } catch (error) {
      this.#tryAgain(refreshLists, 1, reason(error));
      return false;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#stopListening();
    this.#subscription.close();
  }

  #tryAgain(refreshLists: () => Promise<void>, attempt: number, text: string): void {
    if (this.#isClosed) return;
    const { clock, onTrouble, onHealthy } = this.#options;
    const delayMs = backoffMs(attempt, 'calm', clock.random());
    onTrouble({
      attempt,
      retryAt: clock.now() + delayMs,
      reason: { code: 'no-answer', how: 'connection', text },
    });
    this.#cancelRetry = clock.after(delayMs, () => {
      refreshLists().then(onHealthy, (error: unknown) =>
        this.#tryAgain(refreshLists, attempt + 1, reason(error)),
      );
    });
  }

  #notice(entry: Entry): void {
    if (entry.kind !== 'received' || entry.method !== undefined) return;
    if (entry.callId !== undefined) this.listen();
    else if (entry.raw.includes('x-mcp-header')) this.#warn(messageOf(entry) ?? {});
  }

  /** A tool that is left out without a word would be looked for in vain. */
  #warn(message: JsonObject): void {
    for (const leftOut of leftOutTools(message)) {
      const key = JSON.stringify(leftOut);
      if (this.#warned.has(key)) continue;
      this.#warned.add(key);
      this.#options.note('warn', leftOut);
    }
  }

  #filter(): JsonObject {
    const { log, connection, subscriptions } = this.#options;
    const tasks = [...log.head.followUps.tasks.values()].filter(
      (task) => task.generation === 'extension' && isFollowed(task),
    );
    const { capabilities } = connection.session.handshake;
    return listenFilter(capabilities, {
      taskIds: connection.requests.tasks === undefined ? [] : tasks.map(({ taskId }) => taskId),
      uris: subscriptions(),
    });
  }
}
