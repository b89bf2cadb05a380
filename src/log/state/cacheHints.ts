/** The newest cache hint of each list, as a fold over what was asked and answered. */
import { checkpointMap } from '../../base/checkpointMap.ts';
import { objectField, type JsonObject } from '../../base/json.ts';
import { isCacheable, readHint, stalest, type CacheHint } from '../protocol/cacheHint.ts';
import type { MessageBody } from '../entry/entry.ts';

type Message = MessageBody & { readonly at: number };

/** Word that a list has changed makes what is kept of it stale at once. */
const SPOILS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'notifications/tools/list_changed': ['tools/list'],
    'notifications/resources/list_changed': ['resources/list', 'resources/templates/list'],
    'notifications/prompts/list_changed': ['prompts/list'],
  }),
);

export class CacheHints {
  readonly #hints: Map<string, CacheHint>;
  /** What was asked and is not answered yet: a page that dies takes its questions with it. */
  readonly #asked = new Map<string, { readonly method: string; readonly isFirstPage: boolean }>();

  constructor(hints: readonly CacheHint[] = []) {
    this.#hints = new Map(hints.map((hint) => [hint.method, hint]));
  }

  asked({ method, stream }: Message, message: JsonObject): void {
    // One resource's hint says nothing about another's.
    if (method === undefined || !isCacheable(method) || method === 'resources/read') return;
    const isFirstPage = objectField(message, 'params')?.['cursor'] === undefined;
    this.#asked.set(stream, { method, isFirstPage });
  }

  answered({ stream, method, at }: Message, message: JsonObject): void {
    for (const list of SPOILS.get(method ?? '') ?? []) this.#hints.delete(list);
    const asked = method === undefined ? this.#asked.get(stream) : undefined;
    if (!asked) return;
    this.#asked.delete(stream);
    const hint = readHint(asked.method, message, at);
    if (!hint) return;
    const known = asked.isFirstPage ? undefined : this.#hints.get(asked.method);
    this.#hints.set(asked.method, stalest(known, hint));
  }

  get(method: string): CacheHint | undefined {
    return this.#hints.get(method);
  }

  checkpoint(): () => void {
    const undos = [this.#hints, this.#asked].map(checkpointMap);
    return () => {
      for (const undo of undos) undo();
    };
  }

  snapshot(): readonly CacheHint[] {
    return [...this.#hints.values()];
  }
}
