/** MCP 2026-07-28, Streamable HTTP: tools whose `x-mcp-header` marks are invalid must be left out. Pure. */
import type { Tool } from '@modelcontextprotocol/client';
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { Sorted } from '../listItems.ts';
import { readMirrored } from './paramHeaders.ts';

export function leaveOutInvalid({ items, problems }: Sorted<Tool>): Sorted<Tool> {
  return {
    items: items.filter(({ inputSchema }) => readMirrored(inputSchema).ok),
    problems: [...problems, ...items.flatMap(({ name, inputSchema }) => whyLeftOut(name, inputSchema))],
  };
}

/** The same in words, for the log. @param message the answer to `tools/list` */
export function leftOutTools(message: JsonObject): readonly string[] {
  const tools = objectField(message, 'result')?.['tools'];
  if (!Array.isArray(tools)) return [];
  return tools
    .filter(isObject)
    .flatMap((tool) => whyLeftOut(stringField(tool, 'name') ?? '', tool['inputSchema']));
}

function whyLeftOut(name: string, inputSchema: unknown): readonly string[] {
  const read = readMirrored(inputSchema);
  return read.ok ? [] : [`The tool “${name}” is left out: ${read.error}.`];
}
