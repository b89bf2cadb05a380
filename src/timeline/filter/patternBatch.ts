/** Texts that wait for the patterns of a filter: the worker is asked about many at once. */
import { err, ok, type Result } from '../../base/result.ts';
import type { Pattern } from '../../limited/matchTexts.ts';
import type { RunLimited } from '../../limited/limitedWorker.ts';

/** Milliseconds of work for an ordinary pattern. */
const BATCH_CHARS = 1_000_000;

export class PatternBatch<T> {
  readonly #patterns: readonly Pattern[];
  readonly #run: RunLimited;
  #items: T[] = [];
  #texts: string[] = [];
  #chars = 0;

  constructor(patterns: readonly Pattern[], run: RunLimited) {
    this.#patterns = patterns;
    this.#run = run;
  }

  get isFull(): boolean {
    return this.#chars >= BATCH_CHARS;
  }

  add(item: T, text: string): void {
    this.#items.push(item);
    this.#texts.push(text);
    this.#chars += text.length;
  }

  /** Those of the items whose texts match; or why they were not searched. */
  async take(): Promise<Result<readonly T[], string>> {
    const [items, texts] = [this.#items, this.#texts];
    [this.#items, this.#texts, this.#chars] = [[], [], 0];
    if (items.length === 0 || this.#patterns.length === 0) return ok(items);
    const matched = await this.#run('matchTexts', { patterns: this.#patterns, texts });
    switch (matched.name) {
      case 'done':
        return ok(items.filter((_, i) => matched.value[i]));
      case 'too-slow':
        return err('Not searched: the pattern takes too long. Change it to search again.');
      case 'failed':
        return err(`Not searched: the pattern can’t be used here (${matched.why}).`);
    }
  }
}
