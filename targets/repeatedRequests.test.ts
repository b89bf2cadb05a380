import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryEventStore } from './core/memoryEventStore.ts';
import { eventually } from './testing/eventually.ts';
import { RawClient } from './testing/rawClient.ts';
import { isMessageFrame, isResponseFrame, type RawFrame } from './testing/rawStream.ts';
import { leaveNoticed, withTarget } from './testing/withTarget.ts';
import type { StartOptions } from './startTarget.ts';

const COUNTDOWN = { ticks: 5, intervalMs: 20 };

/** A client whose call can be sent again, byte for byte. */
async function withCall(profile: string, options?: StartOptions, version?: string) {
  const target = await withTarget(profile, options);
  const client = await RawClient.connect(target.url, version === undefined ? {} : { version });
  const call = (tool = 'countdown', args: object = COUNTDOWN) => client.call(tool, args, { id: 'again' });
  const runs = () => target.stats().calls;
  const settled = () =>
    eventually('the call ends', () => target.stats().sessions[0]?.streams['again']?.settled === true);
  return { target, client, call, runs, settled };
}

const messages = (frames: readonly RawFrame[]) => frames.filter(isMessageFrame);
const progressIn = (frames: readonly RawFrame[]) =>
  frames.flatMap(({ message }) => (message?.['params'] as { progress?: number } | undefined)?.progress ?? []);

describe('resumable: a request that is sent again', () => {
  it('runs once, and the second POST gets the stream from its first event to the result', async () => {
    const { target, client, call, runs } = await withCall('resumable');
    const first = await call();
    const [priming] = await first.readUntil(isMessageFrame);
    await leaveNoticed(target, first);
    const frames = await (await call()).readAll();
    expect(frames[0]).toEqual(priming);
    expect(messages(frames)).toHaveLength(11);
    expect(progressIn(frames)).toEqual([1, 2, 3, 4, 5]);
    expect(frames.at(-1)?.message).toMatchObject({ id: 'again', result: {} });
    expect(await (await client.get(priming?.id)).readAll()).toEqual(frames.slice(1));
    expect(runs()).toEqual({ countdown: 1 });
    expect(target.stats().sessions[0]?.repeats).toBe(1);
  });

  it('sends the same events on both connections while the first is still open', async () => {
    const { call, runs } = await withCall('resumable');
    const streams = await Promise.all([call(), call(), call()]);
    const [first, second, third] = await Promise.all(streams.map((stream) => stream.readAll()));
    expect(messages(first ?? [])).toHaveLength(11);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(runs()).toEqual({ countdown: 1 });
  });

  it('gets the stored answer after the call has ended', async () => {
    const { call, runs } = await withCall('resumable');
    const first = await (await call('fail', { afterMs: 1 })).readAll();
    expect(await (await call('fail', { afterMs: 1 })).readAll()).toEqual(first);
    expect(runs()).toEqual({ fail: 1 });
  });

  it('has an event ID at once, also before the first message, and can be resumed from it', async () => {
    const { target, client, call, runs } = await withCall('resumable');
    const first = await call('fail', { afterMs: 300 });
    const priming = await first.next();
    await leaveNoticed(target, first);
    const second = await call('fail', { afterMs: 300 });
    expect(await second.next()).toEqual(priming);
    await leaveNoticed(target, second);
    const rest = await (await client.get(priming?.id)).readAll();
    expect(rest).toMatchObject([{ message: { id: 'again', result: { isError: true } } }]);
    expect(runs()).toEqual({ fail: 1 });
  });

  it('is refused with another body, and what runs under that ID goes on', async () => {
    const { client, call, runs } = await withCall('resumable');
    const stream = await call();
    const other = await call('countdown', { ...COUNTDOWN, ticks: 6 });
    expect(other.status).toBe(400);
    expect(await other.response.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.stringContaining('request ID "again" was already used') },
    });
    const ping = { jsonrpc: '2.0', id: 'again', method: 'ping' };
    expect((await client.post(ping)).status).toBe(400);
    expect(messages(await stream.readAll())).toHaveLength(11);
    expect((await client.post(ping)).status).toBe(400);
    expect(runs()).toEqual({ countdown: 1 });
  });

  it('is another request if its ID is a number instead of a string', async () => {
    const { client } = await withCall('resumable');
    const post = async (id: string | number, method: string) =>
      (await client.open({ jsonrpc: '2.0', id, method })).readAll();
    expect((await post(1, 'ping')).at(-1)?.message).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect((await post('1', 'tools/list')).at(-1)?.message).toMatchObject({
      id: '1',
      result: { tools: expect.any(Array) },
    });
  });

  it('leaves notifications and answers of the client alone', async () => {
    const { target } = await withCall('resumable');
    const client = await RawClient.connect(target.url, { capabilities: { elicitation: {} } });
    const note = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
    expect([(await client.post(note)).status, (await client.post(note)).status]).toEqual([202, 202]);
    const stream = await client.call('ask', { question: 'Who?' }, { id: 0 });
    const asked = (await stream.readUntil(isMessageFrame)).at(-1)?.message;
    // The server counts its own requests: this answer has the ID of the call.
    expect(asked?.['id']).toBe(0);
    const answer = { jsonrpc: '2.0', id: 0, result: { action: 'decline' } };
    expect([(await client.post(answer)).status, (await client.post(answer)).status]).toEqual([202, 202]);
    expect((await stream.readAll()).some(isResponseFrame)).toBe(true);
  });

  it('is not taken for received if the first was refused', async () => {
    const { target, client, runs } = await withCall('resumable');
    const wrong = new RawClient(target.url, { version: '1999-01-01' });
    wrong.sessionId = client.sessionId;
    const call = (one: RawClient) => one.call('countdown', COUNTDOWN, { id: 'again' });
    expect((await call(wrong)).status).toBe(400);
    expect(messages(await (await call(client)).readAll())).toHaveLength(11);
    expect(runs()).toEqual({ countdown: 1 });
  });

  it('ends without a response when the call is cancelled', async () => {
    const { target, client, call, runs } = await withCall('resumable');
    const streams = await Promise.all([call('fail', { afterMs: 60_000 }), call('fail', { afterMs: 60_000 })]);
    await Promise.all(streams.map((stream) => stream.next()));
    await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'again' } });
    expect(await Promise.all(streams.map((stream) => stream.readAll()))).toEqual([[], []]);
    expect((await (await call('fail', { afterMs: 60_000 })).readAll()).some(isResponseFrame)).toBe(false);
    expect(runs()).toEqual({ fail: 1 });
    expect(target.stats().sessions[0]?.openStreams).toBe(0);
  });

  it('ends when the session ends', async () => {
    const { target, call } = await withCall('resumable');
    const streams = await Promise.all([call('fail', { afterMs: 60_000 }), call('fail', { afterMs: 60_000 })]);
    await Promise.all(streams.map((stream) => stream.next()));
    await target.control('expire-sessions');
    expect(await Promise.all(streams.map((stream) => stream.readAll()))).toEqual([[], []]);
    expect(target.stats().sessions[0]?.openStreams).toBe(0);
  });

  it('is refused rather than run again when its events are no longer stored', async () => {
    const createEventStore = () => new MemoryEventStore({ maxEvents: 20 });
    const { client, call, runs } = await withCall('resumable', { overrides: { createEventStore } });
    await (await call()).readAll();
    await (await client.call('countdown', { ticks: 15, intervalMs: 1 })).readAll();
    const again = await call();
    expect(again.status).toBe(400);
    expect(await again.response.json()).toMatchObject({ error: { code: -32600 } });
    expect(runs()).toEqual({ countdown: 2 });
  });

  it('gets the answer of a client before 2025-11-25, whose streams have no first event ID', async () => {
    const { target, call, runs } = await withCall('resumable', undefined, '2025-06-18');
    const first = await call();
    await first.next();
    await leaveNoticed(target, first);
    const running = await (await call()).readAll();
    expect(running).toMatchObject([{ message: { id: 'again', result: {} } }]);
    expect(await (await call()).readAll()).toEqual(running);
    expect(runs()).toEqual({ countdown: 1 });
  });

  it('runs once, whenever and however often it is sent again, and every reader gets all of it', async () => {
    const { client, runs } = await withCall('resumable');
    const repeat = fc.record({ afterMs: fc.nat(70), leaves: fc.boolean() });
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(repeat, { minLength: 1, maxLength: 5 }), async (repeats) => {
        calls += 1;
        const call = () => client.call('countdown', { ticks: 6, intervalMs: 10 }, { id: calls });
        const read = async ({ afterMs, leaves }: { afterMs: number; leaves: boolean }) => {
          await new Promise((resolve) => setTimeout(resolve, afterMs));
          const stream = await call();
          if (leaves) return stream.leave();
          expect(progressIn(await stream.readAll())).toEqual([1, 2, 3, 4, 5, 6]);
        };
        await Promise.all([{ afterMs: 0, leaves: false }, ...repeats].map(read));
        expect(runs()).toEqual({ countdown: calls });
      }),
      { numRuns: 15 },
    );
  });
});

