import type { Tool } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { searchTools, titleOf } from './toolWords.ts';

const inputSchema = { type: 'object' } as const;
const TOOLS: readonly Tool[] = [
  {
    name: 'read_file',
    title: 'Read a file',
    description: 'From the disk',
    inputSchema,
    annotations: { readOnlyHint: true },
  },
  {
    name: 'rm',
    description: 'Removes a file',
    inputSchema,
    annotations: { destructiveHint: true, title: 'Remove' },
  },
  { name: 'echo', inputSchema },
];

test.each([
  ['', ['read_file', 'rm', 'echo']],
  ['FILE', ['read_file', 'rm']],
  ['file disk', ['read_file']],
  ['destructive', ['rm']],
  ['read-only file', ['read_file']],
  ['nothing of this', []],
])('“%s” finds %j', (words, names) => {
  expect(searchTools(TOOLS, words).map(({ name }) => name)).toEqual(names);
});

test('a tool is called by its title, its annotated title, or its name', () => {
  expect(TOOLS.map(titleOf)).toEqual(['Read a file', 'Remove', 'echo']);
});
