/** What is new in a section since it was last open: a mark is taken of what a section shows, and compared later. Pure. */
import { assertNever } from '../base/assertNever.ts';
import type { Catalog } from '../client/inspector/index.ts';
import { isToolCall, type Call } from '../log/state/call.ts';
import type { Task } from '../log/protocol/task.ts';

export const TOPICS = ['tools', 'resources', 'prompts', 'tasks', 'logs', 'calls'] as const;
export type Topic = (typeof TOPICS)[number];
type ListTopic = 'tools' | 'resources' | 'prompts';

/** What a server has, as far as it can be new. */
export interface Contents {
  readonly lists: Catalog;
  readonly calls: readonly Call[];
  readonly tasks: readonly Task[];
  /** All log messages that the server ever sent. */
  readonly logMessages: number;
}

/** @returns nothing where the contents aren't known yet: all of them would be new later */
export function markOf(topic: Topic, contents: Contents): string | undefined {
  switch (topic) {
    case 'tools':
    case 'resources':
    case 'prompts':
      return markOfList(topic, contents.lists);
    case 'logs':
      return String(contents.logMessages);
    case 'tasks':
      return String(latest(contents.tasks, changedAt));
    case 'calls':
      return String(latest(contents.calls, endedAt));
    default:
      return assertNever(topic);
  }
}

export function newSince(topic: Topic, mark: string, contents: Contents): number {
  switch (topic) {
    case 'tools':
    case 'resources':
    case 'prompts': {
      const now = markOfList(topic, contents.lists);
      return now === undefined || now === mark ? 0 : differences(parseDigests(mark), parseDigests(now));
    }
    case 'logs':
      return Math.max(0, contents.logMessages - Number(mark));
    case 'tasks':
      return contents.tasks.filter((task) => changedAt(task) > Number(mark)).length;
    case 'calls':
      return contents.calls.filter((call) => endedAt(call) > Number(mark)).length;
    default:
      return assertNever(topic);
  }
}

const changedAt = (task: Task): number => task.changedAt ?? 0;
const endedAt = (call: Call): number => (isToolCall(call) ? (call.settledAt ?? 0) : 0);

function latest<T>(all: readonly T[], timeOf: (one: T) => number): number {
  return all.reduce((last, one) => Math.max(last, timeOf(one)), 0);
}

/** A digest of each item, by a digest of what identifies it. */
type Digests = ReadonlyMap<string, string>;

/** Lists are replaced, never changed: the marks of each are made once. */
const marks = new WeakMap<Catalog, Map<ListTopic, string>>();

function markOfList(topic: ListTopic, lists: Catalog): string | undefined {
  const { problems } = lists;
  // A list that the server rejected is shown empty, and nothing of it is known.
  if (!problems || problems[topic] !== undefined) return undefined;
  const made = marks.get(lists) ?? new Map<ListTopic, string>();
  marks.set(lists, made);
  const mark = made.get(topic) ?? itemsOf(topic, lists).map(digest).join(' ');
  made.set(topic, mark);
  return mark;
}

function itemsOf(topic: ListTopic, lists: Catalog): readonly object[] {
  return topic === 'resources' ? [...lists.resources, ...lists.resourceTemplates] : lists[topic];
}

function digest(item: { readonly uri?: string; readonly uriTemplate?: string; readonly name?: string }) {
  const identity = item.uri ?? item.uriTemplate ?? item.name ?? '';
  return `${hash(identity)}:${hash(JSON.stringify(item))}`;
}

function parseDigests(mark: string): Digests {
  return new Map(mark.split(' ').flatMap((pair) => (pair === '' ? [] : [splitPair(pair)])));
}

function splitPair(pair: string): readonly [string, string] {
  const [identity = '', item = ''] = pair.split(':');
  return [identity, item];
}

/** How many items were added, removed or changed. */
function differences(before: Digests, after: Digests): number {
  const removed = [...before.keys()].filter((identity) => !after.has(identity));
  const others = [...after].filter(([identity, item]) => before.get(identity) !== item);
  return removed.length + others.length;
}

/** FNV-1a, 32 bits. A collision hides one change, and nothing else. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(36);
}
