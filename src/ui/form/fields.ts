/** A JSON Schema as the fields of a form, where it is simple enough for one; what is not is said in words. */
import { isObject, numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';

export interface Choice {
  /** The value as JSON: not every choice is a string. */
  readonly json: string;
  readonly label: string;
}

export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** As it is typed. Empty: not set. */
  readonly initial: string;
  readonly choices: readonly Choice[];
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly isSecret: boolean;
}

const SECRET = /pass(word|phrase)|secret|token|api.?key|credential|authorization/i;

/** The fields of an object schema, or why there can be no form. */
export function readFields(schema: unknown): Result<readonly Field[], string> {
  const properties = objectField(schema, 'properties') ?? {};
  const required = requiredNames(schema);
  const fields: Field[] = [];
  for (const [name, raw] of Object.entries(properties)) {
    const field = readField(name, simplify(raw, schema), required.has(name));
    if (!field)
      return err(
        `The form has no field for “${name}” (${typeWord(simplify(raw, schema) ?? raw)}). Write the arguments as JSON.`,
      );
    fields.push(field);
  }
  return ok(fields);
}

/** Could what is typed for this schema be something that must not be kept? */
export function hasSecrets(schema: unknown): boolean {
  return Object.entries(objectField(schema, 'properties') ?? {}).some(([name, property]) =>
    isSecret(name, property),
  );
}

function readField(name: string, property: JsonObject | undefined, required: boolean): Field | undefined {
  if (!property) return undefined;
  const choices = readChoices(property);
  const kind = choices ? 'choice' : kindOf(property['type']);
  if (!kind) return undefined;
  const title = stringField(property, 'title');
  const description = stringField(property, 'description');
  const pattern = stringField(property, 'pattern');
  return {
    name,
    label: title ?? name,
    ...(description !== undefined && { description }),
    kind,
    required,
    initial: print(kind, property['default']),
    choices: choices ?? [],
    ...pick(property, 'min', 'minimum'),
    ...pick(property, 'max', 'maximum'),
    ...pick(property, 'minLength', 'minLength'),
    ...pick(property, 'maxLength', 'maxLength'),
    ...(pattern !== undefined && { pattern }),
    isSecret: isSecret(name, property),
  };
}

/** A value as it stands in a field. */
export function print(kind: FieldKind, value: unknown): string {
  if (value === undefined || (value === null && kind !== 'choice')) return '';
  if (kind === 'text') return typeof value === 'string' ? value : JSON.stringify(value);
  return JSON.stringify(value);
}

/** Many generators write an optional string as `anyOf: [string, null]`, or put it under `$defs`. */
function simplify(raw: unknown, root: unknown, depth = 0): JsonObject | undefined {
  if (!isObject(raw) || depth > 4) return undefined;
  const ref = stringField(raw, '$ref');
  if (ref !== undefined) {
    const found = simplify(resolve(root, ref), root, depth + 1);
    return found && { ...found, ...raw };
  }
  const variants = raw['anyOf'] ?? raw['oneOf'];
  if (Array.isArray(variants) && !readChoices(raw)) {
    const others = variants.filter((variant) => stringField(variant, 'type') !== 'null');
    const only = others.length === 1 ? simplify(others[0], root, depth + 1) : undefined;
    return only && { ...only, ...raw };
  }
  const { type } = raw;
  if (!Array.isArray(type)) return raw;
  const types = type.filter((one) => one !== 'null');
  return types.length === 1 ? { ...raw, type: types[0] as unknown } : undefined;
}

function resolve(root: unknown, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), root);
}

function readChoices(property: JsonObject): readonly Choice[] | undefined {
  const values = property['enum'];
  if (Array.isArray(values)) {
    const names: unknown = property['enumNames'];
    return values.map((value: unknown, i) => {
      const label: unknown = Array.isArray(names) ? names[i] : undefined;
      return { json: JSON.stringify(value), label: typeof label === 'string' ? label : String(value) };
    });
  }
  if ('const' in property)
    return [{ json: JSON.stringify(property['const']), label: String(property['const']) }];
  const variants = property['oneOf'] ?? property['anyOf'];
  if (!Array.isArray(variants) || variants.length === 0) return undefined;
  const choices = variants.flatMap((variant) =>
    isObject(variant) && 'const' in variant
      ? [
          {
            json: JSON.stringify(variant['const']),
            label: stringField(variant, 'title') ?? String(variant['const']),
          },
        ]
      : [],
  );
  return choices.length === variants.length ? choices : undefined;
}

function kindOf(type: unknown): FieldKind | undefined {
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    default:
      return undefined;
  }
}

function requiredNames(schema: unknown): ReadonlySet<unknown> {
  const names = isObject(schema) ? schema['required'] : undefined;
  return new Set<unknown>(Array.isArray(names) ? names : []);
}

function isSecret(name: string, property: unknown): boolean {
  return SECRET.test(name) || stringField(property, 'format') === 'password';
}

function pick<K extends string>(property: JsonObject, as: K, name: string): Partial<Record<K, number>> {
  const value = numberField(property, name);
  return value === undefined ? {} : ({ [as]: value } as Partial<Record<K, number>>);
}

function typeWord(property: unknown): string {
  const type = isObject(property) ? property['type'] : undefined;
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.join(' or ') : 'several types';
}
