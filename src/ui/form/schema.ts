/** A JSON Schema with its references followed and its parts put together, as far as a form needs it. */
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { MAX_CHOICES } from './formLimits.ts';

/** How far references to references are followed: generators nest two or three. */
const MAX_REFS = 16;

/** References and `allOf` multiply without being a loop: beyond so many steps a schema is not followed. */
const MAX_STEPS = 20_000;

/** What a schema is resolved against, and how many steps are left for that. */
export interface Root {
  readonly schema: unknown;
  left: number;
}

export const rootOf = (schema: unknown): Root => ({ schema, left: MAX_STEPS });

/** References followed, `allOf` merged. Undefined where there is nothing to follow, or no value can ever fit. */
export function resolveSchema(raw: unknown, root: Root, depth = 0): JsonObject | undefined {
  if (raw === true) return {};
  root.left -= 1;
  if (!isObject(raw) || depth > MAX_REFS || root.left < 0) return undefined;
  const ref =
    stringField(raw, '$ref') ?? stringField(raw, '$dynamicRef') ?? stringField(raw, '$recursiveRef');
  if (ref !== undefined) {
    const found = resolveSchema(follow(root.schema, ref), root, depth + 1);
    const { $ref: _, $dynamicRef: _d, $recursiveRef: _r, ...beside } = raw;
    return found && resolveSchema(mergeIn(root, found, beside), root, depth + 1);
  }
  const parts = raw['allOf'];
  if (!Array.isArray(parts)) return raw;
  const { allOf: _, ...own } = raw;
  let whole: JsonObject = own;
  for (const part of parts) {
    const resolved = resolveSchema(part, root, depth + 1);
    if (!resolved) return undefined;
    whole = mergeIn(root, resolved, whole);
  }
  return whole;
}

/** Merging costs as much as there is to be merged. */
function mergeIn(root: Root, first: JsonObject, second: JsonObject): JsonObject {
  for (const part of [first, second]) root.left -= Object.keys(objectField(part, 'properties') ?? {}).length;
  return merge(first, second);
}

/** The schema that a reference leads to, within the same document. */
function follow(root: unknown, ref: string): unknown {
  if (ref === '#') return root;
  if (ref.startsWith('#/')) {
    return ref
      .slice(2)
      .split('/')
      .map((part) => unescapePointer(decode(part)))
      .reduce<unknown>(
        (value, key) =>
          isObject(value) ? value[key] : Array.isArray(value) ? value[Number(key)] : undefined,
        root,
      );
  }
  if (!ref.startsWith('#')) return undefined;
  const definitions = isObject(root) ? [root['$defs'], root['definitions']] : [];
  return definitions
    .filter(isObject)
    .flatMap((named) => Object.values(named))
    .find(
      (schema) =>
        stringField(schema, '$anchor') === ref.slice(1) ||
        stringField(schema, '$dynamicAnchor') === ref.slice(1),
    );
}

/** The types that a value may have, without `null`; empty where the schema does not say. */
export function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const named = types.filter((one): one is string => typeof one === 'string' && one !== 'null');
  if (named.length > 0) return named;
  if (isObject(schema['properties']) || isObject(schema['additionalProperties'])) return ['object'];
  if (schema['items'] !== undefined || Array.isArray(schema['prefixItems'])) return ['array'];
  if (['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum'].some((key) => key in schema))
    return ['number'];
  if (['pattern', 'minLength', 'maxLength', 'format'].some((key) => key in schema)) return ['string'];
  return [];
}

/** The alternatives of a schema without `null`, and whether that is one of them. */
export function alternativesOf(
  schema: JsonObject,
  root: Root,
): { readonly alternatives: readonly JsonObject[]; readonly hasNull: boolean } | undefined {
  const given = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_CHOICES) return undefined;
  const resolved = given.map((one) => resolveSchema(one, root)).filter((one) => one !== undefined);
  const alternatives = resolved.filter((one) => one['type'] !== 'null' && one['const'] !== null);
  return { alternatives, hasNull: alternatives.length < resolved.length };
}

export function allowsNull(schema: JsonObject): boolean {
  const { type } = schema;
  return schema['nullable'] === true || type === 'null' || (Array.isArray(type) && type.includes('null'));
}

export function requiredNames(schema: unknown): ReadonlySet<string> {
  const names = isObject(schema) ? schema['required'] : undefined;
  return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
}

/** Both hold: what the second says of the same thing is nearer to the place where it is used. */
export function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged: JsonObject = { ...first, ...second };
  const [a, b] = [first['properties'], second['properties']];
  if (isObject(a) && isObject(b)) {
    const both = Object.entries(b).map(([name, schema]) => [
      name,
      name in a && isObject(a[name]) && isObject(schema) ? { allOf: [a[name], schema] } : schema,
    ]);
    merged['properties'] = { ...a, ...(Object.fromEntries(both) as JsonObject) };
  }
  const required = new Set([...requiredNames(first), ...requiredNames(second)]);
  if (required.size > 0) merged['required'] = [...required];
  return merged;
}

export function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
