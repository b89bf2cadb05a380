import { describe, expect, it } from 'vitest';
import { MemoryEventStore } from './core/memoryEventStore.ts';
import { RawClient } from './testing/rawClient.ts';
import { isMessageFrame, isResponseFrame, type RawFrame } from './testing/rawStream.ts';
import { eventually } from './testing/eventually.ts';
import { leaveNoticed, withTarget } from './testing/withTarget.ts';

const messages = (frames: RawFrame[]) => frames.filter(isMessageFrame);
const ids = (frames: RawFrame[]) => frames.map(({ id }) => id);

describe('resumable: a call', () => {
  it('starts its stream with a position and closes it after the response', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url);
    const frames = await (await client.call('countdown', { ticks: 3, intervalMs: 1 })).readAll();
    expect(frames[0]).toMatchObject({ data: '' });
    expect(frames[0]?.id).toBeTruthy();
    expect(messages(frames)).toHaveLength(7);
    expect(frames.at(-1)?.message?.['result']).toMatchObject({ structuredContent: { ticks: [1, 2, 3] } });
  });

  it('has no empty event for clients before 2025-11-25: the first position comes with the first message', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url, { version: '2025-06-18' });
    const stream = await client.call('countdown', { ticks: 3, intervalMs: 20 });
    const first = await stream.next();
    expect(first?.message).toMatchObject({ method: 'notifications/progress' });
    await leaveNoticed(target, stream);
    expect(await (await client.get(first?.id)).readAll()).toHaveLength(6);
  });

  it('goes on without its client, and a resume brings exactly the rest and the result', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const first = await client.call('countdown', { ticks: 8, intervalMs: 20 });
    const seen = await first.readUntil(isMessageFrame);
    await leaveNoticed(target, first);
    const rest = await (await client.get(seen.at(-1)?.id)).readAll();
    const all = messages([...seen, ...rest]);
    expect(all).toHaveLength(17);
    expect(new Set(ids(all)).size).toBe(17);
    expect(rest.at(-1)?.message).toHaveProperty('result');
    expect(target.stats().calls).toEqual({ countdown: 1 });
  });

  it('is resumed a second and a third time, from wherever the client was', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const seen: RawFrame[] = [];
    let stream = await client.call('countdown', { ticks: 10, intervalMs: 15 });
    for (let reload = 0; reload < 3; reload += 1) {
      seen.push(...(await stream.readUntil(isMessageFrame)));
      await leaveNoticed(target, stream);
      stream = await client.get(seen.at(-1)?.id);
    }
    seen.push(...(await stream.readAll()));
    expect(ids(messages(seen))).toEqual([...new Set(ids(messages(seen)))]);
    expect(messages(seen)).toHaveLength(21);
  });

  it('can be resumed after it has ended, and the stream closes after the response', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const stream = await client.call('countdown', { ticks: 2, intervalMs: 1 }, { id: 'early' });
    const [priming] = await stream.readUntil((frame) => frame.id !== undefined);
    await leaveNoticed(target, stream);
    await eventually('the call ends', () => target.stats().sessions[0]?.streams['early']?.settled === true);
    const replayed = await (await client.get(priming?.id)).readAll();
    expect(replayed).toHaveLength(5);
    const atTheEnd = await client.get(replayed.at(-1)?.id);
    expect(atTheEnd.status).toBe(200);
    expect(await atTheEnd.readAll()).toEqual([]);
  });

  it('ends its resumed stream also when the response comes in the middle of the replay', async () => {
    const isSettled = () => target.stats().sessions[0]?.streams['slow']?.settled === true;
    const target = await withTarget('resumable', {
      overrides: {
        createEventStore: () => {
          const store = new MemoryEventStore();
          return {
            storeEvent: (streamId, message) => store.storeEvent(streamId, message),
            getStreamIdForEventId: (eventId) => store.getStreamIdForEventId(eventId),
            replayEventsAfter: async (eventId, sender) => {
              await eventually('the call ends', isSettled);
              return store.replayEventsAfter(eventId, sender);
            },
          };
        },
      },
    });
    const client = await RawClient.connect(target.url);
    const stream = await client.call('countdown', { ticks: 2, intervalMs: 100 }, { id: 'slow' });
    const [priming] = await stream.readUntil((frame) => frame.id !== undefined);
    await leaveNoticed(target, stream);
    expect(await (await client.get(priming?.id)).readAll()).toHaveLength(5);
  });

  it('never gets the events of another call', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url);
    const [one, two] = await Promise.all([
      client.call('countdown', { ticks: 3, intervalMs: 5 }, { id: 'one', progressToken: 'one' }),
      client.call('countdown', { ticks: 3, intervalMs: 5 }, { id: 'two', progressToken: 'two' }),
    ]);
    const [framesOfOne] = await Promise.all([one.readAll(), two.readAll()]);
    const replayed = await (await client.get(framesOfOne[0]?.id)).readAll();
    expect(ids(replayed)).toEqual(ids(framesOfOne.slice(1)));
    expect(JSON.stringify(replayed)).not.toContain('two');
  });

  it('answers 409 while its stream is still held', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url);
    const stream = await client.call('countdown', { ticks: 2, intervalMs: 100 });
    const [priming] = await stream.readUntil((frame) => frame.id !== undefined);
    expect((await client.get(priming?.id)).status).toBe(409);
    await stream.readAll();
  });

  it('is stopped by a cancellation, which closes its stream without a response', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const stream = await client.call('countdown', { ticks: 1000, intervalMs: 5 }, { id: 'long' });
    await stream.readUntil(isMessageFrame);
    await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } });
    expect((await stream.readAll()).some(isResponseFrame)).toBe(false);
    const sent = target.stats().sessions[0]?.streams['long']?.sent ?? 0;
    expect(sent).toBeLessThan(100);
  });
});

