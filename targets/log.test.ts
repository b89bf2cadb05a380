import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonLines, LOG_EVENTS, type LogRecord } from './core/log.ts';
import { MemoryEventStore } from './core/memoryEventStore.ts';
import type { StartOptions } from './startTarget.ts';
import { eventually } from './testing/eventually.ts';
import { RawClient } from './testing/rawClient.ts';
import { isMessageFrame } from './testing/rawStream.ts';
import { leaveNoticed, withTarget } from './testing/withTarget.ts';

const ASKABLE = { elicitation: {}, sampling: {}, roots: {} };

/** A target whose log is kept, and a client in a session of it. */
async function logged(profile: string, overrides: StartOptions['overrides'] = {}) {
  const records: LogRecord[] = [];
  const target = await withTarget(profile, { overrides, log: (record) => records.push(record) });
  const client = await RawClient.connect(target.url, { capabilities: ASKABLE });
  const of = (prefix: string) => records.filter(({ event }) => event.startsWith(prefix));
  const until = (event: LogRecord['event']) =>
    eventually(`${event} is in the log`, () => records.some((record) => record.event === event));
  return { target, client, of, until };
}

describe('the log of a target', () => {
  it('has a row in the README for every event, with its level', () => {
    const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
    const [, section = ''] = /## Log\n(.*?)\n## /s.exec(readme) ?? [];
    const rows = [...section.matchAll(/^\| `([\w.]+)` *\| (\w+) /gm)].map(([, event, level]) => [
      event,
      level,
    ]);
    expect(rows).toEqual(Object.entries(LOG_EVENTS));
  });

  it('is JSON lines, from a level on', () => {
    const lines: string[] = [];
    const log = jsonLines('warn', (line) => lines.push(line));
    log({ event: 'session.created', session: 'a' });
    log({ event: 'tool.failed', session: 'a', tool: 'fail' });
    log({ event: 'http.failed', path: '/mcp' });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: expect.any(String), level: 'warn', event: 'tool.failed', session: 'a', tool: 'fail' },
      { time: expect.any(String), level: 'error', event: 'http.failed', path: '/mcp' },
    ]);
  });

  it('tells of a session: created, resumed, an unknown event ID, reaped, ended', async () => {
    const { target, client, of, until } = await logged('resumable', { idleMs: 1000, reapEveryMs: 10 });
    const session = client.sessionId;
    const stream = await client.call('countdown', { ticks: 5, intervalMs: 20 });
    const lastEventId = (await stream.readUntil(isMessageFrame)).at(-1)?.id;
    await leaveNoticed(target, stream);
    await (await client.get(lastEventId)).readAll();
    await (await client.get('0123456789abcdef.7')).readAll();
    await until('session.ended');
    expect(of('session.')).toEqual([
      { event: 'session.created', session },
      { event: 'session.resumed', session, lastEventId },
      expect.objectContaining({ event: 'session.error', session }),
      { event: 'session.reaped', session },
      { event: 'session.ended', session, why: 'idle' },
    ]);
    expect(of('event_store.unknown_id')).toEqual([
      { event: 'event_store.unknown_id', session, eventId: '0123456789abcdef.7' },
    ]);
  });

  it('tells of a tool: finished, failed by a result and by an error, cancelled', async () => {
    const { client, of, until } = await logged('resumable');
    await (await client.call('countdown', { ticks: 1, intervalMs: 1 })).readAll();
    await (await client.call('fail', { afterMs: 0 })).readAll();
    await (await client.call('crash', { afterMs: 0 })).readAll();
    await client.call('countdown', { ticks: 1000, intervalMs: 1000 }, { id: 'long' });
    await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } });
    await until('tool.cancelled');
    expect(of('tool.').map(({ event, tool }) => [event, tool])).toEqual([
      ['tool.called', 'countdown'],
      ['tool.finished', 'countdown'],
      ['tool.called', 'fail'],
      ['tool.failed', 'fail'],
      ['tool.called', 'crash'],
      ['tool.failed', 'crash'],
      ['tool.called', 'countdown'],
      ['tool.cancelled', 'countdown'],
    ]);
    expect(of('tool.')[0]).toMatchObject({ session: client.sessionId });
  });

  it('tells of questions: requested, answered, expired', async () => {
    const { client, of, until } = await logged('resumable', { answerTimeoutMs: 200 });
    const asked = await client.call('ask', { question: 'Now?' });
    const question = (await asked.readUntil(isMessageFrame)).at(-1)?.message;
    await client.post({ jsonrpc: '2.0', id: question?.['id'], result: { action: 'decline' } });
    await asked.readAll();
    await (await client.call('ask', { question: 'Nobody?' })).readAll();
    await (await client.call('sample', { prompt: 'Nobody?' })).readAll();
    await until('sampling.expired');
    expect([...of('elicitation.'), ...of('sampling.')].map(({ event }) => event)).toEqual([
      'elicitation.requested',
      'elicitation.answered',
      'elicitation.requested',
      'elicitation.expired',
      'sampling.requested',
      'sampling.expired',
    ]);
  });

  it('tells of tasks: created, completed, failed, cancelled, expired', async () => {
    const { target, client, of, until } = await logged('tasks-2025');
    const begin = async (name: string, args: object) => {
      const { result } = await client.request('tools/call', { name, arguments: args, task: {} });
      return (result as { task: { taskId: string } }).task.taskId;
    };
    const done = await begin('countdown', { ticks: 1, intervalMs: 1 });
    await until('task.completed');
    const failed = await begin('crash', { afterMs: 0 });
    await until('task.failed');
    const cancelled = await begin('countdown', { ticks: 100, intervalMs: 1000 });
    await client.request('tasks/cancel', { taskId: cancelled });
    await until('task.cancelled');
    await target.control('expire-tasks');
    expect(of('task.').map(({ event, task }) => [event, task])).toEqual([
      ['task.created', done],
      ['task.completed', done],
      ['task.created', failed],
      ['task.failed', failed],
      ['task.created', cancelled],
      ['task.cancelled', cancelled],
      ['task.expired', done],
      ['task.expired', failed],
      ['task.expired', cancelled],
    ]);
  });

  it('tells of an event store that fills up', async () => {
    const { client, of } = await logged('resumable', {
      createEventStore: (log) => new MemoryEventStore({ maxEvents: 30, log }),
    });
    await (await client.call('burst', { count: 60 })).readAll();
    const [first, second] = of('event_store.');
    expect(first).toMatchObject({ event: 'event_store.near_limit', session: client.sessionId });
    expect(second).toMatchObject({ event: 'event_store.evicted' });
  });
});