describe.each([
  ['json', 'application/json', {}],
  ['no-replay', 'text/event-stream', {}],
  ['resumable', 'application/json', { overrides: { jsonResponses: true } }],
] as const)('%s: a request that is sent again', (profile, type, options) => {
  it(`gets the answer of the first as ${type}, during the call and after it`, async () => {
    const { call, runs, settled } = await withCall(profile, options);
    const abort = call().then((stream) => stream.leave());
    await eventually('the call runs', () => runs()['countdown'] === 1);
    const during = await call();
    expect(during.response.headers.get('content-type')).toContain(type);
    const answer = { id: 'again', result: { structuredContent: { ticks: [1, 2, 3, 4, 5] } } };
    expect((await during.readAll()).at(-1)?.message).toMatchObject(answer);
    await abort;
    await settled();
    const after = await call();
    expect(after.response.headers.get('content-type')).toContain(type);
    expect((await after.readAll()).at(-1)?.message).toMatchObject(answer);
    expect((await call('countdown', { ticks: 1, intervalMs: 1 })).status).toBe(400);
    expect(runs()).toEqual({ countdown: 1 });
  });
});

describe('runs-twice', () => {
  it('runs a request again, and the second stream has the messages of both runs', async () => {
    const { target, call, runs } = await withCall('runs-twice');
    const first = await call();
    await first.readUntil((frame) => progressIn([frame])[0] === 2);
    await leaveNoticed(target, first);
    const frames = await (await call()).readAll();
    expect(runs()).toEqual({ countdown: 2 });
    const progress = progressIn(frames);
    expect(progress.some((value, at) => value < (progress[at - 1] ?? 0))).toBe(true);
    expect(frames.at(-1)?.message).toMatchObject({ id: 'again', result: {} });
  });

  it('runs another request under a used ID too', async () => {
    const { call, runs } = await withCall('runs-twice');
    await (await call('fail', { afterMs: 1 })).readAll();
    const other = await (await call('burst', { count: 1 })).readAll();
    expect(other.at(-1)?.message).toMatchObject({ result: { structuredContent: { count: 1 } } });
    expect(runs()).toEqual({ fail: 1, burst: 1 });
  });
});
