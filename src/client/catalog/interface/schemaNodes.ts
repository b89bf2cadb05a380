/** Every schema within a schema. Pure. */
import { isObject, type JsonObject } from '../../../base/json.ts';

/** Their values are schemas by a name of the author's. */
const BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Their values are data, whatever that looks like. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);
/** A list of tools must not hold up the page. */
const MOST_NODES = 20_000;

export function nodesOf(schema: unknown): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const waiting: unknown[] = [schema];
  while (waiting.length > 0 && found.length < MOST_NODES) {
    const node = waiting.pop();
    if (Array.isArray(node)) waiting.push(...node.slice(0, MOST_NODES));
    if (!isObject(node)) continue;
    found.push(node);
    for (const [name, value] of Object.entries(node)) {
      if (BY_NAME.has(name) && isObject(value)) waiting.push(...Object.values(value).slice(0, MOST_NODES));
      else if (!DATA.has(name)) waiting.push(value);
    }
  }
  return found;
}
