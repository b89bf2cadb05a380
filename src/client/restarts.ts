/** The server has forgotten the session: a new one is begun, as often as it takes, and what that has cost is said. */
import type { Clock } from '../base/clock.ts';
import { count } from '../base/words.ts';
import type { Log } from '../log/log.ts';
import { backoffMs } from './backoff.ts';
import type { Verdict } from './classifyFailure.ts';
import { describeEraChange } from './eras/eraWords.ts';
import { describeChanges, type Lists } from './lists.ts';
import type { Trouble } from './streams/streams.ts';

/** What is given up before the new session is begun. */
export interface Cost {
  readonly lost: number;
  readonly expired: number;
  /** What happened, to begin the sentence with. */
  readonly what: string;
}

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
  readonly onDone: (note: string) => Promise<void>;
}

export class Restarts {
  readonly #o: RestartsOptions;
  #attempts = 0;
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

  async run(cost: Cost): Promise<void> {
    const { log, clock } = this.#o;
    const before = this.#o.lists();
    const eraBefore = log.head.era;
    try {
      this.#isBeginning = true;
      await this.#o.begin();
    } catch (error) {
      // A login, or the next try, is a beginning of its own: until then no failure may be taken for a part of this one.
      this.#isBeginning = false;
      if (await this.#o.awaitLogin()) return;
      const verdict = this.#o.lastVerdict();
      await this.#o.closeConnection();
      if (verdict?.name !== 'no-answer' && verdict?.name !== 'retry') {
        await this.#o.onFailed(error);
        return;
      }
      this.#attempts += 1;
      const delayMs = backoffMs(this.#attempts, 'calm', clock.random());
      this.#o.onTrouble({ attempt: this.#attempts, retryAt: clock.now() + delayMs, why: verdict.why });
      this.#cancelNext = clock.after(delayMs, () => void this.run(cost));
      return;
    }
    this.#attempts = 0;
    await this.#o.refreshLists().catch(() => undefined);
    const what = describeEraChange(eraBefore, log.head.era) ?? cost.what;
    const changes = describeChanges(before, this.#o.lists());
    const done = this.#o.onDone(`${what}: ${costWords(cost)}.${changes === '' ? '' : ` ${changes}`}`);
    this.#isBeginning = false;
    await done;
  }
}

function costWords({ lost, expired }: Cost): string {
  return [
    ...(lost > 0 ? [`${count(lost, 'call')} lost`] : []),
    ...(expired > 0 ? [`${count(expired, 'question')} expired`] : []),
    'lists refreshed',
  ].join(', ');
}
