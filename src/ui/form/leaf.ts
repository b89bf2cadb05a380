/** A field of one value: what its schema says of it, how a value stands in it, and whether it may be kept. */
import { numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { isSecretField } from '../../base/secretFields.ts';
import { readChoices } from './choices.ts';
import { choicesNote, MAX_INITIAL_CHARS, noted } from './formLimits.ts';
import { shortText } from '../parts/shortText.ts';
import type { Common, Leaf, LeafKind } from './field.ts';
import { allowsNull } from './schema.ts';

export function leaf(
  kind: LeafKind,
  name: string,
  schema: JsonObject,
  required: boolean,
  start: unknown,
): Leaf {
  const format = stringField(schema, 'format');
  const choices = readChoices(schema) ?? [];
  const printed = start === undefined ? undefined : print(kind, start);
  const isTooLong = printed !== undefined && printed.length > MAX_INITIAL_CHARS;
  // Where there is nothing to choose, it is chosen: a switch is off, and the only choice is made.
  const [only] = choices.length === 1 && required ? choices : [];
  const unset = kind === 'boolean' && required ? 'false' : (only?.json ?? '');
  return {
    ...common(name, isTooLong ? noted(schema, 'Its default is too long to be filled in.') : schema, required),
    kind,
    initial: isTooLong ? unset : (printed ?? unset),
    choices,
    ...pick(schema, 'min', 'minimum'),
    ...pick(schema, 'max', 'maximum'),
    ...pick(schema, 'minLength', 'minLength'),
    ...pick(schema, 'maxLength', 'maxLength'),
    ...(format !== undefined && { format }),
    isSecret: isSecretField(name, schema),
  };
}

/** A value as it stands in a field. */
export function print(kind: LeafKind, value: unknown): string {
  if (value === undefined || (value === null && kind !== 'choice' && kind !== 'json')) return '';
  if (kind === 'text') return typeof value === 'string' ? value : JSON.stringify(value);
  return kind === 'json' ? JSON.stringify(value, undefined, 2) : JSON.stringify(value);
}

/** What a field of any kind says of itself. */
export function common(name: string, schema: JsonObject, required: boolean): Common {
  const note = choicesNote(schema);
  const description = stringField(note === undefined ? schema : noted(schema, note), 'description');
  return {
    name,
    label: shortText(stringField(schema, 'title') ?? name),
    ...(description !== undefined && description !== '' && { description }),
    required,
    nullable: allowsNull(schema),
  };
}

/** Could what is typed for this schema be something that must not be kept? */
export function hasSecrets(schema: unknown): boolean {
  const seen = new Set<unknown>();
  const look = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return false;
    seen.add(value);
    const properties = Object.entries(objectField(value, 'properties') ?? {});
    return (
      properties.some(([name, property]) => isSecretField(name, property)) || Object.values(value).some(look)
    );
  };
  return look(schema);
}

function pick<K extends string>(property: JsonObject, as: K, name: string): Partial<Record<K, number>> {
  const value = numberField(property, name);
  return value === undefined ? {} : ({ [as]: value } as Partial<Record<K, number>>);
}
