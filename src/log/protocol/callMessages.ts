/** What a message of its stream says about a call. */
import { isObject, numberField, stringField, type JsonObject } from '../../base/json.ts';
import type { Call, CallError } from '../state/call.ts';
import { readTask } from './task.ts';

export type CallOutcome = { readonly result: object } | { readonly error: CallError };

/**
 * The outcome that a message carries: as the answer to the call, or inside the task that the call became, which comes
 * as an answer or as a notification.
 */
export function outcomeOf(message: JsonObject): CallOutcome {
  const task = message['result'] ?? message['params'];
  const carrier = isObject(task) && readTask(task) ? task : message;
  const result = carrier['result'];
  if (isObject(result)) return { result };
  const error = carrier['error'];
  return {
    error: {
      code: numberField(error, 'code') ?? 0,
      message: stringField(error, 'message') ?? 'The server returned an error with no message.',
      ...(isObject(error) && error['data'] !== undefined && { data: error['data'] }),
    },
  };
}

export function progressOf(message: JsonObject): Call['progress'] {
  const params = message['params'];
  const progress = numberField(params, 'progress');
  if (progress === undefined) return undefined;
  const total = numberField(params, 'total');
  const text = stringField(params, 'message');
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(text !== undefined && { message: text }),
  };
}
