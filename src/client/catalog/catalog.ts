/** What a server offers, as it was last listed; and what has changed since the time before. */
import type {
  InitializeResult,
  Prompt,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@modelcontextprotocol/client';
import { numberField } from '../../base/json.ts';
import { errorMessage } from '../../base/format.ts';
import type { Reason, ReasonOf } from '../../log/reasons/reason.ts';
import type { ListName } from '../../log/reasons/listNames.ts';
import type { Few, FewChanged, ListChange } from '../../log/reasons/reasonFacts.ts';
import type { ProtocolDriver } from '../protocol/driver.ts';
import type { ListedTask } from '../../log/protocol/task.ts';
import {
  readPrompts,
  readResources,
  readTasks,
  readTemplates,
  readTools,
  type Sorted,
} from '../protocol/listItems.ts';
import type { Peer } from '../link/peer.ts';
import type { Session } from '../link/session.ts';
import { readPages } from './readPages.ts';

export interface Catalog {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
  /** MCP 2025-11-25, Tasks: all that the server lists, whoever started them. Undefined: it doesn't list its tasks. */
  readonly tasks?: readonly ListedTask[];
  /** What is wrong with a list. Undefined: the lists were not read yet. */
  readonly problems?: ListProblems;
}

export type ListProblems = Readonly<Partial<Record<ListName, readonly Reason[]>>>;

export interface ReadList<T> {
  readonly items: readonly T[];
  /** Never empty. */
  readonly problems?: readonly Reason[];
  /** Of a JSON-RPC error. */
  readonly code?: number;
}

/** A connection, as far as its lists matter. */
export interface Offering {
  readonly peer: Pick<Peer, 'request'>;
  readonly session: Pick<Session, 'handshake'>;
  readonly driver: Pick<ProtocolDriver, 'usableTools'>;
}

export const NO_LISTS: Catalog = { tools: [], resources: [], resourceTemplates: [], prompts: [] };

const NONE: ReadList<never> = { items: [] };
/** JSON-RPC 2.0. */
const METHOD_NOT_FOUND = -32601;

/** Each list on its own: `onList` is told of one as soon as it is there. */
export async function fetchLists(
  offering: Offering,
  onList: (name: ListName, list: ReadList<unknown>) => void = () => undefined,
): Promise<Catalog> {
  const { peer, driver, session } = offering;
  const page = (method: string) => pagesOf(peer, method);
  const { tools, resources, prompts } = session.handshake.capabilities;
  const read = async <T>(
    isOffered: unknown,
    name: ListName,
    method: string,
    sort: (raw: readonly unknown[]) => Sorted<T>,
  ): Promise<ReadList<T>> => {
    const list = isOffered ? await readList(page(method), name, sort) : NONE;
    onList(name, list);
    return list;
  };
  const [toolList, resourceList, templateList, promptList, taskList] = await Promise.all([
    read(tools, 'tools', 'tools/list', (raw) => driver.usableTools(readTools(raw))),
    read(resources, 'resources', 'resources/list', readResources),
    read(resources, 'resourceTemplates', 'resources/templates/list', readTemplates),
    read(prompts, 'prompts', 'prompts/list', readPrompts),
    fetchTasks(offering),
  ]);
  const problems = {
    ...(toolList.problems && { tools: toolList.problems }),
    ...(resourceList.problems && { resources: resourceList.problems }),
    // Servers with resources and no templates often leave this method out.
    ...(templateList.problems &&
      templateList.code !== METHOD_NOT_FOUND && { resourceTemplates: templateList.problems }),
    ...(promptList.problems && { prompts: promptList.problems }),
    ...(taskList?.problems && { tasks: taskList.problems }),
  };
  return {
    tools: toolList.items,
    resources: resourceList.items,
    resourceTemplates: templateList.items,
    prompts: promptList.items,
    ...(taskList && { tasks: taskList.items }),
    problems,
  };
}

/** @returns nothing where the server doesn't list its tasks */
export async function fetchTasks({
  peer,
  session,
}: Pick<Offering, 'peer' | 'session'>): Promise<ReadList<ListedTask> | undefined> {
  if (session.handshake.capabilities.tasks?.list === undefined) return undefined;
  return readList(pagesOf(peer, 'tasks/list'), 'tasks', readTasks);
}

function pagesOf(peer: Offering['peer'], method: string) {
  return (cursor: string | undefined) => peer.request(method, cursor === undefined ? undefined : { cursor });
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
    const all = [...(pages.problem ? [pages.problem] : []), ...problems];
    return { items, ...(all.length > 0 && { problems: all }) };
  } catch (error) {
    const code = numberField(error, 'code');
    if (code === undefined) throw error;
    return {
      items: [],
      problems: [{ code: 'list-rejected', rpcCode: code, text: errorMessage(error) }],
      code,
    };
  }
}

/** Which lists have changed, and how. */
export function listChanges(before: Catalog, after: Catalog): readonly ListChange[] {
  return [
    ...changeOf('tools', named(before.tools), named(after.tools)),
    ...changeOf('resources', byUri(before.resources), byUri(after.resources)),
    ...changeOf('resourceTemplates', named(before.resourceTemplates), named(after.resourceTemplates)),
    ...changeOf('prompts', named(before.prompts), named(after.prompts)),
  ];
}

type Named = ReadonlyMap<string, object>;

/** More names than these are only counted. */
const NAMED = 3;

const named = (items: readonly { readonly name: string }[]): Named =>
  new Map(items.map((item) => [item.name, item]));
const byUri = (items: readonly { readonly uri: string }[]): Named =>
  new Map(items.map((item) => [item.uri, item]));

function changeOf(list: ListChange['list'], before: Named, after: Named): readonly ListChange[] {
  const added = [...after.keys()].filter((name) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after].flatMap(([name, item]) => {
    const old = before.get(name);
    const fields = old ? changedFields(old, item) : [];
    return fields.length > 0 ? [{ name, fields }] : [];
  });
  if (added.length + removed.length + changed.length === 0) return [];
  return [{ list, added: few(added), removed: few(removed), changed: fewChanged(changed) }];
}

function changedFields(before: object, after: object): readonly string[] {
  const [old, current] = [Object.entries(before), Object.entries(after)].map(
    (entries) => new Map(entries.map(([field, value]) => [field, JSON.stringify(value)])),
  );
  const fields = new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])]);
  return [...fields].filter((field) => old?.get(field) !== current?.get(field));
}

function few(all: readonly string[]): Few {
  return { number: all.length, names: all.slice(0, NAMED) };
}

function fewChanged(all: NonNullable<FewChanged['items']>): FewChanged {
  return { number: all.length, items: all.slice(0, NAMED) };
}

/** What a server says of itself, where that has changed. */
export function serverChange(
  before: InitializeResult,
  after: InitializeResult,
): ReasonOf<'server-changed'> | undefined {
  const [was = '', now = ''] = [before, after].map(
    ({ serverInfo: { name, version } }) => `${name} ${version}`,
  );
  const names = changedFields(before.capabilities, after.capabilities);
  if (was === now && names.length === 0) return undefined;
  return {
    code: 'server-changed',
    ...(was !== now && { was, now }),
    ...(names.length > 0 && { names }),
  };
}
