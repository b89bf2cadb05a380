import {
  isCreateTaskResultV2,
  isDetailedTaskV2,
  isTaskStatusNotificationV2,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import { describe, expect, it } from 'vitest';
import { eventually } from './testing/eventually.ts';
import { RawClient } from './testing/rawClient.ts';
import { RawModernClient, WITH_TASKS } from './testing/rawModernClient.ts';
import { withTarget } from './testing/withTarget.ts';

const yes = (answer: string) => ({ action: 'accept', content: { answer } });

describe('modern-tasks', () => {
  async function start() {
    const target = await withTarget('modern-tasks');
    return { target, client: new RawModernClient(target.url, { capabilities: WITH_TASKS }) };
  }

  async function until(client: RawModernClient, taskId: unknown, status: string) {
    let task = await client.task(taskId);
    await eventually(`the task is ${status}`, async () => {
      task = await client.task(taskId);
      return task['status'] === status;
    });
    expect(isDetailedTaskV2(task)).toBe(true);
    return task;
  }

  it('answers a long call with a handle, and the handle with the result', async () => {
    const { target, client } = await start();
    const created = await client.call('countdown', { ticks: 3, intervalMs: 20 });
    expect(isCreateTaskResultV2(created)).toBe(true);
    expect(created).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: 600_000,
      pollIntervalMs: 250,
    });
    expect(created).not.toHaveProperty('content');
    expect(await client.task(created['taskId'])).toMatchObject({
      resultType: 'complete',
      taskId: created['taskId'],
    });
    const task = await until(client, created['taskId'], 'completed');
    expect(task).toMatchObject({
      result: { structuredContent: { ticks: [1, 2, 3] } },
      statusMessage: 'tick 3 of 3',
    });
    expect(target.stats().calls).toEqual({ countdown: 1 });
  });

  it('answers at once those who did not declare tasks, and refuses them a tool that is only a task', async () => {
    const { client } = await start();
    const without = new RawModernClient(client.url);
    expect(await without.call('countdown', { ticks: 1, intervalMs: 1 })).toMatchObject({
      resultType: 'complete',
    });
    const needs = {
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    };
    expect(await without.ask('tools/call', { name: 'render' })).toMatchObject({ error: needs });
    expect(await without.ask('tasks/get', { taskId: 'any' })).toMatchObject({ error: needs });
    const filter = { notifications: { taskIds: ['any'] } };
    expect(await without.ask('subscriptions/listen', filter)).toMatchObject({ error: needs });
  });

  it('keeps short answers short: not every tool becomes a task', async () => {
    const { client } = await start();
    expect(await client.call('big', { bytes: 3 })).toMatchObject({
      resultType: 'complete',
      content: [{ text: '012' }],
    });
  });

  it('asks through the task, each key once', async () => {
    const { client } = await start();
    const { taskId } = await client.call('interview', { questions: 2 });
    for (const number of [1, 2]) {
      const key = `question-${number}`;
      const task = await until(client, taskId, 'input_required');
      expect(Object.keys(task['inputRequests'] as object)).toEqual([key]);
      const acknowledged = await client.request('tasks/update', {
        taskId,
        inputResponses: { [key]: yes(String(number)), unknown: {} },
      });
      expect(acknowledged).toMatchObject({ resultType: 'complete' });
    }
    const task = await until(client, taskId, 'completed');
    expect(task['result']).toMatchObject({ content: [{ text: 'accept: 1 · accept: 2' }] });
  });

  it('tells a tool error from a crash', async () => {
    const { client } = await start();
    const failed = await client.call('fail', {});
    expect(await until(client, failed['taskId'], 'completed')).toMatchObject({ result: { isError: true } });
    const crashed = await client.call('crash', {});
    expect(await until(client, crashed['taskId'], 'failed')).toMatchObject({ error: { code: -32050 } });
  });

  it('cancels, and acknowledges a cancellation that comes too late', async () => {
    const { client } = await start();
    const { taskId } = await client.call('countdown', { ticks: 1000, intervalMs: 1000 });
    expect(await client.request('tasks/cancel', { taskId })).not.toHaveProperty('status');
    expect(await client.task(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await client.request('tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' });
  });

  it('forgets a task when its time is up, or when it is told to', async () => {
    const { target, client } = await start();
    const long = await client.call('countdown', { ticks: 1000, intervalMs: 1000 });
    await target.control('short-tasks');
    const short = await client.call('countdown', { ticks: 0 });
    expect(short).toMatchObject({ ttlMs: 3000 });
    await target.control('expire-tasks');
    const gone = { error: { code: -32602, message: 'Failed to retrieve task: Task has expired' } };
    for (const { taskId } of [long, short])
      expect(await client.ask('tasks/get', { taskId })).toMatchObject(gone);
    await target.control('long-tasks');
    expect(await client.call('countdown', { ticks: 0 })).toMatchObject({ ttlMs: 600_000 });
  });

  it('tells those who listen how their task is going', async () => {
    const { target, client } = await start();
    const { taskId } = await client.call('countdown', { ticks: 4, intervalMs: 250 });
    const other = await client.call('countdown', { ticks: 2, intervalMs: 150 });
    const notifications = { taskIds: [taskId], toolsListChanged: true };
    const stream = await client.open('subscriptions/listen', { notifications });
    expect((await stream.next())?.message).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications },
    });
    await target.control('announce');
    const heard = await stream.readUntil(
      ({ message }) => (message?.['params'] as { status?: string } | undefined)?.status === 'completed',
    );
    const messages = heard.map(({ message }) => message);
    const told = messages.filter((message) => message?.['method'] === 'notifications/tasks');
    expect(messages.length - told.length).toBe(1);
    expect(told.length).toBeGreaterThan(0);
    expect(told.every(isTaskStatusNotificationV2)).toBe(true);
    expect(JSON.stringify(told)).not.toContain(other['taskId']);
    stream.leave();
  });

  it('has forgotten everything after a restart', async () => {
    const { target, client } = await start();
    const { taskId } = await client.call('countdown', { ticks: 100, intervalMs: 100 });
    await target.control('restart');
    expect(await client.ask('tasks/get', { taskId })).toMatchObject({
      error: { code: -32602, message: 'Failed to retrieve task: Task not found' },
    });
  });
});

