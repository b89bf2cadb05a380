import type { Tool } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { NO_LISTS, type Catalog } from '../client/catalog/catalog.ts';
import type { Call } from '../log/state/call.ts';
import type { Task } from '../log/protocol/task.ts';
import type { Contents } from './newSince.ts';
import { Seen } from './seen.ts';

const tool = (name: string, description = ''): Tool => ({
  name,
  description,
  inputSchema: { type: 'object' },
});
const lists = (...tools: readonly Tool[]): Catalog => ({ ...NO_LISTS, tools, problems: {} });
const call = (id: string, settledAt?: number) =>
  ({
    id,
    server: 's',
    tool: 'echo',
    args: {},
    name: settledAt === undefined ? 'open' : 'settled',
    startedAt: 1,
    timeoutMs: 1,
    repeatable: false,
    received: 0,
    replayed: 0,
    duplicates: 0,
    ...(settledAt !== undefined && { settledAt }),
  }) as Call;
const task = (taskId: string, changedAt: number): Task => ({
  taskId,
  callId: taskId,
  generation: 'core',
  status: 'working',
  ttlMs: null,
  startedAt: 1,
  heardAt: 99,
  answered: [],
  changedAt,
});
const NOTHING: Contents = { lists: NO_LISTS, calls: [], tasks: [], logMessages: 0 };

/** A tab that looks at a server whose contents change. */
function openTab(first: Contents, texts = new Map<string, string>()) {
  let contents = first;
  const place = {
    readUntracked: (name: string) => texts.get(name),
    writeUntracked: (name: string, text: string | undefined) => void texts.set(name, text ?? ''),
  };
  const seen = new Seen(place, () => contents);
  seen.look([]);
  return {
    seen,
    texts,
    change: (change: Partial<Contents>) => {
      contents = { ...contents, ...change };
      seen.look([]);
    },
  };
}

describe('what is new since a section was last open', () => {
  it('is nothing in a tab that is opened', () => {
    const { seen } = openTab({
      lists: lists(tool('a')),
      calls: [call('c', 5)],
      tasks: [task('t', 5)],
      logMessages: 3,
    });
    for (const topic of ['tools', 'calls', 'tasks', 'logs'] as const) expect(seen.newIn(topic)).toBe(0);
  });

  it('is nothing when the lists are read for the first time', () => {
    const { seen, change } = openTab(NOTHING);
    change({ lists: lists(tool('a'), tool('b')) });
    expect(seen.newIn('tools')).toBe(0);
  });

  it('counts items that were added, removed and changed', () => {
    const { seen, change } = openTab({ ...NOTHING, lists: lists(tool('a'), tool('b'), tool('c')) });
    change({ lists: lists(tool('c'), tool('b', 'another'), tool('d')) });
    expect(seen.newIn('tools')).toBe(3);
    expect(seen.newIn('prompts')).toBe(0);
  });

  it('is nothing where items only moved, or where the list could not be read', () => {
    const { seen, change } = openTab({ ...NOTHING, lists: lists(tool('a'), tool('b')) });
    change({ lists: lists(tool('b'), tool('a')) });
    expect(seen.newIn('tools')).toBe(0);
    change({ lists: { ...NO_LISTS, problems: { tools: [{ code: 'list-rejected', rpcCode: -32603 }] } } });
    expect(seen.newIn('tools')).toBe(0);
  });

  it('counts log messages, tasks whose status changed, and calls that ended, each once', () => {
    const { seen, change } = openTab({ ...NOTHING, logMessages: 10, calls: [call('a', 5), call('b')] });
    change({
      logMessages: 60_010,
      calls: [call('a', 5), call('b', 7), call('c')],
      tasks: [task('t', 8), task('u', 9)],
    });
    expect(['logs', 'calls', 'tasks'].map((topic) => seen.newIn(topic as 'logs'))).toEqual([60_000, 1, 2]);
  });

  it('is cleared by opening, for this section only', () => {
    const { seen, change } = openTab(NOTHING);
    change({ logMessages: 2, calls: [call('a', 5)] });
    seen.look(['logs']);
    expect([seen.newIn('logs'), seen.newIn('calls')]).toEqual([0, 1]);
  });

  it('is the same after a reload', () => {
    const { change, texts } = openTab(NOTHING);
    const contents = { ...NOTHING, logMessages: 2 };
    change(contents);
    expect(openTab(contents, texts).seen.newIn('logs')).toBe(2);
  });
});
