/** What a server offers, as it was last listed; and what has changed since the time before. */
import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { count } from '../base/words.ts';

export interface Lists {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
}

export const NO_LISTS: Lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };

/** The Client never hears of `list_changed`, so its cache would serve what was. It reads all pages, up to a bound. */
const FRESH = { cacheMode: 'refresh' } as const;

export async function fetchLists(client: Client): Promise<Lists> {
  const capabilities = client.getServerCapabilities();
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    capabilities?.tools ? client.listTools(undefined, FRESH).then((list) => list.tools) : [],
    capabilities?.resources ? client.listResources(undefined, FRESH).then((list) => list.resources) : [],
    // Servers with resources and no templates often leave this method out.
    capabilities?.resources
      ? client.listResourceTemplates(undefined, FRESH).then(
          (list) => list.resourceTemplates,
          () => [],
        )
      : [],
    capabilities?.prompts ? client.listPrompts(undefined, FRESH).then((list) => list.prompts) : [],
  ]);
  return { tools, resources, resourceTemplates, prompts };
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
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
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
