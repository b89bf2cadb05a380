/** Validates a value against a JSON Schema, with a validator that needs no `eval`. Runs in the worker. */
import { Validator, type OutputUnit, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { isObject, stringField } from '../base/json.ts';
import { errorMessage } from '../base/format.ts';

export interface Complaint {
  /** JSON Pointer into the value. */
  readonly pointer: string;
  readonly message: string;
}

export type Check =
  | { readonly name: 'fits' }
  | { readonly name: 'complains'; readonly complaints: readonly Complaint[] }
  /** The schema itself cannot be used. */
  | { readonly name: 'unchecked'; readonly why: string };

/** Keywords that only say that something within is wrong. */
const OUTER = new Set([
  'properties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  'additionalProperties',
  'patternProperties',
  'then',
  'else',
  'if',
  'dependentSchemas',
  'unevaluatedProperties',
]);

const MAX_COMPLAINTS = 20;
/** The validator quotes whole lists of values. */
const MAX_MESSAGE_CHARS = 300;

export function checkValue(schema: unknown, value: unknown): Check {
  if (!isObject(schema)) return { name: 'unchecked', why: 'No schema.' };
  try {
    // The validator writes into the schema that it is given.
    const own = structuredClone(schema) as Schema;
    const { valid, errors } = new Validator(own, dialectOf(schema), false).validate(value);
    if (valid) return { name: 'fits' };
    const inner = errors.filter(({ keyword }) => !OUTER.has(keyword));
    const told = inner.length > 0 ? inner : errors;
    const complaints = new Map<string, Complaint>();
    for (const unit of told) {
      const complaint = explain(schema, unit);
      complaints.set(`${complaint.pointer} ${complaint.message}`, complaint);
      if (complaints.size === MAX_COMPLAINTS) break;
    }
    return { name: 'complains', complaints: [...complaints.values()] };
  } catch (error) {
    return { name: 'unchecked', why: `Invalid schema: ${errorMessage(error)}` };
  }
}

function explain(
  schema: unknown,
  { keyword, keywordLocation, instanceLocation, error }: OutputUnit,
): Complaint {
  const pointer = readPointer(instanceLocation);
  const missing = keyword === 'required' ? /"(.*)"/s.exec(error)?.[1] : undefined;
  if (missing !== undefined) {
    const name = missing.replaceAll('~', '~0').replaceAll('/', '~1');
    return { pointer: `${pointer}/${name}`, message: 'Required.' };
  }
  const message = keyword === 'pattern' ? patternWords(schema, readPointer(keywordLocation)) : undefined;
  return { pointer, message: (message ?? error).slice(0, MAX_MESSAGE_CHARS) };
}

/** With the pattern itself, where the place in the schema leads to it. */
function patternWords(schema: unknown, location: string): string | undefined {
  const pattern = location
    .split('/')
    .slice(1)
    .reduce((at, part) => step(schema, at, part), schema);
  return typeof pattern === 'string' ? `Must match ${pattern}` : undefined;
}

function step(root: unknown, at: unknown, part: string): unknown {
  const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
  const next = isObject(at) ? at[key] : Array.isArray(at) ? at[Number(key)] : undefined;
  if (key !== '$ref' || typeof next !== 'string' || !next.startsWith('#/')) return next;
  return next
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), root);
}

function dialectOf(schema: object): SchemaDraft {
  const named = stringField(schema, '$schema') ?? '';
  if (named.includes('draft-04')) return '4';
  if (/draft-0[67]/.test(named)) return '7';
  // MCP 2025-11-25: without `$schema`, 2020-12.
  return named.includes('2019-09') ? '2019-09' : '2020-12';
}

/** The validator gives fragments, `#/a/b%20c`. */
function readPointer(location: string): string {
  const pointer = location.replace(/^#/, '');
  try {
    return decodeURI(pointer);
  } catch {
    return pointer;
  }
}
