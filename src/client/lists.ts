/** What a server offers, as it was last listed; and what has changed since the time before. */
import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { isObject, numberField } from '../base/json.ts';
import { count, reason } from '../base/words.ts';
import { leaveOutInvalid } from './eras/leftOutTools.ts';
import { readPrompts, readResources, readTemplates, readTools, type Sorted } from './listItems.ts';
import { readPages } from './readPages.ts';

export type ListName = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

export interface Lists {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
  /** What is wrong with a list, in words. Undefined: the lists were not read yet. */
  readonly problems?: Readonly<Partial<Record<ListName, string>>>;
}

interface ReadList<T> {
  readonly items: readonly T[];
  readonly problem?: string;
  readonly code?: number;
}

export const NO_LISTS: Lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };

const NONE: ReadList<never> = { items: [] };
/** JSON-RPC 2.0. */
const METHOD_NOT_FOUND = -32601;

/** The Client's own list methods refuse a whole list for one malformed item, and cache what `list_changed` made old. */
const ANY_RESULT = {
  '~standard': {
    version: 1,
    vendor: 'reprise',
    validate: (value: unknown) =>
      isObject(value) ? { value } : { issues: [{ message: 'The result is not an object.' }] },
  },
} as const;

export async function fetchLists(client: Client): Promise<Lists> {
  const capabilities = client.getServerCapabilities();
  const page = (method: string) => (cursor: string | undefined) =>
    client.request({ method, ...(cursor !== undefined && { params: { cursor } }) }, ANY_RESULT);
  const { tools, resources, prompts } = capabilities ?? {};
  const isStateless = client.getDiscoverResult() !== undefined;
  const readTheseTools = (raw: readonly unknown[]) =>
    isStateless ? leaveOutInvalid(readTools(raw)) : readTools(raw);
  const [toolList, resourceList, templateList, promptList] = await Promise.all([
    tools ? readList(page('tools/list'), 'tools', readTheseTools) : NONE,
    resources ? readList(page('resources/list'), 'resources', readResources) : NONE,
    resources ? readList(page('resources/templates/list'), 'resourceTemplates', readTemplates) : NONE,
    prompts ? readList(page('prompts/list'), 'prompts', readPrompts) : NONE,
  ]);
  const problems = {
    ...(toolList.problem !== undefined && { tools: toolList.problem }),
    ...(resourceList.problem !== undefined && { resources: resourceList.problem }),
    // Servers with resources and no templates often leave this method out.
    ...(templateList.problem !== undefined &&
      templateList.code !== METHOD_NOT_FOUND && { resourceTemplates: templateList.problem }),
    ...(promptList.problem !== undefined && { prompts: promptList.problem }),
  };
  return {
    tools: toolList.items,
    resources: resourceList.items,
    resourceTemplates: templateList.items,
    prompts: promptList.items,
    problems,
  };
}

/** What the server refuses is said beside its list; what goes wrong on the way there is for the connection. */
async function readList<T>(
  fetchPage: (cursor: string | undefined) => Promise<unknown>,
  itemsOf: ListName,
  read: (raw: readonly unknown[]) => Sorted<T>,
): Promise<ReadList<T>> {
  try {
    const pages = await readPages(fetchPage, itemsOf);
    const { items, problems } = read(pages.items);
    const all = [...(pages.problem === undefined ? [] : [pages.problem]), ...problems];
    return { items, ...(all.length > 0 && { problem: all.join(' ') }) };
  } catch (error) {
    const code = numberField(error, 'code');
    if (code === undefined) throw error;
    return { items: [], problem: `The server refused the list (${code}): ${reason(error)}`, code };
  }
}

/** "Tools: echo added, sum removed." Empty when nothing has changed. */
export function describeChanges(before: Lists, after: Lists): string {
  return [
    describe('Tools', names(before.tools), names(after.tools)),
    describe(
      'Resources',
      before.resources.map(({ uri }) => uri),
      after.resources.map(({ uri }) => uri),
    ),
    describe('Prompts', names(before.prompts), names(after.prompts)),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function names(items: readonly { readonly name: string }[]): readonly string[] {
  return items.map(({ name }) => name);
}

function describe(title: string, before: readonly string[], after: readonly string[]): string {
  const [old, current] = [new Set(before), new Set(after)];
  const added = [...current].filter((name) => !old.has(name));
  const removed = [...old].filter((name) => !current.has(name));
  const parts = [
    ...(added.length > 0 ? [`${few(added)} added`] : []),
    ...(removed.length > 0 ? [`${few(removed)} removed`] : []),
  ];
  return parts.length === 0 ? '' : `${title}: ${parts.join(', ')}.`;
}

function few(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(', ');
  return all.length <= 3 ? shown : `${shown} and ${count(all.length - 3, 'other')}`;
}
