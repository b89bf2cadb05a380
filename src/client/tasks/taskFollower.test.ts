import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { settled, testLog } from '../../recorder/testing/testLog.ts';
import { parseWireId } from '../../log/protocol/wireId.ts';
import { StillClock } from '../testing/stillClock.ts';
import { TaskFollower } from './taskFollower.ts';

const TASK = {
  taskId: 't1',
  status: 'working',
  ttl: null,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
};

/** A connection whose server answers each request about a task like this. */
function setUp(respond: (method: string) => JsonObject) {
  const clock = new StillClock();
  const log = testLog(clock);
  const asked: string[] = [];
  const ask = (id: string, method: string) => {
    asked.push(method);
    const message = { jsonrpc: '2.0', id, ...respond(method) };
    const { callId } = parseWireId(id);
    log.append({ body: { kind: 'received', stream: id, callId, raw: JSON.stringify(message) }, message });
    return Promise.resolve(message);
  };
  let ids = 0;
  const follower = new TaskFollower({
    log,
    clock,
    newId: () => `id${(ids += 1)}`,
    connection: () => ({
      generation: 'core',
      callFacts: {},
      capabilities: { list: {} },
      ask,
      askAtLength: ask,
      resumeAnswer: () => new Promise(() => undefined),
    }),
    emit: () => undefined,
  });
  return { follower, asked, clock, state: log.state };
}

describe('a task that was not started here', () => {
  it('is followed as a request of its own, which the next page finds', async () => {
    const { follower, asked, state } = setUp(() => ({ result: TASK }));
    const callId = await follower.adopt('t1');
    expect(asked).toEqual(['tasks/get']);
    expect(state.continuations.tasks.get('t1')).toMatchObject({
      callId,
      generation: 'core',
      status: 'working',
    });
    expect(state.snapshot().calls).toMatchObject([
      { id: callId, method: 'tasks/result', tool: 't1', taskId: 't1', name: 'open' },
    ]);
    follower.close();
  });

  it('is followed once', async () => {
    const { follower, state } = setUp(() => ({ result: TASK }));
    expect(await follower.adopt('t1')).toBe(await follower.adopt('t1'));
    expect(state.calls.size).toBe(1);
    follower.close();
  });

  it('that the server does not know is not followed, and no request stays open', async () => {
    const { follower, state } = setUp(() => ({ error: { code: -32602, message: 'Task not found' } }));
    await expect(follower.adopt('t1')).rejects.toThrow('Task not found');
    await settled();
    expect(state.continuations.tasks.size).toBe(0);
    expect([...state.calls.values()]).toMatchObject([
      { name: 'settled', error: { code: -32602 }, reason: { code: 'task-unknown' } },
    ]);
    follower.close();
  });
});

describe('a task whose result is refused with the error that means “no such task”', () => {
  const refusal = { code: -32602, message: 'MCP error -32602: Task not found: t1' };

  /** Says these things of the task, the last one for good; its result is always refused. */
  const follow = (...gets: readonly JsonObject[]) => followTo(refusal, ...gets);

  async function followTo(error: JsonObject, ...gets: readonly JsonObject[]) {
    let next = 0;
    const { follower, asked, clock, state } = setUp((method) =>
      method === 'tasks/get' ? (gets[Math.min(next++, gets.length - 1)] ?? {}) : { error },
    );
    const callId = await follower.adopt('t1');
    follower.resume();
    await vi.waitFor(async () => {
      await clock.to(clock.time + 1000);
      expect(state.calls.get(callId)?.settledAt).toBeDefined();
    });
    follower.close();
    return { asked, call: state.calls.get(callId) };
  }
  const is = (status: string) => ({ result: { ...TASK, status } });

  it.each(['working', 'input_required', 'completed'])(
    'is lost if tasks/get does not know it any more, %s as it was',
    async (status) => {
      const { call } = await follow(is(status), { error: refusal });
      expect(call).toMatchObject({ name: 'lost', reason: { code: 'task-unknown' } });
    },
  );

  it('has failed with that error if the task has failed', async () => {
    const { call, asked } = await follow(is('input_required'), is('failed'));
    expect(call).toMatchObject({ name: 'settled', error: refusal });
    expect(asked).toEqual(['tasks/get', 'tasks/result', 'tasks/get', 'tasks/result']);
  });

  it('has failed at once with an error that means something else', async () => {
    const error = { code: -32603, message: 'Out of paper' };
    const { call, asked } = await followTo(error, is('input_required'));
    expect(call).toMatchObject({ name: 'settled', error });
    expect(asked).toEqual(['tasks/get', 'tasks/result']);
  });

  it('is asked for once more if it is not completed yet', async () => {
    const { asked } = await follow(is('input_required'), is('input_required'), is('completed'));
    expect(asked.filter((method) => method === 'tasks/result')).toHaveLength(2);
  });

  it('ends with that error if the server says that the task is completed', async () => {
    const { call, asked } = await follow(is('completed'));
    expect(call).toMatchObject({
      name: 'settled',
      error: refusal,
      reason: { code: 'task-odd', how: 'result-refused' },
    });
    expect(asked).toEqual(['tasks/get', 'tasks/result', 'tasks/get']);
  });
});
