/** What a page does for a stateless server beside its calls: listens for changes, and heeds what may be used again. */
import { ulid } from '../../base/ulid.ts';
import type { JsonObject } from '../../base/json.ts';
import { errorMessage } from '../../base/format.ts';
import { isFresh } from '../../log/protocol/cacheHint.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { messageOf } from '../../log/entry/messageOf.ts';
import { isFollowed } from '../../log/protocol/task.ts';
import { backoffMs } from '../../base/backoff.ts';
import type { Connection } from './connection.ts';
import type { EmitLinkEvent } from '../streams/linkEvent.ts';
import type { LinkOptions } from './linkOptions.ts';
import { leftOutTools } from '../protocol/leftOutTools.ts';
import { listenFilter, listsOf, urisOf } from '../protocol/listenFilter.ts';
import { Subscription } from '../protocol/subscription.ts';

type StatelessLinkOptions = Pick<LinkOptions, 'log' | 'clock' | 'preferences'>;

export class StatelessLink {
  readonly #options: StatelessLinkOptions;
  readonly #connection: Connection;
  readonly #emit: EmitLinkEvent;
  readonly #subscription: Subscription;
  readonly #stopListening: () => void;
  readonly #warned = new Set<string>();
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(options: StatelessLinkOptions, connection: Connection, emit: EmitLinkEvent) {
    this.#options = options;
    this.#connection = connection;
    this.#emit = emit;
    this.#subscription = new Subscription({
      ...options,
      newId: ulid,
      emit,
      listen: (id, filter, signal) => connection.listen(id, filter, signal),
      onAnswer: (filter, honored, refusal) => {
        const [asked, agreed] = [urisOf(filter), urisOf(honored)];
        const names = asked.filter((uri) => !agreed.includes(uri));
        if (asked.length === 0) return;
        emit({ kind: 'subscribed', asked, agreed, refusal: refusal ?? { code: 'not-told', names } });
      },
    });
    this.#stopListening = options.log.appended.on(({ others }) => {
      for (const entry of others) this.#notice(entry);
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
    const { log, clock } = this.#options;
    const stale = listsOf(this.#connection.session.handshake.capabilities).filter(
      (method) => !isFresh(log.state.hints.get(method), clock.now()),
    );
    if (stale.length === 0) return true;
    try {
      await refreshLists();
      return true;
    } catch (error) {
      this.#tryAgain(refreshLists, 1, errorMessage(error));
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
    const { clock } = this.#options;
    const delayMs = backoffMs(attempt, 'calm', clock.random());
    this.#emit({
      kind: 'trouble',
      attempt,
      retryAt: clock.now() + delayMs,
      reason: { code: 'no-answer', how: 'connection', text },
    });
    this.#cancelRetry = clock.after(delayMs, () => {
      refreshLists().then(
        () => this.#emit({ kind: 'healthy' }),
        (error: unknown) => this.#tryAgain(refreshLists, attempt + 1, errorMessage(error)),
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
      this.#options.log.append({ body: { kind: 'note', level: 'warn', reason: leftOut } });
    }
  }

  #filter(): JsonObject {
    const { log, preferences } = this.#options;
    const tasks = [...log.state.continuations.tasks.values()].filter(
      (task) => task.generation === 'extension' && isFollowed(task),
    );
    const { capabilities } = this.#connection.session.handshake;
    return listenFilter(capabilities, {
      taskIds: this.#connection.driver.tasks === undefined ? [] : tasks.map(({ taskId }) => taskId),
      uris: preferences.value.subscriptions.map(({ uri }) => uri),
    });
  }
}
