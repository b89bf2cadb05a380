/** Up to version 3, entries and states held sentences: each becomes a reason of the kind "recorded". */
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { recorded } from '../reasons/reason.ts';

export function upgradeEntryReasons(entry: JsonObject): JsonObject {
  const connection = objectField(entry, 'state');
  const change = objectField(entry, 'change');
  switch (entry['kind']) {
    case 'load':
      return entry;
    case 'note':
      return withReason(entry, 'text');
    case 'auth':
      return withReason(entry, 'problem');
    default:
      return {
        ...withReason(entry, 'why'),
        ...(connection && { state: upgradeConnection(connection) }),
        ...(change && { change: upgradeChange(change) }),
      };
  }
}

export function upgradeStateReasons(stored: JsonObject): JsonObject {
  const connection = objectField(stored, 'state');
  const era = objectField(stored, 'era');
  return {
    ...stored,
    ...(connection && { state: upgradeConnection(connection) }),
    ...(era && { era: withReason(era, 'why') }),
    ...upgradeItems(stored, 'calls', upgradeCall),
    ...upgradeItems(stored, 'questions', upgradeQuestion),
    ...upgradeItems(stored, 'closedQuestions', (closed) => withReason(closed, 'why')),
    ...upgradeItems(stored, 'tasks', upgradeTask),
  };
}

function upgradeConnection(state: JsonObject): JsonObject {
  return withReason(state, state['name'] === 'connected' ? 'note' : 'why');
}

function upgradeChange(change: JsonObject): JsonObject {
  const upgraded = withReason(change, 'why');
  return change['name'] === 'failed' && !('reason' in upgraded)
    ? { ...upgraded, reason: recorded(undefined) }
    : upgraded;
}

function upgradeCall(call: JsonObject): JsonObject {
  const ranAgain = objectField(call, 'ranAgain');
  const upgraded = withReason(call, 'why');
  return ranAgain
    ? { ...upgraded, ranAgain: recorded(stringField(ranAgain, 'why'), stringField(ranAgain, 'reason')) }
    : upgraded;
}

function upgradeQuestion(question: JsonObject): JsonObject {
  const answering = objectField(question, 'answering');
  return answering ? { ...question, answering: withReason(answering, 'why') } : question;
}

function upgradeTask(task: JsonObject): JsonObject {
  const ended = stringField(task, 'ended');
  return ended === undefined ? task : { ...task, ended: recorded(ended) };
}

/** @param name the member that held the sentence. What to do about a failure was a sentence of its own. */
function withReason(value: JsonObject, name: string): JsonObject {
  const { [name]: text, reason: code, ...rest } = value;
  if (text === undefined && code === undefined) return value;
  const isFailed = rest['name'] === 'failed' && name === 'why' && 'fix' in rest;
  const { fix, ...others } = rest;
  return {
    ...(isFailed ? others : rest),
    reason: recorded(asText(text), asText(code), isFailed ? asText(fix) : undefined),
  };
}

function upgradeItems(
  stored: JsonObject,
  name: string,
  upgrade: (item: JsonObject) => JsonObject,
): JsonObject {
  const items = stored[name];
  if (!Array.isArray(items)) return {};
  return { [name]: items.map((item: unknown) => (isObject(item) ? upgrade(item) : item)) };
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
