import { expect, it } from 'vitest';
import { reasonText } from '../../log/reasons/reasonText.ts';
import { leaveOutInvalid, leftOutTools } from './leftOutTools.ts';

const tool = (name: string, header: string) => ({
  name,
  inputSchema: { type: 'object' as const, properties: { a: { type: 'string', 'x-mcp-header': header } } },
});
const tools = [tool('good', 'Region'), tool('bad', 'a b')];

it('leaves a tool with an invalid mark out, and says why', () => {
  const before = { code: 'items-left-out', how: 'tools', skipped: 1 } as const;
  const { items, problems } = leaveOutInvalid({ items: tools, problems: [before] });
  expect(items.map(({ name }) => name)).toEqual(['good']);
  const leftOut = {
    code: 'tool-left-out',
    name: 'bad',
    because: { code: 'param-header', how: 'not-a-token', name: 'a', text: '"a b"' },
  } as const;
  expect(problems).toEqual([before, leftOut]);
  expect(leftOutTools({ result: { tools } })).toEqual([leftOut]);
  expect(reasonText(leftOut)).toBe(
    'Skipped tool “bad”: x-mcp-header of “a” isn’t a valid header name: "a b".',
  );
});
