/** The alternatives of a schema: what they are called, and which of them a value is meant by. */
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { readChoices } from './choices.ts';
import { requiredNames, typesOf } from './schema.ts';

/** Is this value of the kind that the schema describes? By a glance: the whole truth is for the validator. */
export function looksLike(schema: JsonObject, value: unknown): boolean {
  const choices = readChoices(schema);
  if (choices) return choices.some(({ json }) => json === JSON.stringify(value));
  const types = typesOf(schema);
  if (
    types.length > 0 &&
    !types.includes(typeWord(value)) &&
    !(typeWord(value) === 'integer' && types.includes('number'))
  )
    return false;
  if (!isObject(value)) return true;
  const properties = objectField(schema, 'properties') ?? {};
  const isWhole = [...requiredNames(schema)].every((name) => typeof name !== 'string' || name in value);
  return (
    isWhole &&
    Object.entries(value).every(([name, one]) => {
      const property = properties[name];
      if (property === undefined) return schema['additionalProperties'] !== false;
      return (
        !isObject(property) ||
        !('const' in property) ||
        JSON.stringify(property['const']) === JSON.stringify(one)
      );
    })
  );
}

function typeWord(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

export function variantLabel(schema: JsonObject, index: number, all: readonly JsonObject[]): string {
  const title = stringField(schema, 'title');
  if (title !== undefined) return title;
  const named = Object.values(objectField(schema, 'properties') ?? {})
    .map((property) => stringField(property, 'const'))
    .find((text) => text !== undefined);
  if (named !== undefined) return named;
  const type = typesOf(schema)[0];
  const isAlone = all.filter((one) => typesOf(one)[0] === type).length === 1;
  if (type !== undefined && isAlone) return type;
  const names = Object.keys(objectField(schema, 'properties') ?? {});
  if (names.length > 0) return names.slice(0, 3).join(', ');
  return stringField(schema, 'description')?.slice(0, 40) ?? `${type ?? 'option'} ${index + 1}`;
}

export const describesType = (schema: JsonObject) =>
  ['type', 'properties', 'enum', 'const', 'items', 'oneOf', 'anyOf'].some((key) => key in schema);
