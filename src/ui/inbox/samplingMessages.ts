/** The messages of a sampling request, as far as they can be read as text. */
import { isObject, stringField } from '../../base/json.ts';

export interface SamplingMessage {
  readonly role: string;
  readonly text: string;
}

export function readMessages(params: object): readonly SamplingMessage[] {
  const system = stringField(params, 'systemPrompt');
  const messages = isObject(params) ? params['messages'] : undefined;
  return [
    ...(system === undefined ? [] : [{ role: 'system', text: system }]),
    ...(Array.isArray(messages) ? messages.map(readMessage) : []),
  ];
}

function readMessage(message: unknown): SamplingMessage {
  const content = isObject(message) ? message['content'] : undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return {
    role: stringField(message, 'role') ?? 'user',
    text: blocks.map((block) => stringField(block, 'text') ?? JSON.stringify(block)).join('\n'),
  };
}
