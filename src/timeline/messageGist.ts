/** A little of what a message says, for one line of the list. */
import { asText } from '../base/asText.ts';
import { isObject, numberField, objectField, stringField, type JsonObject } from '../base/json.ts';
import { bytes } from '../base/format.ts';
import type { MessageEntry } from '../log/entry/entryKinds.ts';
import { messageOf } from '../log/log.ts';

/** A bigger message is not parsed for one line. */
const PARSED_CHARS = 20_000;
const GIST_CHARS = 160;

export function gistOf(entry: MessageEntry): string {
  if (entry.raw.length > PARSED_CHARS) return bytes(entry.raw.length);
  const message = messageOf(entry) ?? {};
  const params = objectField(message, 'params');
  return cut(params ? gistOfParams(params) : gistOfAnswer(message));
}

function gistOfParams(params: JsonObject): string {
  const progress = numberField(params, 'progress');
  if (progress !== undefined) {
    const total = numberField(params, 'total');
    const text = stringField(params, 'message');
    return [total === undefined ? String(progress) : `${progress}/${total}`, text]
      .filter(Boolean)
      .join(' · ');
  }
  if ('data' in params) return `${stringField(params, 'level') ?? ''} ${asText(params['data'])}`.trim();
  if ('arguments' in params) return `${stringField(params, 'name') ?? ''} ${asText(params['arguments'])}`;
  return stringField(params, 'message') ?? asText(params);
}

function gistOfAnswer(message: JsonObject): string {
  const error = objectField(message, 'error');
  if (error) return `error ${numberField(error, 'code') ?? ''}: ${stringField(error, 'message') ?? ''}`;
  const result = message['result'];
  if (!isObject(result)) return '';
  const content: unknown = result['content'];
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return stringField(first, 'text') ?? asText(result);
}

export function cut(text: string): string {
  return text.length > GIST_CHARS ? `${text.slice(0, GIST_CHARS)}…` : text;
}
