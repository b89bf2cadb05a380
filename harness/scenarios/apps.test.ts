import { expect, it } from 'vitest';
import type { Tool } from '../contract.ts';
import { appToolOf } from './apps.ts';

const tool = (name: string, hint: Partial<Tool> = {}): Tool => ({
  name,
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  _meta: { ui: { resourceUri: `ui://${name}` } },
  ...hint,
});
const READS = { annotations: { readOnlyHint: true } };

it('takes the tool that was named, if it has a view', () => {
  const named = { name: 'a', args: { x: 1 }, why: 'named' };
  expect(appToolOf({ tools: [tool('b', READS), tool('a')], tool: named })).toBe(named);
});

it('takes a tool with a view that only reads, with its required arguments', () => {
  expect(appToolOf({ tools: [tool('writes'), tool('reads', READS)], tool: undefined })).toEqual({
    name: 'reads',
    args: { city: expect.any(String) as string },
  });
});

it('never calls a tool by itself that may write', () => {
  expect(appToolOf({ tools: [tool('writes')], tool: undefined })).toBeUndefined();
});
