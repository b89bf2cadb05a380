/** MCP 2026-07-28, Streamable HTTP: tools whose `x-mcp-header` marks are invalid must be left out. Pure. */
import type { Tool } from '@modelcontextprotocol/client';
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { leftOutText } from '../../log/shortTexts.ts';
import type { Sorted } from '../listItems.ts';
import { readMirrored } from './paramHeaders.ts';

export function leaveOutInvalid({ items, problems }: Sorted<Tool>): Sorted<Tool> {
  return {
    items: items.filter(({ inputSchema }) => readMirrored(inputSchema).ok),
    problems: [
      ...problems,
      ...items.flatMap(({ name, inputSchema }) => leftOut(name, inputSchema)).map(leftOutText),
    ],
  };
}

/** What is wrong with a tool, and its name. */
export interface LeftOutTool {
  readonly name: string;
  readonly text: string;
}

/** The same for the log. @param message the answer to `tools/list` */
export function leftOutTools(message: JsonObject): readonly LeftOutTool[] {
  const tools = objectField(message, 'result')?.['tools'];
  if (!Array.isArray(tools)) return [];
  return tools
    .filter(isObject)
    .flatMap((tool) => leftOut(stringField(tool, 'name') ?? '', tool['inputSchema']));
}

function leftOut(name: string, inputSchema: unknown): readonly LeftOutTool[] {
  const read = readMirrored(inputSchema);
  return read.ok ? [] : [{ name, text: read.error }];
}
