/** What an answer means for the call that it belongs to. Pure: the state folds it, the client acts on it. */
import { asText } from '../../base/asText.ts';
import { objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { Call } from '../state/call.ts';
import { outcomeOf, type CallOutcome } from './callMessages.ts';
import { readTask, type TaskGeneration, type TaskSnapshot } from './task.ts';
import { parseWireId } from './wireId.ts';

export type Answer =
  | { readonly name: 'settles'; readonly outcome: CallOutcome }
  /** 2026-07-28: the server needs input; the call goes on with the same request and the answers. */
  | { readonly name: 'asks'; readonly inputRequests: JsonObject; readonly requestState?: string }
  | { readonly name: 'task'; readonly task: TaskSnapshot; readonly generation: TaskGeneration }
  /** An acknowledgement. */
  | { readonly name: 'nothing' };

/** JSON-RPC's own code for "that is not an answer"; the page gives it, not the server. */
const INVALID_ANSWER = -32603;
const NOTHING: Answer = { name: 'nothing' };

export function readAnswer(message: JsonObject, era: Call['era']): Answer {
  const { followUp } = parseWireId(asText(message['id']));
  switch (followUp) {
    case 'update':
      return NOTHING;
    case 'poll':
    case 'cancel':
      return readPoll(message, era);
    case 'result':
      return { name: 'settles', outcome: outcomeOf(message) };
    default:
      return era === 'stateless' ? readStateless(message) : readOfSession(message);
  }
}

function readPoll(message: JsonObject, era: Call['era']): Answer {
  const task = readTask(message['result']);
  return task ? { name: 'task', task, generation: generationOf(era) } : NOTHING;
}

function readOfSession(message: JsonObject): Answer {
  const result = objectField(message, 'result');
  // MCP 2025-11-25, Tasks: a CreateTaskResult has the task in a field of its own, and no content.
  const task = result && !('content' in result) ? readTask(result['task']) : undefined;
  return task ? { name: 'task', task, generation: 'core' } : { name: 'settles', outcome: outcomeOf(message) };
}

function readStateless(message: JsonObject): Answer {
  const result = objectField(message, 'result');
  if (!result) return { name: 'settles', outcome: outcomeOf(message) };
  const type = result['resultType'] ?? 'complete';
  switch (type) {
    case 'complete':
      return { name: 'settles', outcome: outcomeOf(message) };
    case 'input_required':
      return readInputRequired(result);
    case 'task': {
      const task = readTask(result);
      return task ? { name: 'task', task, generation: 'extension' } : invalid('a task with no ID or status');
    }
    default:
      return invalid(`an unknown result type ("${asText(type).slice(0, 100)}")`);
  }
}

function readInputRequired(result: JsonObject): Answer {
  const inputRequests = objectField(result, 'inputRequests') ?? {};
  const requestState = stringField(result, 'requestState');
  if (Object.keys(inputRequests).length === 0 && requestState === undefined) {
    return invalid('an input_required result with neither inputRequests nor requestState');
  }
  return { name: 'asks', inputRequests, ...(requestState !== undefined && { requestState }) };
}

function invalid(what: string): Answer {
  const message = `Invalid response: ${what} (see MCP 2026-07-28).`;
  return { name: 'settles', outcome: { error: { code: INVALID_ANSWER, message } } };
}

function generationOf(era: Call['era']): TaskGeneration {
  return era === 'stateless' ? 'extension' : 'core';
}
