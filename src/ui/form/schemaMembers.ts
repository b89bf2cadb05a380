/** Which members an object may have beside its own properties, and what is given for them. Pure. */
import { isObject, objectField, type JsonObject } from '../../base/json.ts';
import { resolveSchema, type Root } from './schema.ts';

/** What `if`, `then`, `else` and `dependentSchemas` speak of may be given too; when it must be is for the validator. */
export function conditional(schema: JsonObject, root: Root): JsonObject {
  const parts = [
    schema['then'],
    schema['else'],
    ...Object.values(objectField(schema, 'dependentSchemas') ?? {}),
  ];
  return Object.assign(
    {},
    ...parts.map((part) => objectField(resolveSchema(part, root), 'properties') ?? {}),
  ) as JsonObject;
}

/** The schema of members that are not named, where it says something of them. */
export function extraSchema(schema: JsonObject): JsonObject | undefined {
  const extra =
    objectField(schema, 'additionalProperties') ??
    Object.values(objectField(schema, 'patternProperties') ?? {})[0];
  return isObject(extra) && Object.keys(extra).length > 0 ? extra : undefined;
}

export function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

export function unnamed(value: unknown, named: JsonObject): unknown {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(name in named)));
}
