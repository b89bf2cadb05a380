import { expect, it } from 'vitest';
import { leaveOutInvalid, leftOutTools } from './leftOutTools.ts';

const tool = (name: string, header: string) => ({
  name,
  inputSchema: { type: 'object' as const, properties: { a: { type: 'string', 'x-mcp-header': header } } },
});
const tools = [tool('good', 'Region'), tool('bad', 'a b')];

it('leaves a tool with an invalid mark out, and says why', () => {
  const { items, problems } = leaveOutInvalid({ items: tools, problems: ['Before.'] });
  expect(items.map(({ name }) => name)).toEqual(['good']);
  expect(problems).toEqual(['Before.', expect.stringContaining('The tool “bad” is left out')]);
  expect(leftOutTools({ result: { tools } })).toEqual([
    { name: 'bad', text: expect.stringContaining('x-mcp-header of “a”') as string },
  ]);
});
