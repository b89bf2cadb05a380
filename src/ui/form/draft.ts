/** Arguments while they are typed: in fields or as JSON, and what is wrong with them. */
import { isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { reason } from '../../base/words.ts';
import { print, type Field } from './fields.ts';

export interface Draft {
  readonly mode: 'form' | 'json';
  readonly values: Readonly<Record<string, string>>;
  readonly json: string;
}

/** By the name of the field; `''` is for what belongs to none. */
export type Problems = Readonly<Record<string, string>>;

export const NO_PROBLEMS: Problems = {};

export function emptyDraft(fields: Result<readonly Field[], string>): Draft {
  if (!fields.ok) return { mode: 'json', values: {}, json: '{}' };
  return { mode: 'form', values: Object.fromEntries(fields.value.map((f) => [f.name, f.initial])), json: '' };
}

export function readDraft(fields: readonly Field[], draft: Draft): Result<object, Problems> {
  return draft.mode === 'json' ? readJson(draft.json) : readValues(fields, draft.values);
}

/** What stands in the fields goes along; what is not finished yet does too. */
export function toJsonMode(fields: readonly Field[], draft: Draft): Draft {
  const entries = fields.flatMap((field) => {
    const text = draft.values[field.name] ?? '';
    const read = readValue(field, text);
    if (text === '') return [];
    return [[field.name, read.ok ? read.value : text]];
  });
  return { ...draft, mode: 'json', json: JSON.stringify(Object.fromEntries(entries), undefined, 2) };
}

export function toFormMode(fields: readonly Field[], draft: Draft): Result<Draft, Problems> {
  const parsed = readJson(draft.json);
  if (!parsed.ok) return parsed;
  const given = new Map(Object.entries(parsed.value) as [string, unknown][]);
  const unknown = [...given.keys()].filter((name) => !fields.some((field) => field.name === name));
  if (unknown.length > 0) return err({ '': `The form has no field for ${unknown.join(', ')}.` });
  const values = Object.fromEntries(fields.map(({ name, kind }) => [name, print(kind, given.get(name))]));
  return ok({ ...draft, mode: 'form', values });
}

function readJson(text: string): Result<object, Problems> {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return isObject(value) ? ok(value) : err({ '': 'Arguments are an object: { "name": value }.' });
  } catch (error) {
    return err({ '': `This is not JSON yet: ${reason(error)}` });
  }
}

function readValues(fields: readonly Field[], values: Draft['values']): Result<object, Problems> {
  const entries: [string, unknown][] = [];
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const text = values[field.name] ?? '';
    if (text === '' && !field.required) continue;
    const read = readValue(field, text);
    if (read.ok) entries.push([field.name, read.value]);
    else problems[field.name] = read.error;
  }
  return Object.keys(problems).length === 0 ? ok(Object.fromEntries(entries)) : err(problems);
}

function readValue(field: Field, text: string): Result<unknown, string> {
  if (text === '') return err('This is required.');
  switch (field.kind) {
    case 'text':
      return readText(field, text);
    case 'boolean':
      return ok(text === 'true');
    case 'choice':
      return ok(JSON.parse(text) as unknown);
    case 'number':
    case 'integer':
      return readNumber(field, text);
  }
}

function readText({ minLength, maxLength, pattern }: Field, text: string): Result<string, string> {
  if (minLength !== undefined && text.length < minLength) return err(`At least ${minLength} characters.`);
  if (maxLength !== undefined && text.length > maxLength) return err(`At most ${maxLength} characters.`);
  if (pattern !== undefined && !matches(pattern, text)) return err(`It must match ${pattern}`);
  return ok(text);
}

function readNumber({ kind, min, max }: Field, text: string): Result<number, string> {
  const value = Number(text);
  if (!Number.isFinite(value)) return err(`“${text}” is not a number.`);
  if (kind === 'integer' && !Number.isInteger(value)) return err('A whole number, please.');
  if (min !== undefined && value < min) return err(`At least ${min}.`);
  if (max !== undefined && value > max) return err(`At most ${max}.`);
  return ok(value);
}

/** A pattern that this browser cannot read is for the server to check. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}
