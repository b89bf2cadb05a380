/** Arguments while they are typed: in fields or as JSON, and what is wrong with them. */
import { isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { errorMessage } from '../../base/format.ts';
import type { Field } from './field.ts';
import { printMembers, readMembers, type Reading } from './fieldValues.ts';
import type { Texts } from './paths.ts';

export interface Draft {
  readonly mode: 'form' | 'json';
  /** By path. What is not there was not touched, and is as the schema has it. */
  readonly values: Texts;
  readonly json: string;
}

/** By the path of the field; `''` is for what belongs to none. */
export type Problems = Readonly<Record<string, string>>;

export const NO_PROBLEMS: Problems = {};

export function emptyDraft(fields: Result<readonly Field[], string>): Draft {
  return fields.ok ? { mode: 'form', values: {}, json: '' } : { mode: 'json', values: {}, json: '{}' };
}

export function readDraft(fields: readonly Field[], draft: Draft): Result<object, Problems> {
  const { value, problems } = readLoosely(fields, draft);
  return Object.keys(problems).length === 0 ? ok(value) : err(problems);
}

export interface LooseReading {
  /** With whatever was typed where something is wrong: a server may be asked what it makes of it. */
  readonly value: object;
  readonly problems: Problems;
  /** Where in the form a place of the value is, by JSON Pointer. */
  readonly places: ReadonlyMap<string, string>;
}

export function readLoosely(fields: readonly Field[], draft: Draft): LooseReading {
  if (draft.mode === 'json') {
    const read = readJson(draft.json);
    const places = new Map([['', '']]);
    return read.ok
      ? { value: read.value, problems: {}, places }
      : { value: {}, problems: read.error, places };
  }
  const reading: Reading = { texts: draft.values, problems: {}, places: new Map() };
  const value = readMembers(fields, '', '', reading);
  return { value, problems: reading.problems, places: reading.places };
}

/** What stands in the fields goes along; what is not finished yet does too. */
export function toJsonMode(fields: readonly Field[], draft: Draft): Draft {
  const { value } = readLoosely(fields, draft);
  return { ...draft, mode: 'json', json: JSON.stringify(value, undefined, 2) };
}

export function toFormMode(fields: readonly Field[], draft: Draft): Result<Draft, Problems> {
  const parsed = readJson(draft.json);
  return parsed.ok ? draftOf(fields, parsed.value) : parsed;
}

/** A form filled with these arguments. */
export function draftOf(fields: readonly Field[], args: object): Result<Draft, Problems> {
  const values: Record<string, string> = {};
  const printed = printMembers(fields, '', { ...args }, values);
  return printed.ok ? ok({ mode: 'form', values, json: '' }) : err({ '': printed.error });
}

/** The same, or as JSON where the form has no place for them. */
export function draftFor(fields: Result<readonly Field[], string>, args: object): Draft {
  const draft = fields.ok ? draftOf(fields.value, args) : undefined;
  return draft?.ok ? draft.value : { mode: 'json', values: {}, json: JSON.stringify(args, undefined, 2) };
}

/** Puts what was found out about a value beside the fields that it came from. */
export function placeProblems(
  found: readonly { readonly pointer: string; readonly message: string }[],
  { places }: Pick<LooseReading, 'places'>,
): Problems {
  const problems: Record<string, string> = {};
  for (const { pointer, message } of found) {
    let at = pointer;
    while (!places.has(at) && at !== '') at = at.slice(0, at.lastIndexOf('/'));
    const path = places.get(at) ?? '';
    const text = at === pointer ? message : `${pointer.slice(at.length)}: ${message}`;
    problems[path] = problems[path] === undefined ? text : `${problems[path]} ${text}`;
  }
  return problems;
}

function readJson(text: string): Result<object, Problems> {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return isObject(value) ? ok(value) : err({ '': 'Arguments must be a JSON object: { "name": value }.' });
  } catch (error) {
    return err({ '': `Invalid JSON: ${errorMessage(error)}` });
  }
}
