/** JSONPath as far as one value needs it: `$.content[0].text`, `$['a b']`. Pure. */
import { isObject } from '../../src/base/json.ts';

const STEP = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** `undefined` for a text that isn't such a path. */
export function parsePath(text: string): readonly string[] | undefined {
  if (!text.startsWith('$')) return undefined;
  const steps: string[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < text.length) {
    const [, name, index, single, double] = STEP.exec(text) ?? [];
    const step = name ?? index ?? (single ?? double)?.replace(/\\(.)/g, '$1');
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

/** `undefined` where there is nothing, as JSON has no such value. */
export function valueAt(value: unknown, steps: readonly string[]): unknown {
  let found: unknown = value;
  for (const step of steps) {
    if (Array.isArray(found)) found = /^\d+$/.test(step) ? found[Number(step)] : undefined;
    else found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

/** The same value without what is at these paths. */
export function withoutPaths(value: unknown, paths: readonly (readonly string[])[]): unknown {
  const copy = structuredClone(value);
  for (const steps of paths) {
    const parent = valueAt(copy, steps.slice(0, -1));
    const last = steps.at(-1);
    if (last === undefined) continue;
    // An element keeps its place, so that the others keep theirs.
    if (Array.isArray(parent)) parent[Number(last)] = null;
    else if (isObject(parent)) Reflect.deleteProperty(parent, last);
  }
  return copy;
}
