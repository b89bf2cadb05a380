/** The items of a list as they can be shown: what is malformed in one of them does not hide the others. */
import type { Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { ListName } from '../../log/reasons/listNames.ts';
import { readTask, type ListedTask } from '../../log/protocol/task.ts';

export interface Sorted<T> {
  readonly items: readonly T[];
  /** What was left out, or is odd. */
  readonly problems: readonly Reason[];
}

export function readTools(raw: readonly unknown[]): Sorted<Tool> {
  return sort(raw, 'tools', 'name', (item, name) => ({
    ...plain(item),
    name,
    inputSchema: objectField(item, 'inputSchema') ?? { type: 'object' },
    ...pickObject(item, 'outputSchema'),
    ...pickObject(item, 'annotations'),
  })) as Sorted<Tool>;
}

export function readResources(raw: readonly unknown[]): Sorted<Resource> {
  return sort(raw, 'resources', 'uri', (item, uri) => ({
    ...plain(item),
    uri,
    name: stringField(item, 'name') ?? uri,
  }));
}

export function readTemplates(raw: readonly unknown[]): Sorted<ResourceTemplateType> {
  return sort(raw, 'resourceTemplates', 'uriTemplate', (item, uriTemplate) => ({
    ...plain(item),
    uriTemplate,
    name: stringField(item, 'name') ?? uriTemplate,
  }));
}

/** What a task waits for is no business of a list. */
export function readTasks(raw: readonly unknown[]): Sorted<ListedTask> {
  const items = raw.flatMap((item) => {
    const { inputRequests: _, ...task } = readTask(item) ?? {};
    return 'taskId' in task ? [task] : [];
  });
  return { items, problems: leftOut('tasks', raw.length - items.length) };
}

export function readPrompts(raw: readonly unknown[]): Sorted<Prompt> {
  return sort(raw, 'prompts', 'name', (item, name) => {
    const given = item['arguments'];
    const named = Array.isArray(given)
      ? given.filter(isObject).flatMap((argument) => {
          const argumentName = stringField(argument, 'name');
          return argumentName === undefined ? [] : [{ ...plain(argument), name: argumentName }];
        })
      : undefined;
    return { ...plain(item), name, ...(named && { arguments: named }) };
  });
}

function sort<T>(
  raw: readonly unknown[],
  list: ListName,
  key: string,
  read: (item: JsonObject, key: string) => T,
): Sorted<T> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  const items = raw.flatMap((item) => {
    const name = stringField(item, key);
    if (!isObject(item) || name === undefined || name === '') return [];
    if (seen.has(name)) twice.add(name);
    seen.add(name);
    return [read(item, name)];
  });
  return {
    items,
    problems: [
      ...leftOut(list, raw.length - items.length),
      ...(twice.size > 0 ? [{ code: 'items-repeated', names: [...twice].slice(0, 3) } as const] : []),
    ],
  };
}

function leftOut(how: ListName, skipped: number): readonly Reason[] {
  return skipped > 0 ? [{ code: 'items-left-out', how, skipped }] : [];
}

/** The fields that are drawn as they are, where they are of the right type; all others are looked into where they are used. */
function plain(item: JsonObject): JsonObject {
  const texts = ['title', 'description', 'mimeType'].filter(
    (field) => field in item && typeof item[field] !== 'string',
  );
  const misplaced = ['annotations', 'outputSchema', '_meta', 'execution'].filter(
    (field) => field in item && !isObject(item[field]),
  );
  const lists = 'icons' in item && !Array.isArray(item['icons']) ? ['icons'] : [];
  const dropped = new Set([...texts, ...misplaced, ...lists]);
  return dropped.size === 0
    ? item
    : Object.fromEntries(Object.entries(item).filter(([field]) => !dropped.has(field)));
}

function pickObject(item: JsonObject, field: string): JsonObject {
  const value = objectField(item, field);
  return value ? { [field]: value } : {};
}
