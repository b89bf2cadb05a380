/** A sampling request as a person reads it: who says what, and what is wished of the model. */
import { isObject, numberField, objectField, stringField } from '../../base/json.ts';

export interface SamplingMessage {
  readonly role: string;
  readonly blocks: readonly unknown[];
}

export function readMessages(params: object): readonly SamplingMessage[] {
  const system = stringField(params, 'systemPrompt');
  const messages = isObject(params) ? params['messages'] : undefined;
  return [
    ...(system === undefined ? [] : [{ role: 'system', blocks: [{ type: 'text', text: system }] }]),
    ...(Array.isArray(messages) ? messages.map(readMessage) : []),
  ];
}

/** Names and values; only what the server has said. */
export function readPreferences(params: object): readonly (readonly [string, string])[] {
  const preferences = objectField(params, 'modelPreferences');
  const number = (label: string, from: unknown, name: string) => {
    const value = numberField(from, name);
    return value === undefined ? [] : [[label, String(value)] as const];
  };
  const list = (label: string, words: readonly string[]) =>
    words.length === 0 ? [] : [[label, words.join(', ')] as const];
  const context = stringField(params, 'includeContext');
  return [
    ...list('models', namesIn(preferences?.['hints'])),
    ...number('cost priority', preferences, 'costPriority'),
    ...number('speed priority', preferences, 'speedPriority'),
    ...number('intelligence priority', preferences, 'intelligencePriority'),
    ...number('max tokens', params, 'maxTokens'),
    ...number('temperature', params, 'temperature'),
    ...list('stop sequences', wordsIn(isObject(params) ? params['stopSequences'] : undefined)),
    ...(context === undefined ? [] : [['context', context] as const]),
    ...list('tools', namesIn(isObject(params) ? params['tools'] : undefined)),
  ];
}

function readMessage(message: unknown): SamplingMessage {
  const content = isObject(message) ? message['content'] : undefined;
  return {
    role: stringField(message, 'role') ?? 'user',
    blocks: Array.isArray(content) ? content : [content],
  };
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.flatMap((one) => stringField(one, 'name') ?? []) : [];
}

function wordsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];
}