describe('resumable: the tools', () => {
  it('reports a failed tool in its result and a crash as a JSON-RPC error', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url);
    const params = { arguments: { afterMs: 1 } };
    expect(await client.request('tools/call', { name: 'fail', ...params })).toMatchObject({
      result: { isError: true },
    });
    expect(await client.request('tools/call', { name: 'crash', ...params })).toMatchObject({
      error: { code: -32050 },
    });
  });

  it('asks, and takes an answer that comes after the client was away', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url, { capabilities: { elicitation: {} } });
    const stream = await client.call('ask', { question: 'Who?' });
    const asked = (await stream.readUntil(isMessageFrame)).at(-1);
    expect(asked?.message).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } });
    await leaveNoticed(target, stream);
    const result = { action: 'accept', content: { answer: 'me' } };
    await client.post({ jsonrpc: '2.0', id: asked?.message?.['id'], result });
    const rest = await (await client.get(asked?.id)).readAll();
    expect(rest.at(-1)?.message?.['result']).toMatchObject({ content: [{ text: 'accept: me' }] });
  });

  it('samples a model through the client', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url, {
      capabilities: { sampling: {} },
    });
    const stream = await client.call('sample', { prompt: 'Hi' });
    const asked = (await stream.readUntil(isMessageFrame)).at(-1);
    expect(asked?.message).toMatchObject({ method: 'sampling/createMessage' });
    const result = { role: 'assistant', model: 'none', content: { type: 'text', text: 'Hello' } };
    await client.post({ jsonrpc: '2.0', id: asked?.message?.['id'], result });
    const rest = await stream.readAll();
    expect(rest.at(-1)?.message?.['result']).toMatchObject({ content: [{ text: 'Hello' }] });
  });

  it('bursts numbered notifications in order and returns big results whole', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url);
    const frames = messages(await (await client.call('burst', { count: 5000 })).readAll());
    const numbers = frames
      .slice(0, -1)
      .map(({ message }) => (message?.['params'] as { progress: number } | undefined)?.progress);
    expect(numbers).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
    const big = await client.request('tools/call', { name: 'big', arguments: { bytes: 1_000_000 } });
    expect((big['result'] as { content: { text: string }[] }).content[0]?.text).toHaveLength(1_000_000);
  });

  it('has a diagram of a reload that a call survived', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url);
    const read = await client.request('resources/read', { uri: 'demo://diagrams' });
    const text = JSON.stringify(read);
    expect(text).toContain('text/markdown');
    expect(text).toMatch(/```mermaid\\nsequenceDiagram\\nparticipant L1 as Page load 1/);
    expect(text).toMatch(/Page reloaded.*Last-Event-ID.*missed events replayed.*result/);
  });

  it('offers resources, a template, prompts and completion', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url);
    const resources = await client.request('resources/list');
    expect(JSON.stringify(resources)).toMatch(/reprise:\/\/about.*reprise:\/\/cities/);
    const prompts = await client.request('prompts/list');
    expect(JSON.stringify(prompts)).toMatch(/"greet".*"explain"/);
    const read = await client.request('resources/read', { uri: 'reprise://streams/resumed' });
    expect(JSON.stringify(read)).toContain('the resumed stream');
    const completion = await client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'city', value: 'be' },
    });
    expect(completion['result']).toMatchObject({ completion: { values: ['Berlin', 'Bern'] } });
  });
});

describe('resumable: the standalone stream', () => {
  it('has a position from its start, and a resume brings what was announced meanwhile', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const stream = await client.get();
    const priming = await stream.next();
    expect(priming).toMatchObject({ data: '' });
    await leaveNoticed(target, stream);
    await target.control('announce');
    await target.control('announce');
    const resumed = await client.get(priming?.id);
    const missed = [await resumed.next(), await resumed.next()];
    expect(missed.map((frame) => frame?.message?.['params'])).toMatchObject([
      { data: { number: 1 } },
      { data: { number: 2 } },
    ]);
    await target.control('announce');
    expect((await resumed.next())?.message?.['params']).toMatchObject({ data: { number: 3 } });
    resumed.leave();
  });

  it('is one for each session: a second GET gets 409', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url);
    const first = await client.get();
    expect((await client.get()).status).toBe(409);
    first.leave();
  });
});

describe('resumable: sessions', () => {
  it('answers 400 without a session id and 404 with an unknown one, as JSON-RPC errors', async () => {
    const target = await withTarget('resumable');
    const client = new RawClient(target.url);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await client.post(ping)).status).toBe(400);
    client.sessionId = 'nobody';
    for (const response of [await client.post(ping), (await client.get()).response, await client.delete()]) {
      expect(response.status).toBe(404);
    }
    expect(await (await client.post(ping)).json()).toMatchObject({ error: { code: -32001 }, id: null });
    expect((await client.initialize()).status).toBe(404);
  });

  it('refuses a second initialize and goes on', async () => {
    const client = await RawClient.connect((await withTarget('resumable')).url);
    expect((await client.initialize()).status).toBe(400);
    expect(await client.request('ping')).toHaveProperty('result');
  });

  it('answers 400 to a body that is not JSON', async () => {
    const { url } = await withTarget('resumable');
    const headers = new RawClient(url).headers;
    expect((await fetch(url, { method: 'POST', headers, body: '{' })).status).toBe(400);
  });

  it('ends at once by DELETE', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    expect((await client.delete()).status).toBe(200);
    expect((await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
    expect(target.stats().sessions[0]).toMatchObject({ ended: 'deleted', deletes: 1 });
  });

  it('ends by silence, but not while a stream is open or a call runs', async () => {
    let skippedMs = 0;
    const target = await withTarget('resumable', {
      overrides: { now: () => Date.now() + skippedMs, reapEveryMs: 10 },
    });
    const [listening, calling, idle] = [
      await RawClient.connect(target.url),
      await RawClient.connect(target.url),
      await RawClient.connect(target.url),
    ];
    const stream = await listening.get();
    const call = await calling.call('fail', { afterMs: 300 });
    const [priming] = await call.readUntil((frame) => frame.id !== undefined);
    await leaveNoticed(target, call);
    const whyEnded = ({ sessionId }: RawClient) =>
      target.stats().sessions.find(({ id }) => id === sessionId)?.ended;
    skippedMs += 9 * 60 * 1000;
    expect(await idle.request('ping')).toHaveProperty('result');
    skippedMs += 9 * 60 * 1000;
    expect(await idle.request('ping')).toHaveProperty('result');
    skippedMs += 11 * 60 * 1000;
    await eventually('the reaper comes for the idle one', () => whyEnded(idle) === 'idle');
    expect([whyEnded(listening), whyEnded(calling)]).toEqual([undefined, undefined]);
    expect((await (await calling.get(priming?.id)).readAll()).at(-1)?.message).toHaveProperty('result');
    await leaveNoticed(target, stream);
    skippedMs += 11 * 60 * 1000;
    await eventually('nobody is left', () => whyEnded(listening) === 'idle' && whyEnded(calling) === 'idle');
    expect((await calling.get(priming?.id)).status).toBe(404);
  });

  it("does not take another session's event id", async () => {
    const { url } = await withTarget('resumable');
    const [one, two] = [await RawClient.connect(url), await RawClient.connect(url)];
    const frames = await (await one.call('countdown', { ticks: 1, intervalMs: 1 })).readAll();
    const standalone = await (await one.get()).next();
    expect((await two.get(frames[0]?.id)).status).toBe(400);
    expect((await two.get(standalone?.id)).status).toBe(400);
  });
});
