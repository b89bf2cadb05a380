import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { StreamEnd } from '../../log/entry/entry.ts';
import { settled, testLog } from '../../recorder/testing/testLog.ts';
import { Subscription } from './subscription.ts';
import { reasonText } from '../../log/reasons/reasonText.ts';

const FILTER = { toolsListChanged: true, resourceSubscriptions: ['a:b'] };

/** Timers run when they are told to. */
class StillClock implements Clock {
  waiting: (() => void)[] = [];
  now = () => 0;
  random = () => 0;

  after(_ms: number, fn: () => void): () => void {
    this.waiting.push(fn);
    return () => void (this.waiting = this.waiting.filter((one) => one !== fn));
  }

  async run(): Promise<void> {
    await settled();
    const due = this.waiting;
    this.waiting = [];
    for (const fn of due) fn();
  }
}

function setUp(refusal?: Error) {
  const clock = new StillClock();
  const log = testLog(clock);
  const opened: { id: string; filter: JsonObject; signal: AbortSignal }[] = [];
  const [notes, troubles, answers]: [string[], string[], unknown[]] = [[], [], []];
  const subscription = new Subscription({
    log,
    clock,
    newId: () => `listen-${opened.length + 1}`,
    listen: (id, filter, signal) => {
      opened.push({ id, filter, signal });
      return refusal ? Promise.reject(refusal) : Promise.resolve();
    },
    emit: (event) => {
      if (event.kind === 'trouble') troubles.push(reasonText(event.reason));
    },
    onAnswer: (filter, honored, refusal) => answers.push({ filter, honored, refusal }),
  });
  log.appended.on(({ entries }) => {
    for (const entry of entries) if (entry.kind === 'note') notes.push(reasonText(entry.reason));
  });
  const receive = (message: JsonObject) => {
    const { method } = message;
    const stream = opened.at(-1)?.id ?? '';
    const raw = JSON.stringify(message);
    log.append({
      body: { kind: 'received', stream, raw, ...(typeof method === 'string' && { method }) },
      message,
    });
    return settled();
  };
  const end = (how: StreamEnd) => {
    log.append({ body: { kind: 'stream-end', stream: opened.at(-1)?.id ?? '', how } });
    return settled();
  };
  const acknowledge = (notifications: JsonObject) =>
    receive({ method: 'notifications/subscriptions/acknowledged', params: { notifications } });
  return { subscription, clock, opened, notes, troubles, answers, receive, end, acknowledge };
}

describe('the stream of changes', () => {
  it('says what the server will not tell of', async () => {
    const { subscription, acknowledge, notes, answers } = setUp();
    subscription.want(FILTER);
    await acknowledge({ toolsListChanged: true });
    expect(notes).toEqual(['The server declined to send updates for resourceSubscriptions.']);
    expect(answers).toEqual([{ filter: FILTER, honored: { toolsListChanged: true }, refusal: undefined }]);
  });

  it('is opened again under a new id, whether the server ends it with an answer, closes it or breaks it', async () => {
    const { subscription, clock, opened, troubles, receive, end } = setUp();
    subscription.want(FILTER);
    await receive({ id: 'listen-1', result: {} });
    await end('answered');
    await clock.run();
    await end('closed');
    await clock.run();
    expect(troubles).toEqual([]);
    await end('broken');
    await clock.run();
    expect(troubles).toEqual(['Connection lost.']);
    expect(opened.map(({ id }) => id)).toEqual(['listen-1', 'listen-2', 'listen-3', 'listen-4']);
  });

  it('is heard until the next one is acknowledged, and left alone when the same is wanted', async () => {
    const { subscription, opened, acknowledge } = setUp();
    subscription.want(FILTER);
    await acknowledge(FILTER);
    subscription.want({ ...FILTER });
    expect(opened).toHaveLength(1);
    subscription.want({ toolsListChanged: true });
    expect(opened[0]?.signal.aborted).toBe(false);
    await acknowledge({ toolsListChanged: true });
    expect(opened.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    subscription.want({});
    expect(opened[1]?.signal.aborted).toBe(true);
  });

  it('is not asked for again where the server refuses it, by a status or by an error', async () => {
    const refused = setUp(Object.assign(new Error('not here'), { data: { status: 404 } }));
    refused.subscription.want(FILTER);
    await Promise.resolve();
    const failed = setUp();
    failed.subscription.want(FILTER);
    await failed.receive({ id: 'listen-1', error: { code: -32601, message: 'not here' } });
    for (const { clock, opened, answers } of [refused, failed]) {
      await clock.run();
      expect(opened).toHaveLength(1);
      expect(answers).toEqual([
        { filter: FILTER, honored: {}, refusal: { code: 'no-stream', text: 'not here' } },
      ]);
    }
  });
});
