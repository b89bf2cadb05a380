import { expect, test } from 'vitest';
import { exportCalls } from '../../src/state/exportCalls.ts';
import { parseCallsFile } from './callsFile.ts';

test('saved calls become a file that verify --calls reads, with the output schema expected where there is one', () => {
  const saved = [
    { name: 'small', tool: 'sum', args: { a: 1 } },
    { name: 'hello', tool: 'echo', args: {} },
  ];
  const text = exportCalls(saved, [{ name: 'sum', outputSchema: { type: 'object' } }, { name: 'echo' }]);
  const calls = parseCallsFile(text, 'calls.json');
  expect(calls.map(({ name, tool, args }) => ({ name, tool, args }))).toEqual(saved);
  expect(calls.map(({ expect: { schema } }) => schema)).toEqual([true, undefined]);
  expect(calls.every(({ expect: { status, reload } }) => status === 'result' && reload)).toBe(true);
});
