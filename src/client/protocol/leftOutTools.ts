/** MCP 2026-07-28, Streamable HTTP: tools whose `x-mcp-header` marks are invalid must be left out. Pure. */
import type { Tool } from '@modelcontextprotocol/client';
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { ReasonOf } from '../../log/reasons/reason.ts';
import type { Sorted } from './listItems.ts';
import { readMirrored } from './paramHeaders.ts';

export function leaveOutInvalid({ items, problems }: Sorted<Tool>): Sorted<Tool> {
  return {
    items: items.filter(({ inputSchema }) => readMirrored(inputSchema).ok),
    problems: [...problems, ...items.flatMap(({ name, inputSchema }) => leftOut(name, inputSchema))],
  };
}

/** The same for the log. @param message the answer to `tools/list` */
export function leftOutTools(message: JsonObject): readonly ReasonOf<'tool-left-out'>[] {
  const tools = objectField(message, 'result')?.['tools'];
  if (!Array.isArray(tools)) return [];
  return tools
    .filter(isObject)
    .flatMap((tool) => leftOut(stringField(tool, 'name') ?? '', tool['inputSchema']));
}

function leftOut(name: string, inputSchema: unknown): readonly ReasonOf<'tool-left-out'>[] {
  const read = readMirrored(inputSchema);
  return read.ok ? [] : [{ code: 'tool-left-out', name, because: read.error }];
}
