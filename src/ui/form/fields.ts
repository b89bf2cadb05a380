/** A JSON Schema as the fields of a form; where there can be none, why. Parts are read when they are drawn, so a schema may contain itself. */
import { isObject, numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { describesType, looksLike, variantLabel } from './alternatives.ts';
import { readChoices } from './choices.ts';
import type { Field, MapField, VariantField } from './field.ts';
import {
  afresh,
  asJson,
  contextOf,
  deeper,
  NoForm,
  once,
  orJson,
  renewed,
  type Context,
} from './readingContext.ts';
import { MAX_FIELDS, noted, TOO_LONG } from './formLimits.ts';
import { common, leaf } from './leaf.ts';
import { conditional, extraSchema, member, unnamed } from './schemaMembers.ts';
import { alternativesOf, merge, requiredNames, resolveSchema, typesOf } from './schema.ts';

/** The fields of an object schema, or why there can be no form. */
export function readFields(schema: unknown): Result<readonly Field[], string> {
  const context = contextOf(schema);
  const resolved = schema === undefined ? {} : resolveSchema(schema, context.root);
  if (!resolved) return err(`The schema’s $ref can’t be resolved${refWords(schema)}. ${AS_JSON}`);
  const types = typesOf(resolved);
  if (types.length > 0 && !types.includes('object')) {
    return err(`The schema has type ${types.join(' or ')}, but arguments must be an object. ${AS_JSON}`);
  }
  try {
    return ok(membersOf(resolved, undefined, context));
  } catch (error) {
    if (error instanceof NoForm) return err(`${error.message} ${AS_JSON}`);
    throw error;
  }
}

const AS_JSON = 'Enter the arguments as JSON.';

/** The members of an object: its properties, those of its conditions, its alternatives, and any others that it allows. */
function membersOf(schema: JsonObject, given: unknown, context: Context): readonly Field[] {
  const { root } = context;
  const required = requiredNames(schema);
  const choice = alternativesOf(schema, root);
  const variants = (choice?.alternatives ?? []).filter((one) => isObject(one['properties']));
  const inVariants = new Set(variants.flatMap((one) => Object.keys(objectField(one, 'properties') ?? {})));
  const base = objectField(schema, 'properties') ?? {};
  const size = Object.keys(base).length;
  if (size > MAX_FIELDS)
    throw new NoForm(`The schema has ${size.toLocaleString('en')} fields, too many for a form.`);
  const named = Object.entries({ ...conditional(schema, root), ...base });
  const own = named
    .filter(([name]) => !inVariants.has(name))
    .flatMap(([name, raw]) =>
      raw === false ? [] : [readField(name, raw, required.has(name), member(given, name), context)],
    );
  const spread: Field[] = [];
  if (variants.length > 0) {
    const whole = variants.map((one) => {
      const shared = Object.entries(base).filter(([name]) => inVariants.has(name));
      const names = [...requiredNames(schema)].filter((name) => inVariants.has(name));
      return merge({ type: 'object', properties: Object.fromEntries(shared), required: names }, one);
    });
    spread.push({ ...variantField('', 'One of', true, whole, given, context), isSpread: true });
  }
  const others = extraSchema(schema);
  if (others) {
    const label = own.length > 0 ? 'Other properties' : 'Properties';
    spread.push({ ...mapField('', label, others, unnamed(given, base), context), isSpread: true });
  }
  return [...own, ...spread];
}

function readField(name: string, raw: unknown, required: boolean, given: unknown, context: Context): Field {
  context.drawn.left -= 1;
  if (context.drawn.left < 0) throw new NoForm('Too long for a form.');
  const schema = resolveSchema(raw, context.root);
  const start = given === undefined ? schema?.['default'] : given;
  if (!schema)
    return leaf('json', name, merge(asObject(raw), { description: refSentence(raw) }), required, start);
  if (readChoices(schema)) return leaf('choice', name, schema, required, start);
  const choice = alternativesOf(schema, context.root);
  const types = typesOf(schema);
  const isConstraint = types.length > 0 && choice?.alternatives.every((one) => !describesType(one)) === true;
  if (choice && !isConstraint && !(types[0] === 'object' && isObject(schema['properties']))) {
    return alternativeField(name, schema, choice, required, start, context);
  }
  if (types.length > 1) {
    const each = types.map((type) => ({ ...schema, type, title: type, default: undefined }));
    return withCommon(variantField(name, name, required, each, start, context), name, schema, required);
  }
  return typedField(name, schema, types[0], required, start, context);
}

function alternativeField(
  name: string,
  schema: JsonObject,
  { alternatives, hasNull }: NonNullable<ReturnType<typeof alternativesOf>>,
  required: boolean,
  start: unknown,
  context: Context,
): Field {
  const { oneOf: _o, anyOf: _a, ...beside } = schema;
  const shared = hasNull ? { ...beside, nullable: true } : beside;
  const consts = { ...shared, oneOf: alternatives };
  if (readChoices(consts)) return leaf('choice', name, consts, required, start);
  const [only] = alternatives;
  if (!only) return leaf('choice', name, { ...shared, const: null }, required, start);
  if (alternatives.length === 1) return readField(name, merge(only, shared), required, start, context);
  const { title: _t, description: _d, default: _s, ...rest } = shared;
  const whole = alternatives.map((one) => merge(rest, one));
  return withCommon(variantField(name, name, required, whole, start, context), name, shared, required);
}

function typedField(
  name: string,
  schema: JsonObject,
  type: string | undefined,
  required: boolean,
  start: unknown,
  context: Context,
): Field {
  switch (type) {
    case 'string':
      return leaf('text', name, schema, required, start);
    case 'number':
    case 'integer':
    case 'boolean':
      return leaf(type, name, schema, required, start);
    case 'array':
      return arrayField(name, schema, required, start, context);
    case 'object':
      return objectLike(name, schema, required, start, context);
    default:
      return leaf('json', name, schema, required, start);
  }
}

function objectLike(
  name: string,
  schema: JsonObject,
  required: boolean,
  start: unknown,
  context: Context,
): Field {
  const hasMembers =
    Object.keys(objectField(schema, 'properties') ?? {}).length > 0 || 'oneOf' in schema || 'anyOf' in schema;
  const others = extraSchema(schema);
  if (!hasMembers && !others) return leaf('json', name, schema, required, start);
  if (!hasMembers && others) {
    if (isObject(start) && Object.keys(start).length > MAX_FIELDS)
      return leaf('json', name, noted(schema, TOO_LONG), required, start);
    return withCommon(mapField(name, name, others, start, context), name, schema, required);
  }
  const isSetInitially = required || isObject(start);
  /** What was too long only now, when it was asked for, becomes JSON that stands for all of the members. */
  const instead = (): readonly Field[] => [
    { ...leaf('json', '', { title: 'Properties', description: TOO_LONG }, false, undefined), isSpread: true },
  ];
  const read = () =>
    membersOf(schema, start, isSetInitially ? deeper('object', name, schema, context) : afresh(context));
  return {
    kind: 'object',
    ...common(name, schema, required),
    isSetInitially,
    fields: once(read, isSetInitially, instead),
  };
}

function arrayField(
  name: string,
  schema: JsonObject,
  required: boolean,
  start: unknown,
  context: Context,
): Field {
  const { items } = schema;
  const fixed: readonly unknown[] = Array.isArray(schema['prefixItems'])
    ? schema['prefixItems']
    : Array.isArray(items)
      ? items
      : [];
  const rest = Array.isArray(items) ? schema['additionalItems'] : items;
  const resolved = resolveSchema(rest, context.root);
  if (fixed.length === 0 && !resolved) return leaf('json', name, schema, required, start);
  const itemChoices = resolved && readChoices(resolved);
  if (fixed.length === 0 && itemChoices && schema['uniqueItems'] !== false && itemChoices.length <= 24) {
    return { ...leaf('set', name, schema, required, start), choices: itemChoices };
  }
  const given: readonly unknown[] = Array.isArray(start) ? start : [];
  if (given.length > MAX_FIELDS) return leaf('json', name, noted(schema, TOO_LONG), required, start);
  const minItems = Math.max(0, numberField(schema, 'minItems') ?? 0);
  const initialCount =
    given.length > 0 ? given.length : required ? Math.min(Math.max(minItems, fixed.length), MAX_FIELDS) : 0;
  const label = common(name, schema, required).label;
  const inner = initialCount > 0 ? deeper('list', name, schema, context) : afresh(context);
  const read = (index: number, where: Context): Field => {
    const itemSchema = index < fixed.length ? fixed[index] : rest;
    return {
      ...readField(`${name} ${index + 1}`, itemSchema ?? true, true, given[index], where),
      label: `${label} ${index + 1}`,
    };
  };
  // What is drawn at first is read at once, so that it is counted.
  for (let i = 0; i < initialCount; i += 1) read(i, inner);
  const open = rest !== false && !(Array.isArray(items) && rest === undefined);
  return {
    kind: 'list',
    ...common(name, schema, required),
    initialCount,
    minItems,
    maxItems: Math.min(numberField(schema, 'maxItems') ?? Infinity, open ? Infinity : fixed.length),
    item: (index) => orJson(`${label} ${index + 1}`, () => read(index, renewed(inner))),
  };
}

function mapField(name: string, label: string, others: unknown, start: unknown, context: Context): MapField {
  const given = isObject(start) ? start : {};
  const initialKeys = Object.keys(given);
  if (initialKeys.length > MAX_FIELDS) throw new NoForm('Too long for a form.');
  const read = (index: number, where: Context): Field => ({
    ...readField('value', others, true, given[initialKeys[index] ?? ''], where),
    label: 'Value',
  });
  initialKeys.forEach((_, i) => read(i, { ...context, within: [] }));
  return {
    kind: 'map',
    name,
    label,
    required: false,
    nullable: false,
    initialKeys,
    value: (index) => orJson('Value', () => read(index, afresh(context))),
  };
}

function variantField(
  name: string,
  label: string,
  required: boolean,
  schemas: readonly JsonObject[],
  start: unknown,
  context: Context,
): VariantField {
  const meant = schemas.findIndex(
    (schema) => start !== undefined && start !== null && looksLike(schema, start),
  );
  const initialVariant = meant >= 0 ? meant : required ? 0 : undefined;
  const variants = schemas.map((schema, i) => {
    const isFirst = i === initialVariant;
    const read = () =>
      readField(
        label,
        schema,
        true,
        i === meant ? start : undefined,
        isFirst ? deeper('variants', label, schema, context) : afresh(context),
      );
    const fits = (value: unknown) => looksLike(schema, value);
    return { label: variantLabel(schema, i, schemas), field: once(read, isFirst, () => asJson(label)), fits };
  });
  return { kind: 'variants', name, label, required, nullable: false, initialVariant, variants };
}

function withCommon<T extends Field>(field: T, name: string, schema: JsonObject, required: boolean): T {
  return { ...field, ...common(name, schema, required) };
}

function asObject(raw: unknown): JsonObject {
  return isObject(raw) ? raw : {};
}

function refWords(raw: unknown): string {
  const ref = stringField(raw, '$ref');
  return ref === undefined ? '' : ` (${ref})`;
}

function refSentence(raw: unknown): string {
  const description = stringField(raw, 'description');
  return [
    ...(description === undefined ? [] : [description]),
    `Can’t resolve the schema${refWords(raw)}. Enter JSON.`,
  ].join(' ');
}
