/** Fields whose values are secrets, by their schema or by their name: hidden in the log, never kept as a draft. */
import { HIDDEN } from './hidden.ts';
import { isObject, objectField, stringField, type JsonObject } from './json.ts';

const SECRET = /pass(word|phrase|code)|secret|token|api.?key|private.?key|credential|authorization/i;
/** Tokens that only count or continue something. */
const NO_SECRET =
  /(page|next|continuation|sync|progress|max|min|num)[-_]?tokens?|tokens$|token[-_]?(count|limit|budget|type)/i;

export function isSecretField(name: string, schema: unknown): boolean {
  if (stringField(schema, 'format') === 'password') return true;
  if (isObject(schema) && schema['writeOnly'] === true) return true;
  return SECRET.test(name) && !NO_SECRET.test(name);
}

/** The value with its secrets hidden. @returns the same value where there is none */
export function hideSecretFields<T>(value: T, schema?: unknown): T {
  return visit(value, schema, schema, () => HIDDEN) as T;
}

/** The texts of secret fields. */
export function secretTexts(value: unknown, schema?: unknown): readonly string[] {
  const found: string[] = [];
  visit(value, schema, schema, (secret) => {
    collect(secret, found);
    return secret;
  });
  return found;
}

/** Follows the value, not the schema: a schema can be endless. */
function visit(
  value: unknown,
  schema: unknown,
  root: unknown,
  onSecret: (value: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, i) => visit(item, itemSchema(schema, root, i), root, onSecret));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const schemas = propertySchemas(schema, root, name);
    const isSecret =
      schemas.length === 0 ? isSecretField(name, undefined) : schemas.some((one) => isSecretField(name, one));
    if (isSecret && canHoldSecret(member, schemas)) return [name, onSecret(member)] as const;
    return [name, visit(member, merged(schemas), root, onSecret)] as const;
  });
  return members.some(([name, member]) => member !== value[name]) ? Object.fromEntries(members) : value;
}

/** By its name alone, only a text is one: `useToken: true` and `tokenTtl: 60` aren't. */
function canHoldSecret(value: unknown, schemas: readonly unknown[]): boolean {
  if (typeof value === 'string') return value !== '';
  if (value === null || typeof value === 'boolean') return false;
  return schemas.some((schema) => isSecretField('', schema));
}

const MAX_REFERENCES = 20;

/** The schemas that a member of this name can have, with references and alternatives followed. */
function propertySchemas(schema: unknown, root: unknown, name: string): readonly unknown[] {
  return alternatives(schema, root).flatMap((one) => {
    const properties = objectField(one, 'properties');
    if (properties && Object.hasOwn(properties, name)) return alternatives(properties[name], root);
    const others = one['additionalProperties'];
    return isObject(others) ? alternatives(others, root) : [];
  });
}

function itemSchema(schema: unknown, root: unknown, i: number): unknown {
  const found = alternatives(schema, root).flatMap((one) => {
    const prefix: unknown = one['prefixItems'];
    const item: unknown = Array.isArray(prefix) ? (prefix[i] ?? one['items']) : one['items'];
    return isObject(item) ? [item] : [];
  });
  return merged(found);
}

function merged(schemas: readonly unknown[]): unknown {
  return schemas.length > 1 ? { anyOf: schemas } : schemas[0];
}

function alternatives(schema: unknown, root: unknown): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const follow = (one: unknown): void => {
    if (!isObject(one) || found.has(one) || found.size >= MAX_REFERENCES) return;
    found.add(one);
    follow(resolve(one['$ref'], root));
    for (const word of ['allOf', 'anyOf', 'oneOf']) {
      const members: unknown = one[word];
      if (Array.isArray(members)) members.forEach(follow);
    }
    for (const word of ['then', 'else']) follow(one[word]);
  };
  follow(schema);
  return [...found];
}

/** A reference inside of the same schema: `#/$defs/login`. */
function resolve(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
}

function collect(value: unknown, found: string[]): void {
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'number') found.push(String(value));
  else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values(value)) collect(one, found);
  }
}
