/** How long an answer may be used again (MCP 2026-07-28, caching): `ttlMs` and `cacheScope`. */
import { isObject, type JsonObject } from '../../base/json.ts';

export interface CacheHint {
  readonly method: string;
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
  /** When the answer came. */
  readonly at: number;
}

/** The list is closed: no other answer may be used twice. */
const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
]);

export function isCacheable(method: string): boolean {
  return CACHEABLE.has(method);
}

/** An answer without a hint may not be used again: it counts as stale at once. */
export function readHint(method: string, message: JsonObject, at: number): CacheHint | undefined {
  const result = message['result'];
  if (!isObject(result)) return undefined;
  const { ttlMs, cacheScope } = result;
  const isValid = typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs >= 0;
  return {
    method,
    ttlMs: isValid ? ttlMs : 0,
    scope: cacheScope === 'public' ? 'public' : 'private',
    at,
  };
}

export function isFresh(hint: CacheHint | undefined, now: number): boolean {
  return hint !== undefined && now < hint.at + hint.ttlMs;
}

/** The pages of one list are as fresh as the stalest of them. */
export function stalest(known: CacheHint | undefined, next: CacheHint): CacheHint {
  if (!known) return next;
  return next.at + next.ttlMs < known.at + known.ttlMs ? next : known;
}
