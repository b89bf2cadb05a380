/** The tools that must be left out because their `x-mcp-header` marks are invalid, in words. Pure. */
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { readMirrored } from './paramHeaders.ts';

/** @param message the answer to `tools/list` */
export function leftOutTools(message: JsonObject): readonly string[] {
  const tools = objectField(message, 'result')?.['tools'];
  if (!Array.isArray(tools)) return [];
  return tools.filter(isObject).flatMap((tool) => {
    const read = readMirrored(tool['inputSchema']);
    return read.ok ? [] : [`The tool “${stringField(tool, 'name') ?? ''}” is left out: ${read.error}.`];
  });
}
