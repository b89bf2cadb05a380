/**
 * Knows a notification by its form: a burst repeats one message with other numbers and words, and telling that takes a
 * tenth of the time of parsing it. What has the form of a message that was parsed is valid JSON with the same keys in the
 * same order, the same method, the same token and the same total.
 */
import { isObject, numberField, objectField, stringField, type JsonObject } from '../base/json.ts';
import { COUNTED_METHODS } from '../log/entry/entryRun.ts';

export interface MessageForm {
  readonly pattern: RegExp;
  /** The message that it was made from. */
  readonly sample: JsonObject;
  readonly method: string;
  /** Of progress, where the number begins: nothing before it differs. */
  readonly progressAt: number | undefined;
  readonly total: number | undefined;
}

/** A regular expression needs a stack as long as a string: longer messages are parsed. */
export const LONGEST_FORM = 4000;

/** JSON's grammar without exponents, which make a number infinite. */
const NUMBER = '-?(?:0|[1-9]\\d{0,14})(?:\\.\\d{1,15})?';
const PLAIN = '[^"\\\\\\u0000-\\u001f]*';
const STRING = `"${PLAIN}(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})${PLAIN})*"`;

/** What decides whose message it is, and what its number means. */
const FIXED: ReadonlySet<string> = new Set(['progressToken', 'total']);

/** The form of a message, if it only counts and is written as `JSON.stringify` writes it. */
export function formOf(text: string, message: JsonObject): MessageForm | undefined {
  const method = stringField(message, 'method') ?? '';
  const params = objectField(message, 'params');
  if (!COUNTED_METHODS.has(method) || 'id' in message || !params) return undefined;
  if (text.length > LONGEST_FORM || JSON.stringify(message) !== text) return undefined;
  const isProgress = method === 'notifications/progress';
  const progressAt = isProgress ? placeOfProgress(message, params) : undefined;
  if (isProgress && progressAt === undefined) return undefined;
  const fields = Object.entries(message).map(([key, value]) =>
    key === 'params' ? `${literal(key)}:${patternOf(params, FIXED)}` : `${literal(key)}:${literal(value)}`,
  );
  const pattern = new RegExp(`^\\{${fields.join(',')}\\}$`);
  return { pattern, sample: message, method, progressAt, total: numberField(params, 'total') };
}

/** The progress of a text that has this form. */
export function progressIn(text: string, { progressAt = 0 }: MessageForm): number {
  let progress = 0;
  for (let at = progressAt; ; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) progress = progress * 10 + digit;
    else if (isEnd(text.charCodeAt(at))) return progress;
    else return Number.parseFloat(text.slice(progressAt, progressAt + LONGEST_NUMBER));
  }
}

const ZERO = 48;
/** With its sign and its point. */
const LONGEST_NUMBER = 32;
const isEnd = (code: number): boolean => code === 0x2c || code === 0x7d;

function placeOfProgress(message: JsonObject, params: JsonObject): number | undefined {
  const before = fieldsBefore(params, 'progress');
  if (numberField(params, 'progress') === undefined || !before.every(([key]) => FIXED.has(key)))
    return undefined;
  return `{${printed(fieldsBefore(message, 'params'))}"params":{${printed(before)}"progress":`.length;
}

function fieldsBefore(object: JsonObject, name: string): readonly (readonly [key: string, value: unknown])[] {
  const fields = Object.entries(object);
  return fields.slice(
    0,
    fields.findIndex(([key]) => key === name),
  );
}

const printed = (fields: ReturnType<typeof fieldsBefore>): string =>
  fields.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`).join('');

function patternOf(value: unknown, fixed?: ReadonlySet<string>): string {
  if (typeof value === 'number') return NUMBER;
  if (typeof value === 'string') return STRING;
  if (Array.isArray(value)) return `\\[${value.map((one) => patternOf(one)).join(',')}\\]`;
  if (!isObject(value)) return literal(value);
  const fields = Object.entries(value).map(
    ([key, field]) => `${literal(key)}:${fixed?.has(key) ? literal(field) : patternOf(field)}`,
  );
  return `\\{${fields.join(',')}\\}`;
}

const literal = (value: unknown): string => JSON.stringify(value).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
