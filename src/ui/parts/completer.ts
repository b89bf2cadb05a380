/** Completions while somebody types: asked for when the typing rests, and only the newest answer counts. */
import type { Clock } from '../../base/clock.ts';
import { isObject, numberField, objectField } from '../../base/json.ts';

export interface Completions {
  readonly values: readonly string[];
  /** How many there are in all, where the server says so. */
  readonly total?: number;
  readonly hasMore: boolean;
}

export const NO_COMPLETIONS: Completions = { values: [], hasMore: false };

const REST_MS = 200;
/** MCP 2025-11-25, "Completion": at most 100 values. */
const MAX_VALUES = 100;

export class Completer {
  readonly #clock: Clock;
  readonly #ask: (value: string) => Promise<unknown>;
  readonly #show: (completions: Completions) => void;
  #cancelTimer: (() => void) | undefined;
  /** Answers to older questions than this one are stale. */
  #newest = 0;

  constructor(
    clock: Clock,
    ask: (value: string) => Promise<unknown>,
    show: (completions: Completions) => void,
  ) {
    this.#clock = clock;
    this.#ask = ask;
    this.#show = show;
  }

  typed(value: string, restMs = REST_MS): void {
    this.stop();
    const mine = this.#newest;
    this.#cancelTimer = this.#clock.after(restMs, () => {
      this.#ask(value).then(
        (answer) => {
          if (mine === this.#newest) this.#show(readCompletions(answer));
        },
        // A server that cannot complete is one without completions: typing goes on.
        () => {
          if (mine === this.#newest) this.#show(NO_COMPLETIONS);
        },
      );
    });
  }

  /** Whatever is still under way is not wanted any more. */
  stop(): void {
    this.#newest += 1;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

function readCompletions(answer: unknown): Completions {
  const completion = objectField(answer, 'completion');
  const values = completion?.['values'];
  const total = numberField(completion, 'total');
  return {
    values: (Array.isArray(values) ? values : [])
      .filter((value): value is string => typeof value === 'string')
      .slice(0, MAX_VALUES),
    ...(total !== undefined && { total }),
    hasMore: isObject(completion) && completion['hasMore'] === true,
  };
}