describe('tasks-2025', () => {
  async function start() {
    const target = await withTarget('tasks-2025');
    const client = await RawClient.connect(target.url, { capabilities: { elicitation: {}, sampling: {} } });
    const call = async (name: string, args: object, task?: object) => {
      const answer = await client.request('tools/call', { name, arguments: args, ...(task && { task }) });
      return answer as { result?: Record<string, unknown>; error?: { code: number } };
    };
    const begin = async (name: string, args: object, task: object = {}) => {
      const { result } = await call(name, args, task);
      return result?.['task'] as { taskId: string; status: string; ttl: number; pollInterval: number };
    };
    return { target, client, call, begin };
  }

  it('says which tools can be tasks, and which must', async () => {
    const { client, call } = await start();
    const { result } = await client.request('tools/list');
    const support = Object.fromEntries(
      (result as { tools: { name: string; execution: { taskSupport: string } }[] }).tools.map((tool) => [
        tool.name,
        tool.execution.taskSupport,
      ]),
    );
    expect(support).toMatchObject({ countdown: 'optional', render: 'required', burst: 'forbidden' });
    expect((await call('render', {})).error?.code).toBe(-32601);
    expect((await call('burst', {}, {})).error?.code).toBe(-32601);
  });

  it('keeps the result for whoever has the handle, in this session or another', async () => {
    const { target, client, begin } = await start();
    const task = await begin('countdown', { ticks: 3, intervalMs: 20 }, { ttl: 60_000 });
    expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 250 });
    await target.control('expire-sessions');
    expect((await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
    const next = await RawClient.connect(target.url);
    const { result } = await next.request('tasks/result', { taskId: task.taskId });
    expect(result).toMatchObject({
      structuredContent: { ticks: [1, 2, 3] },
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } },
    });
    expect(await next.request('tasks/get', { taskId: task.taskId })).toMatchObject({
      result: { status: 'completed' },
    });
    expect(await next.request('tasks/list')).toMatchObject({ result: { tasks: [{ taskId: task.taskId }] } });
  });

  it('asks on the stream of tasks/result, and goes on with the answer', async () => {
    const { client, begin } = await start();
    const { taskId } = await begin('ask', { question: 'Name?' });
    await eventually('the task waits', async () => {
      const { result } = await client.request('tasks/get', { taskId });
      return (result as { status: string }).status === 'input_required';
    });
    const stream = await client.open({
      jsonrpc: '2.0',
      id: 'fetch',
      method: 'tasks/result',
      params: { taskId },
    });
    const [question] = (
      await stream.readUntil(({ message }) => message?.['method'] === 'elicitation/create')
    ).slice(-1);
    expect(question?.message).toMatchObject({ params: { message: 'Name?' } });
    await client.post({ jsonrpc: '2.0', id: question?.message?.['id'], result: yes('Ada') });
    const rest = await stream.readAll();
    expect(rest.at(-1)?.message).toMatchObject({ result: { content: [{ text: 'accept: Ada' }] } });
  });

  it('answers tasks/result as the call would have been answered', async () => {
    const { client, begin } = await start();
    const failed = await begin('fail', {});
    expect(await client.request('tasks/result', { taskId: failed.taskId })).toMatchObject({
      result: { isError: true },
    });
    const crashed = await begin('crash', {});
    expect(await client.request('tasks/result', { taskId: crashed.taskId })).toMatchObject({
      error: { code: -32050 },
    });
    expect(await client.request('tasks/get', { taskId: crashed.taskId })).toMatchObject({
      result: { status: 'failed' },
    });
  });

  it('cancels, and forgets what has expired', async () => {
    const { target, client, begin } = await start();
    const { taskId } = await begin('countdown', { ticks: 1000, intervalMs: 1000 });
    expect(await client.request('tasks/cancel', { taskId })).toMatchObject({
      result: { status: 'cancelled' },
    });
    await target.control('expire-tasks');
    expect(await client.request('tasks/get', { taskId })).toMatchObject({ error: { code: -32602 } });
  });

  it('tells the standalone stream how a task is going', async () => {
    const { client, begin } = await start();
    const stream = await client.get();
    await begin('countdown', { ticks: 2, intervalMs: 20 });
    const heard = await stream.readUntil(
      ({ message }) => (message?.['params'] as { status?: string } | undefined)?.status === 'completed',
    );
    expect(heard.at(-1)?.message).toMatchObject({ method: 'notifications/tasks/status' });
    stream.leave();
  });
});
