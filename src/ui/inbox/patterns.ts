/** The patterns of a requested schema, nested ones included, as a schema of their own: the rest is checked elsewhere. */
import { isObject, stringField, type JsonObject } from '../../base/json.ts';

/** Keywords that hold one schema, a list of them, or some by their names. */
const ONE = ['items', 'additionalItems', 'additionalProperties'];
const LISTED = ['prefixItems', 'allOf', 'anyOf', 'oneOf'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions'];

/** Deeper schemas are no forms. */
const MAX_DEPTH = 30;

/** Undefined where there are no patterns. */
export function patternsOf(schema: unknown): object | undefined {
  const seen = { hasPattern: false };
  const patterns = onlyPatterns(schema, seen, 0);
  return seen.hasPattern ? patterns : undefined;
}

function onlyPatterns(schema: unknown, seen: { hasPattern: boolean }, depth: number): JsonObject {
  if (!isObject(schema) || depth > MAX_DEPTH) return {};
  const inner = (one: unknown): JsonObject => onlyPatterns(one, seen, depth + 1);
  const kept: (readonly [string, unknown])[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (ONE.includes(keyword) && isObject(value)) kept.push([keyword, inner(value)]);
    // Without the rest of them, several alternatives may fit.
    else if (LISTED.includes(keyword) && Array.isArray(value))
      kept.push([keyword === 'oneOf' ? 'anyOf' : keyword, value.map(inner)]);
    else if (NAMED.includes(keyword) && isObject(value))
      kept.push([
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)])),
      ]);
  }
  const [pattern, reference] = [stringField(schema, 'pattern'), stringField(schema, '$ref')];
  seen.hasPattern ||= pattern !== undefined;
  if (pattern !== undefined) kept.push(['pattern', pattern]);
  if (reference !== undefined) kept.push(['$ref', reference]);
  return Object.fromEntries(kept);
}
