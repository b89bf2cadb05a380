import { describe, expect, test } from 'vitest';
import { reasonText } from '../../log/reasons/reasonText.ts';
import { readPrompts, readResources, readTasks, readTools } from './listItems.ts';

describe('what is malformed in one item does not hide the others', () => {
  test('tools without a name are left out, and said; the rest is shown as far as it goes', () => {
    const { items, problems } = readTools([
      { name: 'good', inputSchema: { type: 'object' }, title: 'Good' },
      { description: 'no name' },
      'a word',
      { name: 'bare' },
      {
        name: 'odd',
        title: 7,
        description: {},
        icons: 'x',
        annotations: [],
        outputSchema: 3,
        inputSchema: [],
      },
      { name: 'good', inputSchema: {} },
    ]);
    expect(items).toEqual([
      { name: 'good', inputSchema: { type: 'object' }, title: 'Good' },
      { name: 'bare', inputSchema: { type: 'object' } },
      { name: 'odd', inputSchema: { type: 'object' } },
      { name: 'good', inputSchema: {} },
    ]);
    expect(problems).toEqual([
      { code: 'items-left-out', how: 'tools', skipped: 2 },
      { code: 'items-repeated', names: ['good'] },
    ]);
    expect(problems.map(reasonText)).toEqual([
      'Skipped 2 tools with no name.',
      'Listed more than once: good.',
    ]);
  });

  test('resources and prompts likewise', () => {
    expect(readResources([{ uri: 'a:b' }, { name: 'x' }])).toEqual({
      items: [{ uri: 'a:b', name: 'a:b' }],
      problems: [{ code: 'items-left-out', how: 'resources', skipped: 1 }],
    });
    expect(readPrompts([{ name: 'p', arguments: [{ name: 'a' }, {}, 'b'] }]).items).toEqual([
      { name: 'p', arguments: [{ name: 'a' }] },
    ]);
  });
});

test('reads the tasks of a list, and says how many it can’t', () => {
  const task = { taskId: 't', status: 'working', ttl: 5, inputRequests: { a: {} } };
  expect(readTasks([task, { taskId: 'u', status: 'painted' }, 5])).toEqual({
    items: [{ taskId: 't', status: 'working', ttlMs: 5 }],
    problems: [{ code: 'items-left-out', how: 'tasks', skipped: 2 }],
  });
});
