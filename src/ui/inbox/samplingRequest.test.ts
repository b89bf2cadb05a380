import { expect, test } from 'vitest';
import { readMessages, readPreferences } from './samplingRequest.ts';

test('reads the prompt and every message, block by block', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const messages = readMessages({
    systemPrompt: 'Be short.',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Hello' } },
      { role: 'assistant', content: [{ type: 'text', text: 'a' }, image] },
      7,
    ],
  });
  expect(messages).toEqual([
    { role: 'system', blocks: [{ type: 'text', text: 'Be short.' }] },
    { role: 'user', blocks: [{ type: 'text', text: 'Hello' }] },
    { role: 'assistant', blocks: [{ type: 'text', text: 'a' }, image] },
    { role: 'user', blocks: [undefined] },
  ]);
});

test('reads what is wished of the model, and nothing that was not said', () => {
  const params = {
    modelPreferences: { hints: [{ name: 'claude' }, { name: 'sonnet' }, {}], speedPriority: 0.2 },
    maxTokens: 100,
    stopSequences: ['END', 3],
    includeContext: 'none',
    tools: [{ name: 'search' }],
  };
  expect(readPreferences(params)).toEqual([
    ['models', 'claude, sonnet'],
    ['speed priority', '0.2'],
    ['max tokens', '100'],
    ['stop sequences', 'END'],
    ['context', 'none'],
    ['tools', 'search'],
  ]);
  expect(readPreferences({})).toEqual([]);
});
