/** The server has forgotten the session: a new one is begun, as often as it takes, and what that has cost is said. */
import type { Clock } from '../base/clock.ts';
import { NOTHING_GIVEN_UP } from '../log/givenUp.ts';
import type { Log } from '../log/log.ts';
import type { ReturnCost } from '../log/connectionState.ts';
import type { Reason } from '../log/reason.ts';
import { backoffMs } from './backoff.ts';
import type { Verdict } from './classifyFailure.ts';
import { eraChange } from './eras/eraChange.ts';
import { listChanges, type Lists } from './lists.ts';
import type { Trouble } from './streams/streams.ts';

/** A session that ends sooner than this after its handshake counts as a failed try. */
const SHORT_LIFE_MS = 10_000;
const SHORT_LIVES_BEFORE_GIVING_UP = 5;

export interface RestartsOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly lists: () => Lists;
  readonly refreshLists: () => Promise<void>;
  readonly begin: () => Promise<void>;
  readonly awaitLogin: () => Promise<boolean>;
  readonly lastVerdict: () => Verdict | undefined;
  readonly closeConnection: () => Promise<void>;
  readonly onTrouble: (trouble: Trouble) => void;
  readonly onFailed: (error: unknown) => Promise<void>;
  /** Does the server respond at all, whether or not the page may read it? */
  readonly responds: () => Promise<boolean>;
  /** The server begins sessions and forgets them: a new one would not help. */
  readonly onForgetful: (reason: Reason) => void;
  readonly onDone: (reason: Reason, cost: ReturnCost) => Promise<void>;
}

export class Restarts {
  readonly #o: RestartsOptions;
  #attempts = 0;
  /** Sessions in a row that ended right after their handshake. */
  #shortLives = 0;
  #begunAt = -Infinity;
  #cancelNext: (() => void) | undefined;
  #isBeginning = false;

  constructor(options: RestartsOptions) {
    this.#o = options;
  }

  /** A new session is being begun: that its streams open is not yet news. */
  get isBeginning(): boolean {
    return this.#isBeginning;
  }

  cancel(): void {
    this.#cancelNext?.();
  }

  /** The session is gone: a new one is begun, at once or, if the server forgets them as fast as they are begun, later. */
  async run(reason: Reason): Promise<void> {
    const { clock, onTrouble, onForgetful } = this.#o;
    this.#shortLives = clock.now() - this.#begunAt < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
    if (this.#shortLives >= SHORT_LIVES_BEFORE_GIVING_UP) {
      this.#shortLives = 0;
      onForgetful(reason);
      return;
    }
    if (this.#shortLives === 0) return this.#begin(reason);
    const delayMs = backoffMs(this.#shortLives, 'calm', clock.random());
    onTrouble({ attempt: this.#shortLives + 1, retryAt: clock.now() + delayMs, reason });
    await new Promise<void>((resolve) => {
      this.#cancelNext = clock.after(delayMs, () => void this.#begin(reason).then(resolve));
    });
  }

  /** @param reason why the session is over */
  async #begin(reason: Reason): Promise<void> {
    const { log, clock } = this.#o;
    const before = this.#o.lists();
    const eraBefore = log.head.era;
    try {
      this.#isBeginning = true;
      await this.#o.begin();
      this.#begunAt = clock.now();
    } catch (error) {
      // A login, or the next try, is a beginning of its own: until then no failure may be taken for a part of this one.
      this.#isBeginning = false;
      if (await this.#o.awaitLogin()) return;
      const verdict = this.#o.lastVerdict();
      await this.#o.closeConnection();
      const isBlocked = verdict?.name === 'no-answer' && (await this.#o.responds());
      if (isBlocked || (verdict?.name !== 'no-answer' && verdict?.name !== 'retry')) {
        await this.#o.onFailed(error);
        return;
      }
      this.#attempts += 1;
      const delayMs = backoffMs(this.#attempts, 'calm', clock.random());
      this.#o.onTrouble({
        attempt: this.#attempts,
        retryAt: clock.now() + delayMs,
        reason: verdict.reason,
      });
      this.#cancelNext = clock.after(delayMs, () => void this.#begin(reason));
      return;
    }
    this.#attempts = 0;
    const listsAreRead = await this.#o.refreshLists().then(
      () => true,
      () => false,
    );
    if (!listsAreRead && this.#o.lastVerdict()?.name === 'session-gone') {
      // Until it's closed, the other lists fail too: that isn't the end of one more session.
      await this.#o.closeConnection();
      this.#isBeginning = false;
      return this.run(reason);
    }
    const era = eraChange(eraBefore, log.head.era);
    const changes = listChanges(before, this.#o.lists());
    // From the log: the page before may have given them up.
    const { calls, questions } = log.head.recovery.givenUp ?? NOTHING_GIVEN_UP;
    const done = this.#o.onDone(reason, {
      callsLost: calls.length,
      questionsExpired: questions.length,
      hasLists: listsAreRead,
      ...(era && { era }),
      ...(changes.length > 0 && { changes }),
    });
    this.#isBeginning = false;
    await done;
  }
}
