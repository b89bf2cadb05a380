import { expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/format.ts';
import { settled, testLog } from '../../recorder/testing/testLog.ts';
import type { Task } from '../../log/protocol/task.ts';
import { TaskResults } from './taskResults.ts';

const CALL = '01CALL';
const LEFT = `${CALL}.result.old`;
const TASK: Task = {
  taskId: 'task-1',
  callId: CALL,
  generation: 'core',
  status: 'input_required',
  ttlMs: null,
  startedAt: 0,
  heardAt: 0,
  answered: [],
};

function setUp() {
  const timers: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    random: () => 0,
    after: (_ms, fn) => {
      timers.push(fn);
      return () => void timers.splice(timers.indexOf(fn), 1);
    },
  };
  const log = testLog(clock);
  const notes: string[] = [];
  const asked: string[] = [];
  let end: (() => void) | undefined;
  const ends = () => new Promise<never>((_, reject) => (end = () => reject(new Error('no answer'))));
  const requests = {
    askAtLength: (id: string, method: string) => (asked.push(`${method} ${id}`), ends()),
    resumeAnswer: (id: string, cursor: string) => (asked.push(`${id} from ${cursor}`), ends()),
  };
  const results = new TaskResults({ log, clock, newId: () => 'new' });
  log.appended.on(({ entries }) => {
    for (const entry of entries) if (entry.kind === 'note') notes.push(entry.reason.code);
  });
  const wait = () => results.await(requests, TASK).catch((error: unknown) => errorMessage(error));
  const leave = async () => {
    log.append({ body: { kind: 'sent', stream: LEFT, callId: CALL, method: 'tasks/result', raw: '{}' } });
    log.append({ body: { kind: 'position', stream: LEFT, eventId: 'e1' } });
    await log.folded();
  };
  const ask = (stream: string) => {
    const method = 'elicitation/create';
    log.append({ body: { kind: 'received', stream, method, raw: '{}' }, message: { id: 1, method } });
  };
  return { wait, leave, ask, asked, notes, end: () => end?.(), passTime: () => timers.map((fn) => fn()) };
}

it('resumes the stream that an earlier page has left, and asks anew when that is dead', async () => {
  const { wait, leave, asked, end } = setUp();
  await leave();
  const first = wait();
  end();
  expect(await first).toBe('no answer');
  void wait();
  expect(asked).toEqual([`${LEFT} from e1`, `tasks/result ${CALL}.result.new`]);
});

it('says so when a task that waits for an answer does not ask again', async () => {
  const { wait, notes, passTime } = setUp();
  void wait();
  passTime();
  await settled();
  expect(notes).toEqual(['task-odd']);
});

it('says nothing when it asks, or when its result is there', async () => {
  const asks = setUp();
  void asks.wait();
  asks.ask(`${CALL}.result.new`);
  await settled();
  asks.passTime();
  const ends = setUp();
  const over = ends.wait();
  ends.end();
  await over;
  ends.passTime();
  await settled();
  expect([...asks.notes, ...ends.notes]).toEqual([]);
});
