/** What stands in the place of a secret in the log, in exports and on the screen. */
import { isObject } from './json.ts';

export const HIDDEN = '‹redacted›';

/** Was a secret hidden anywhere in this value? Then it can't be sent: the secret itself isn't there. */
export function holdsHidden(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(HIDDEN);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsHidden);
}

/** Throws, in words, for what must be typed again before it can be sent. */
export function requireNothingHidden(value: object): void {
  const names = Object.entries(value).flatMap(([name, member]) => (holdsHidden(member) ? [`“${name}”`] : []));
  if (names.length === 0) return;
  throw new Error(`Reprise doesn’t store secret values. Enter ${names.join(' and ')} again.`);
}

/** The value without members whose text was hidden: they are to be typed again. */
export function withoutHidden<T>(value: T): T {
  if (Array.isArray(value)) return value.filter((item) => !isHidden(item)).map(withoutHidden) as T;
  if (!isObject(value)) return value;
  const left = Object.entries(value).filter(([, member]) => !isHidden(member));
  return Object.fromEntries(left.map(([name, member]) => [name, withoutHidden(member)])) as T;
}

function isHidden(value: unknown): boolean {
  return typeof value === 'string' && value.includes(HIDDEN);
}
