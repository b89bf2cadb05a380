/** The types that fields of an imported entry can have, each as a test of an unknown value. */
import { isTooDeep } from '../../base/boundedJson.ts';
import { isObject, type JsonObject } from '../../base/json.ts';

export interface FieldType {
  /** What the field should be, in words. */
  readonly name: string;
  /** @returns the value as it is kept, or `undefined` if it is of another type */
  readonly read: (value: unknown) => unknown;
  readonly isOptional?: true;
}

export type Fields = Readonly<Record<string, FieldType>>;

/** ECMAScript, "Time Values and Time Range": no `Date` can show a later or an earlier time. */
const LATEST_MS = 8.64e15;
/** The index of a log keeps numbers of entries in 32 bits. */
const MAX_COUNT = 0xffffffff;

const only = (name: string, passes: (value: unknown) => boolean): FieldType => ({
  name,
  read: (value) => (passes(value) ? value : undefined),
});

export const text = only('a string', (value) => typeof value === 'string');
export const flag = only('a boolean', (value) => typeof value === 'boolean');
export const count = only(
  'a count',
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT,
);
export const number = only('a number', isFinite);
export const integer = only('an integer', (value) => Number.isSafeInteger(value));
export const time = only('a time', (value) => isFinite(value) && Math.abs(value) <= LATEST_MS);
export const durationMs = only('a duration', (value) => isFinite(value) && value >= 0 && value <= LATEST_MS);
export const texts = only(
  'an object of strings',
  (value) => isObject(value) && Object.values(value).every((one) => typeof one === 'string'),
);
/** Any JSON object that can be printed, copied and drawn: one that is nested too deep can't. */
export const json = only('a JSON object', (value) => isObject(value) && !isTooDeep(value));

export const optional = (type: FieldType): FieldType => ({ ...type, isOptional: true });

export const oneOf = (...values: readonly (string | boolean)[]): FieldType =>
  only(`one of ${values.join(', ')}`, (value) => values.some((one) => one === value));

/** An object with these fields; others are left out. */
export const record = (fields: Fields): FieldType => ({
  name: 'an object with its fields',
  read: (value) => {
    const read = isObject(value) ? readFields(value, fields) : undefined;
    return read?.ok ? read.value : undefined;
  },
});

/** A list of such values. */
export const listOf = (type: FieldType): FieldType => ({
  name: `a list of which each item is ${type.name}`,
  read: (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map((item: unknown) => type.read(item));
    return items.includes(undefined) ? undefined : items;
  },
});

/** A member of a union, told apart by its `name`. */
export const union = (members: Readonly<Record<string, Fields>>): FieldType => ({
  name: `one of ${Object.keys(members).join(', ')} with its fields`,
  read: (value) => {
    const name = isObject(value) ? value['name'] : undefined;
    if (!isObject(value) || typeof name !== 'string' || !Object.hasOwn(members, name)) return undefined;
    const read = readFields(value, members[name] ?? {});
    return read.ok ? { name, ...read.value } : undefined;
  },
});

export type ReadFields =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly error: string };

/** The known fields of an object. Fields that are not known are left out. */
export function readFields(value: JsonObject, fields: Fields): ReadFields {
  const known: JsonObject = {};
  for (const [name, type] of Object.entries(fields)) {
    if (type.isOptional && !Object.hasOwn(value, name)) continue;
    const read = Object.hasOwn(value, name) ? type.read(value[name]) : undefined;
    if (read === undefined) return { ok: false, error: `“${name}” is missing or isn’t ${type.name}` };
    known[name] = read;
  }
  return { ok: true, value: known };
}

function isFinite(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
