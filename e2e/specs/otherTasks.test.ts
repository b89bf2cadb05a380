/** The page's client on tasks that another client started: listed, followed to the result, cancelled. */
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.ts';
import { createReprise } from '../../src/client/console/reprise.ts';
import { ServerLogin } from '../../src/client/servers/serverLogin.ts';
import { Workspace } from '../../src/client/workspace/workspace.ts';
import { MemoryStore } from '../../src/storage/memoryStore.ts';
import { ConnectionBudget } from '../../src/wire/connectionBudget.ts';
import { textResult } from '../../targets/core/toolContext.ts';
import { defineTool } from '../../targets/core/toolTable.ts';
import { RawClient } from '../../targets/testing/rawClient.ts';
import { withTarget } from '../../targets/testing/withTarget.ts';
import { openLocalLog } from '../../src/recorder/localLog.ts';

function openReprise() {
  let selected: string | undefined;
  const workspace = Workspace.open(
    {
      store: new MemoryStore(),
      clock: systemClock,
      openLog: openLocalLog,
      tabTexts: { read: () => undefined, write: () => undefined },
      fetch: (url, init) => fetch(url, init),
      locks: undefined,
      budgetFor: () => new ConnectionBudget(systemClock),
      clientInfo: { name: 'test', version: '0' },
      makeLogin: (login, options) => new ServerLogin(login, options),
      pageOrigin: 'http://localhost',
      isOnline: () => true,
      redirectUrl: 'http://localhost/',
      findWorker: () => Promise.resolve(undefined),
      prepare: () => Promise.resolve(),
    },
    { read: () => selected, write: (id) => (selected = id), holdsBack: () => false },
  );
  return createReprise(workspace, '0', Promise.resolve());
}

it('lists tasks that were not started here, follows one to its result, and cancels another', async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const held = defineTool({
    name: 'held',
    taskSupport: 'optional',
    title: 'Held',
    description: 'Ends when the test says so.',
    input: z.object({}),
    run: async () => {
      await ended;
      return textResult('Held, and let go.');
    },
  });
  const target = await withTarget('tasks-2025', { overrides: { extraTools: [held] } });
  const other = await RawClient.connect(target.url);
  const start = async () => {
    const { result } = await other.request('tools/call', { name: 'held', arguments: {}, task: {} });
    return (result as { task: { taskId: string } }).task.taskId;
  };
  const [followed, cancelled] = [await start(), await start()];

  const reprise = openReprise();
  await reprise.connect(target.url);
  const statusOf = (id: string) => reprise.otherTasks().find(({ taskId }) => taskId === id)?.status;
  expect([statusOf(followed), statusOf(cancelled)]).toEqual(['working', 'working']);
  expect(reprise.tasks()).toEqual([]);
  await reprise.cancelTask(cancelled);
  expect(statusOf(cancelled)).toBe('cancelled');

  const id = await reprise.followTask(followed);
  expect(statusOf(followed)).toBeUndefined();
  expect(reprise.tasks()).toMatchObject([{ taskId: followed, callId: id, status: 'working' }]);
  end();
  const outcome = () => reprise.calls().find((call) => call.id === id);
  await vi.waitFor(() => expect(outcome()?.name).toBe('settled'), { timeout: 10_000 });
  expect(outcome()).toMatchObject({
    method: 'tasks/result',
    result: { content: [{ text: 'Held, and let go.' }] },
  });
  await expect(reprise.followTask('unknown')).rejects.toThrow('Task not found');
  await reprise.disconnect();
}, 30_000);
