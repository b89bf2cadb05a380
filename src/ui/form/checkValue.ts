/** What a schema has against a value: by a validator that needs no `eval`. It is loaded when it is first needed. */
import { Validator, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { isObject, stringField } from '../../base/json.ts';
import { reason } from '../../base/words.ts';

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

export function checkValue(schema: unknown, value: unknown): Check {
  if (!isObject(schema)) return { name: 'unchecked', why: 'There is no schema.' };
  try {
    // The validator writes into the schema that it is given.
    const own = structuredClone(schema) as Schema;
    const { valid, errors } = new Validator(own, dialectOf(schema), false).validate(value);
    if (valid) return { name: 'fits' };
    const inner = errors.filter(({ keyword }) => !OUTER.has(keyword));
    const told = inner.length > 0 ? inner : errors;
    const complaints = new Map<string, Complaint>();
    for (const { keyword, instanceLocation, error } of told) {
      const complaint = explain(keyword, readPointer(instanceLocation), error);
      complaints.set(`${complaint.pointer} ${complaint.message}`, complaint);
    }
    return { name: 'complains', complaints: [...complaints.values()].slice(0, MAX_COMPLAINTS) };
  } catch (error) {
    return { name: 'unchecked', why: `The schema cannot be used: ${reason(error)}` };
  }
}

function explain(keyword: string, pointer: string, error: string): Complaint {
  const missing = keyword === 'required' ? /"(.*)"/s.exec(error)?.[1] : undefined;
  if (missing !== undefined) {
    const name = missing.replaceAll('~', '~0').replaceAll('/', '~1');
    return { pointer: `${pointer}/${name}`, message: 'This is required.' };
  }
  return { pointer, message: error };
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
