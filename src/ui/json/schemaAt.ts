/** What a schema says of a place within a value: for completion. */
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { readChoices } from '../form/choices.ts';
import {
  allowsNull,
  alternativesOf,
  requiredNames,
  resolveSchema,
  rootOf,
  typesOf,
  type Root,
} from '../form/schema.ts';

export interface NameHint {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  /** What may stand there to begin with, as JSON. */
  readonly stub: string;
}

export interface ValueHint {
  readonly json: string;
  readonly detail?: string;
}

type Path = readonly (string | number)[];

/** More than these are not looked through while somebody types. */
const MAX_HINTS = 500;

/** Every schema that may hold at a place, each alternative by itself. */
function schemasAt(root: Root, path: Path): readonly JsonObject[] {
  let here = alternatives(root.schema, root, 0);
  for (const part of path) {
    here = here.flatMap((one) => inner(one, part).flatMap((raw) => alternatives(raw, root, 0)));
  }
  return here;
}

export function namesAt(schema: unknown, path: Path): readonly NameHint[] {
  const hints = new Map<string, NameHint>();
  const root = rootOf(schema);
  for (const one of schemasAt(root, path)) {
    const required = requiredNames(one);
    for (const [name, raw] of Object.entries(objectField(one, 'properties') ?? {})) {
      if (hints.size >= MAX_HINTS) break;
      const property = resolveSchema(raw, root) ?? {};
      const description = stringField(property, 'description');
      hints.set(name, {
        name,
        type: typesOf(property).join(' | '),
        required: required.has(name),
        ...(description !== undefined && { description }),
        stub: stubOf(property, root),
      });
    }
  }
  return [...hints.values()];
}

export function valuesAt(schema: unknown, path: Path): readonly ValueHint[] {
  const hints = new Map<string, ValueHint>();
  const add = (value: unknown, detail?: string) => {
    const json = JSON.stringify(value) ?? 'null';
    if (!hints.has(json)) hints.set(json, { json, ...(detail !== undefined && { detail }) });
  };
  for (const one of schemasAt(rootOf(schema), path)) {
    if ('default' in one) add(one['default'], 'default');
    for (const { json, label } of readChoices(one) ?? []) {
      const value: unknown = JSON.parse(json);
      add(value, label === value ? undefined : label);
    }
    const { examples } = one;
    if (Array.isArray(examples)) for (const example of examples.slice(0, MAX_HINTS)) add(example, 'example');
    const types = typesOf(one);
    if (types.includes('boolean')) [true, false].forEach((value) => add(value));
    if (types.includes('object')) add({}, 'object');
    if (types.includes('array')) add([], 'list');
    if (allowsNull(one)) add(null);
  }
  return [...hints.values()];
}

function alternatives(raw: unknown, root: Root, depth: number): readonly JsonObject[] {
  const schema = resolveSchema(raw, root);
  if (!schema || depth > 8) return [];
  const choice = alternativesOf(schema, root);
  const others = (choice?.alternatives ?? []).flatMap((one) => alternatives(one, root, depth + 1));
  return [schema, ...others, ...(choice?.hasNull === true ? [{ type: 'null' }] : [])];
}

function inner(schema: JsonObject, part: string | number): readonly unknown[] {
  if (typeof part === 'string') {
    const named = objectField(schema, 'properties')?.[part];
    const other = schema['additionalProperties'];
    return named !== undefined ? [named] : isObject(other) ? [other] : [];
  }
  const { items } = schema;
  const fixed = schema['prefixItems'] ?? (Array.isArray(items) ? items : undefined);
  const one = Array.isArray(fixed) ? fixed[part] : undefined;
  if (one !== undefined) return [one];
  return items === undefined || Array.isArray(items) ? [] : [items];
}

function stubOf(property: JsonObject, root: Root): string {
  if ('default' in property) return JSON.stringify(property['default']);
  const [first] = readChoices(property) ?? [];
  if (first) return first.json;
  const [one = property] = alternativesOf(property, root)?.alternatives ?? [];
  switch (typesOf(one)[0]) {
    case 'string':
      return '""';
    case 'object':
      return '{}';
    case 'array':
      return '[]';
    case 'boolean':
      return 'false';
    default:
      return '';
  }
}
