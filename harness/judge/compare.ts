/** Compares an interrupted call with one that was left alone: what is missing, and what came in the wrong order. Pure. */
import { isObject, numberField, objectField } from '../../src/base/json.ts';
import { fingerprint } from './fingerprint.ts';

export interface Received {
  /** Order is promised within a stream only. */
  readonly stream: string;
  readonly message: object;
}

export interface Comparison {
  readonly lost: number;
  readonly outOfOrder: number;
  /** Messages of the control call that did not come, by their place in it. */
  readonly missing: readonly number[];
  /** The first message that came too late, and one that overtook it. */
  readonly overtaken?: { readonly late: object; readonly by: object };
}

/** Do two undisturbed calls say the same? Then a message that is missing in a third can be named. */
export function isRepeatable(one: readonly object[], other: readonly object[]): boolean {
  const a = one.map(fingerprint).sort();
  const b = other.map(fingerprint).sort();
  return a.length === b.length && a.every((print, at) => print === b[at]);
}

export function compareWithControl(control: readonly Received[], test: readonly Received[]): Comparison {
  const places = new Map<string, number[]>();
  control.forEach(({ message }, place) => {
    const print = fingerprint(message);
    places.set(print, [...(places.get(print) ?? []), place]);
  });
  const found = new Set<number>();
  const furthest = new Map<string, number>();
  let outOfOrder = 0;
  let overtaken: Comparison['overtaken'];
  for (const { stream, message } of test) {
    const place = places.get(fingerprint(message))?.shift();
    if (place === undefined) continue;
    found.add(place);
    // In the control call, messages of two streams have no order between them.
    const origin = stream === 'standalone' ? 'standalone' : 'call';
    const ahead = furthest.get(origin) ?? -1;
    if (place < ahead) {
      outOfOrder += 1;
      overtaken ??= { late: message, by: control[ahead]?.message ?? {} };
    }
    furthest.set(origin, Math.max(place, furthest.get(origin) ?? -1));
  }
  const missing = control.map((_, place) => place).filter((place) => !found.has(place));
  return { lost: missing.length, outOfOrder, missing, ...(overtaken && { overtaken }) };
}

/** For a tool that says something else each time: numbered progress can still have gaps, or go backwards. */
export function checkNumbers(test: readonly Received[]): Comparison {
  const numbers = test.flatMap(({ message }) => progressOf(message) ?? []);
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0));
  const outOfOrder = steps.filter((step) => step < 0).length;
  const forward = steps.filter((step) => step > 0);
  const step = forward.length > 0 ? Math.min(...forward) : 0;
  // Only evenly spaced numbers tell of a gap: a percentage may jump as it likes.
  const isEven = step > 0 && forward.every((one) => Math.abs(one / step - Math.round(one / step)) < 1e-6);
  const lost = isEven ? forward.reduce((sum, one) => sum + Math.round(one / step) - 1, 0) : 0;
  return { lost, outOfOrder, missing: [] };
}

export function progressOf(message: object): number | undefined {
  if (!isObject(message) || message['method'] !== 'notifications/progress') return undefined;
  return numberField(objectField(message, 'params'), 'progress');
}
