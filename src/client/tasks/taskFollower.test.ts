import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { Log } from '../../log/log.ts';
import { parseWireId } from '../../log/protocol/wireId.ts';
import { StillClock } from '../testing/stillClock.ts';
import { TaskFollower } from './taskFollower.ts';

const TASK = { taskId: 't1', status: 'working', ttl: null, createdAt: '2026-01-01T00:00:00Z' };

/** A connection whose server answers each request about a task like this. */
function setUp(respond: () => JsonObject) {
  const log = new Log('s', new StillClock());
  const asked: string[] = [];
  let ids = 0;
  const follower = new TaskFollower({
    log,
    clock: new StillClock(),
    flushed: () => Promise.resolve(),
    newId: () => `id${(ids += 1)}`,
    connection: () => ({
      generation: 'core',
      callFacts: {},
      capabilities: { list: {} },
      ask: (id, method) => {
        asked.push(method);
        const message = { jsonrpc: '2.0', id, ...respond() };
        const { callId } = parseWireId(id);
        log.append({ body: { kind: 'received', stream: id, callId, raw: JSON.stringify(message) }, message });
        return Promise.resolve(message);
      },
      askAtLength: () => new Promise(() => undefined),
      resumeAnswer: () => new Promise(() => undefined),
    }),
    emit: () => undefined,
  });
  return { follower, asked, state: log.state };
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
    expect(state.continuations.tasks.size).toBe(0);
    expect([...state.calls.values()]).toMatchObject([
      { name: 'settled', error: { code: -32602 }, reason: { code: 'task-unknown' } },
    ]);
    follower.close();
  });
});
