/** Makes a recorded log small enough to keep in the repository: short IDs, one port for all, and lists of one item. */
import { isObject, objectField, type JsonObject } from '../../src/base/json.ts';

const ULID = /\b01[0-9A-HJKMNP-TV-Z]{24}\b/g;
const ORIGIN = /127\.0\.0\.1:\d+/g;

/** @param text an export, one entry a line; what it is not about isn't changed */
export function compact(text: string): string {
  const names = new Map<string, string>();
  const short = text.replaceAll(ORIGIN, '127.0.0.1:3000').replaceAll(ULID, (id) => {
    const name = names.get(id) ?? `id${names.size + 1}`;
    names.set(id, name);
    return name;
  });
  return short
    .split('\n')
    .map((line) => (line.startsWith('{"seq"') ? compactLine(line) : line))
    .join('\n');
}

function compactLine(line: string): string {
  const comma = line.endsWith(',') ? ',' : '';
  const entry = JSON.parse(comma === '' ? line : line.slice(0, -1)) as JsonObject;
  const result = objectField(objectField(entry, 'message'), 'result');
  for (const name of ['tools', 'resources', 'resourceTemplates', 'prompts']) {
    const list = result?.[name];
    if (isObject(result) && Array.isArray(list)) result[name] = list.slice(0, 1);
  }
  return JSON.stringify(entry) + comma;
}
