import { expect, test } from 'vitest';
import { parseLists } from './knownServer.ts';
import { NO_LISTS } from '../catalog/catalog.ts';

test('the problems of stored lists come back as they were', () => {
  const lists = { ...NO_LISTS, problems: { tools: [{ code: 'list-missing', how: 'tools' }] } } as const;
  expect(parseLists(structuredClone(lists))).toEqual(lists);
  expect(parseLists({ ...NO_LISTS, problems: {} })).toEqual({ ...NO_LISTS, problems: {} });
  expect(parseLists(NO_LISTS)).toEqual(NO_LISTS);
});

test('a sentence that an earlier build has stored stays a sentence; nonsense is dropped', () => {
  expect(parseLists({ ...NO_LISTS, problems: { tools: 'No list.', prompts: 7, tasks: [{}] } })).toEqual({
    ...NO_LISTS,
    problems: { tools: [{ code: 'recorded', text: 'No list.' }] },
  });
  expect(parseLists({ tools: 3 })).toEqual(NO_LISTS);
});
