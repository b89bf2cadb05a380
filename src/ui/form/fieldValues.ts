/** From what was typed to a value, and back. */
import { assertNever } from '../../base/assertNever.ts';
import { isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { errorMessage } from '../../base/format.ts';
import type { Field, Leaf, ListField, MapField } from './field.ts';
import { MAX_FIELDS, TOO_LONG } from './formLimits.ts';
import { print } from './leaf.ts';
import { childPath, markPath, variantPath, type Texts } from './paths.ts';

/** What reading found out on its way. */
export interface Reading {
  readonly texts: Texts;
  /** By path. */
  readonly problems: Record<string, string>;
  /** Where in the form a place of the value is: its JSON Pointer, and the path. */
  readonly places: Map<string, string>;
}

const REQUIRED = 'Required.';

/** A value, or undefined where there is none. Where something is wrong, what was typed stands for it. */
function readValue(field: Field, path: string, pointer: string, reading: Reading): unknown {
  const { texts, places } = reading;
  places.set(pointer, path);
  if (field.nullable && texts[markPath(path, 'null')] === 'true') return null;
  switch (field.kind) {
    case 'object':
      if (!isGiven(field, path, texts)) return undefined;
      return readMembers(field.fields(), path, pointer, reading);
    case 'list': {
      const count = countOf(field, path, texts);
      if (count === 0 && !field.required) return undefined;
      return Array.from({ length: count }, (_, i) =>
        readValue(field.item(i), childPath(path, i), `${pointer}/${i}`, reading),
      ).map((value) => value ?? null);
    }
    case 'map':
      return readEntries(field, path, pointer, reading);
    case 'variants': {
      const chosen = chosenVariant(field, path, texts);
      const variant = chosen === undefined ? undefined : field.variants[chosen];
      if (chosen === undefined || !variant) {
        if (field.required) reading.problems[path] = REQUIRED;
        return undefined;
      }
      return readValue(variant.field(), variantPath(path, chosen), pointer, reading);
    }
    default:
      return readLeaf(field, path, reading);
  }
}

export function readMembers(
  fields: readonly Field[],
  path: string,
  pointer: string,
  reading: Reading,
): Record<string, unknown> {
  const members: [string, unknown][] = [];
  for (const field of fields) {
    if (field.isSpread) {
      const value = readValue(field, childPath(path, spreadName(field)), pointer, reading);
      if (isObject(value)) members.push(...Object.entries(value));
      continue;
    }
    const value = readValue(field, childPath(path, field.name), `${pointer}/${escape(field.name)}`, reading);
    if (value !== undefined) members.push([field.name, value]);
  }
  reading.places.set(pointer, path);
  return Object.fromEntries(members);
}

/** The texts of a value, as they would have been typed; or why it cannot be. */
function printValue(
  field: Field,
  path: string,
  value: unknown,
  texts: Record<string, string>,
): Result<true, string> {
  if (value === null && field.nullable) texts[markPath(path, 'null')] = 'true';
  const given = value === null && field.nullable ? undefined : value;
  switch (field.kind) {
    case 'object':
      texts[markPath(path, 'set')] = String(given !== undefined);
      if (given !== undefined && !isObject(given)) return err(`“${field.name}” must be an object.`);
      return given === undefined ? ok(true) : printMembers(field.fields(), path, given, texts);
    case 'list':
      if (given !== undefined && !Array.isArray(given)) return err(`“${field.name}” must be a list.`);
      return printItems(field, path, (given as readonly unknown[] | undefined) ?? [], texts);
    case 'map':
      if (given !== undefined && !isObject(given)) return err(`“${field.label}” must be an object.`);
      return printEntries(field, path, Object.entries(given ?? {}), texts);
    case 'variants': {
      const index = given === undefined ? -1 : field.variants.findIndex(({ fits }) => fits(given));
      texts[markPath(path, 'variant')] = index < 0 ? '' : String(index);
      const variant = field.variants[index];
      if (variant) return printValue(variant.field(), variantPath(path, index), given, texts);
      return given === undefined
        ? ok(true)
        : err(`“${field.name || field.label}” matches none of the options in the schema.`);
    }
    default:
      texts[path] = print(field.kind, given);
      return ok(true);
  }
}

export function printMembers(
  fields: readonly Field[],
  path: string,
  value: Record<string, unknown>,
  texts: Record<string, string>,
): Result<true, string> {
  const named = fields.filter(({ isSpread }) => !isSpread);
  const names = new Set(named.map(({ name }) => name));
  const others = Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
  const spread = fields.filter(({ isSpread }) => isSpread);
  const strange = Object.keys(others);
  if (spread.length === 0 && strange.length > 0) return err(`Not in the schema: ${strange.join(', ')}.`);
  for (const field of named) {
    const printed = printValue(field, childPath(path, field.name), value[field.name], texts);
    if (!printed.ok) return printed;
  }
  for (const field of spread) {
    const printed = printValue(field, childPath(path, spreadName(field)), others, texts);
    if (!printed.ok) return printed;
  }
  return ok(true);
}

export function isGiven(field: Field & { kind: 'object' }, path: string, texts: Texts): boolean {
  return field.required || (texts[markPath(path, 'set')] ?? String(field.isSetInitially)) === 'true';
}

export function countOf(field: ListField, path: string, texts: Texts): number {
  return Number(texts[markPath(path, 'count')] ?? field.initialCount);
}

export function keysOf(field: MapField, path: string, texts: Texts): readonly string[] {
  const count = Number(texts[markPath(path, 'count')] ?? field.initialKeys.length);
  return Array.from(
    { length: count },
    (_, i) => texts[markPath(childPath(path, i), 'key')] ?? field.initialKeys[i] ?? '',
  );
}

export function chosenVariant(
  field: Field & { kind: 'variants' },
  path: string,
  texts: Texts,
): number | undefined {
  const text = texts[markPath(path, 'variant')];
  if (text === undefined) return field.initialVariant;
  return text === '' ? undefined : Number(text);
}

export function textOf(field: Leaf, path: string, texts: Texts): string {
  return texts[path] ?? field.initial;
}

/** The place of a field that has no name of its own. */
export function spreadName(field: Field): string {
  return `*${field.kind}`;
}

function readEntries(field: MapField, path: string, pointer: string, reading: Reading): unknown {
  const keys = keysOf(field, path, reading.texts);
  if (keys.length === 0 && !field.required) return undefined;
  const entries = keys.map((key, i) => {
    const at = childPath(path, i);
    if (key === '') reading.problems[markPath(at, 'key')] = 'Enter a name.';
    else if (keys.indexOf(key) < i) reading.problems[markPath(at, 'key')] = 'This name is already used.';
    const value = readValue(field.value(i), at, `${pointer}/${escape(key)}`, reading);
    return [key, value ?? null] as const;
  });
  return Object.fromEntries(entries);
}

function printItems(
  field: ListField,
  path: string,
  items: readonly unknown[],
  texts: Record<string, string>,
): Result<true, string> {
  if (items.length > MAX_FIELDS) return err(TOO_LONG);
  texts[markPath(path, 'count')] = String(items.length);
  for (const [i, item] of items.entries()) {
    const printed = printValue(field.item(i), childPath(path, i), item, texts);
    if (!printed.ok) return printed;
  }
  return ok(true);
}

function printEntries(
  field: MapField,
  path: string,
  entries: readonly (readonly [string, unknown])[],
  texts: Record<string, string>,
): Result<true, string> {
  if (entries.length > MAX_FIELDS) return err(TOO_LONG);
  texts[markPath(path, 'count')] = String(entries.length);
  for (const [i, [key, value]] of entries.entries()) {
    texts[markPath(childPath(path, i), 'key')] = key;
    const printed = printValue(field.value(i), childPath(path, i), value, texts);
    if (!printed.ok) return printed;
  }
  return ok(true);
}

function readLeaf(field: Leaf, path: string, { texts, problems }: Reading): unknown {
  const text = textOf(field, path, texts);
  if (text === '') {
    if (!field.required) return undefined;
    if (field.nullable) return null;
    if (field.kind === 'set' && (field.min ?? 0) === 0) return [];
    problems[path] = REQUIRED;
    return undefined;
  }
  const read = parseLeaf(field, text);
  if (read.ok) return read.value;
  problems[path] = read.error;
  return text;
}

function parseLeaf(field: Leaf, text: string): Result<unknown, string> {
  switch (field.kind) {
    case 'text':
      return readText(field, text);
    case 'boolean':
      return ok(text === 'true');
    case 'choice':
    case 'set':
    case 'json':
      return parseJson(text);
    case 'number':
    case 'integer':
      return readNumber(field, text);
    default:
      return assertNever(field.kind);
  }
}

function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text) as unknown);
  } catch (error) {
    return err(`Invalid JSON: ${errorMessage(error)}`);
  }
}

function readText({ minLength, maxLength }: Leaf, text: string): Result<string, string> {
  if (minLength !== undefined && text.length < minLength) return err(`At least ${minLength} characters.`);
  if (maxLength !== undefined && text.length > maxLength) return err(`At most ${maxLength} characters.`);
  return ok(text);
}

function readNumber({ kind, min, max }: Leaf, text: string): Result<number, string> {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return err(`Enter a number.`);
  if (kind === 'integer' && !Number.isInteger(value)) return err('Enter a whole number.');
  if (min !== undefined && value < min) return err(`At least ${min}.`);
  if (max !== undefined && value > max) return err(`At most ${max}.`);
  return ok(value);
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
