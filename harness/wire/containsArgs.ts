/** Compares arguments of calls. Pure. */
import { isObject } from '../../src/base/json.ts';

/** Whether every wanted argument is there, with the same value. */
export function containsArgs(
  args: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(wanted).every(([name, value]) => isSame(args[name], value));
}

export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => isSame(one, b[at]));
  if (!isObject(a) || !isObject(b)) return Object.is(a, b);
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(a[name], b[name]));
}
