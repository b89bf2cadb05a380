import { expect, test } from 'vitest';
import { readMessages } from './samplingMessages.ts';

test('reads the prompt and every message as text', () => {
  const messages = readMessages({
    systemPrompt: 'Be short.',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Hello' } },
      { role: 'assistant', content: [{ type: 'text', text: 'a' }, { type: 'image' }] },
    ],
  });
  expect(messages).toEqual([
    { role: 'system', text: 'Be short.' },
    { role: 'user', text: 'Hello' },
    { role: 'assistant', text: 'a\n{"type":"image"}' },
  ]);
});
