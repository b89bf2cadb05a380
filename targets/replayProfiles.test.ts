import { describe, expect, it } from 'vitest';
import { HOLD_MS } from './profiles/slow409.ts';
import { eventually } from './testing/eventually.ts';
import { RawClient } from './testing/rawClient.ts';
import { isMessageFrame, isResponseFrame, type RawFrame, type RawStream } from './testing/rawStream.ts';
import { openStreams } from './testing/openStreams.ts';
import { leaveNoticed, withTarget } from './testing/withTarget.ts';

const messages = (frames: RawFrame[]) => frames.filter(isMessageFrame);
const ids = (frames: RawFrame[]) => frames.map(({ id }) => id);
const progressOf = ({ message }: RawFrame) =>
  (message?.['params'] as { progress?: number } | undefined)?.progress;

const announcedIn = (message: RawFrame['message']) =>
  (message?.['params'] as { data?: { number?: number } } | undefined)?.data?.number;

/** A call that was left after its first frame, and the position it was left at. */
async function interruptedCall(profile: string, ticks: number, intervalMs: number) {
  const target = await withTarget(profile);
  const client = await RawClient.connect(target.url);
  const stream = await client.call('countdown', { ticks, intervalMs }, { id: 'cut' });
  const position = (await stream.next())?.id;
  await leaveNoticed(target, stream);
  const settled = () =>
    eventually('the call ends', () => target.stats().sessions[0]?.streams['cut']?.settled === true);
  return { target, client, position, settled };
}

describe('no-replay', () => {
  it('keeps the session and gives no event id: the result of a left call is nowhere', async () => {
    const { target, client, position, settled } = await interruptedCall('no-replay', 3, 20);
    expect(position).toBeUndefined();
    await settled();
    expect(target.stats().sessions[0]?.streams['cut']).toMatchObject({ sent: 7 });
    expect(await client.request('ping')).toHaveProperty('result');
    const standalone = await client.get('anything');
    expect(await standalone.isSilentFor(100)).toBe(true);
    standalone.leave();
  });
});

describe('no-priming', () => {
  it('names no position before the first message, but replays from there', async () => {
    const target = await withTarget('no-priming');
    const client = await RawClient.connect(target.url);
    const stream = await client.call('countdown', { ticks: 4, intervalMs: 20 });
    const first = await stream.next();
    expect(first?.message).toMatchObject({ method: 'notifications/progress' });
    await leaveNoticed(target, stream);
    expect(await (await client.get(first?.id)).readAll()).toHaveLength(8);
  });

  it('gives the standalone stream none either', async () => {
    const client = await RawClient.connect((await withTarget('no-priming')).url);
    const stream = await client.get();
    expect(await stream.isSilentFor(100)).toBe(true);
    stream.leave();
  });
});

describe('over-replay', () => {
  it('replays what was delivered already, and events of other streams', async () => {
    const client = await RawClient.connect((await withTarget('over-replay')).url);
    const other = messages(await (await client.call('countdown', { ticks: 1, intervalMs: 1 })).readAll());
    const own = messages(await (await client.call('countdown', { ticks: 2, intervalMs: 1 })).readAll());
    const replayed = ids(await (await client.get(own.at(-2)?.id)).readAll());
    expect(replayed).toEqual(expect.arrayContaining([...ids(other), ...ids(own)]));
  });
});

describe('mixes-streams', () => {
  it('replays what came later on any stream, then nothing until the next GET', async () => {
    const { target, client, position, settled } = await interruptedCall('mixes-streams', 6, 30);
    const standalone = await client.get();
    await target.control('announce');
    const known = await standalone.next();
    const first = await client.get(position);
    const seen = await first.readUntil(({ id }) => id === known?.id);
    await settled();
    await target.control('announce');
    expect((await Promise.race([first.readAll(), later(150)])) ?? 'still open').toBe('still open');
    first.leave();
    const second = await client.get(seen.at(-1)?.id);
    const rest = await second.readUntil(({ message }) => announcedIn(message) === 2);
    expect(rest.filter(isResponseFrame)).toHaveLength(1);
    expect(await second.isSilentFor(100)).toBe(true);
    second.leave();
    standalone.leave();
  });

  it('makes the standalone stream deaf once it is resumed; a plain GET is not', async () => {
    const target = await withTarget('mixes-streams');
    const client = await RawClient.connect(target.url);
    const stream = await client.get();
    await target.control('announce');
    const position = (await stream.next())?.id;
    await leaveNoticed(target, stream);
    const resumed = await client.get(position);
    await target.control('announce');
    expect(await resumed.isSilentFor(150)).toBe(true);
    const plain = await client.get();
    await target.control('announce');
    expect(announcedIn((await plain.next())?.message)).toBe(3);
    resumed.leave();
    plain.leave();
  });
});

describe('underscore', () => {
  it('resumes a call, but the standalone stream only in silence', async () => {
    const target = await withTarget('underscore');
    const client = await RawClient.connect(target.url);
    const call = await (await client.call('countdown', { ticks: 2, intervalMs: 1 })).readAll();
    const resumed = await client.get(call[0]?.id);
    expect((await resumed.readUntil(isResponseFrame)).length).toBe(5);
    resumed.leave();
    const stream = await client.get();
    await target.control('announce');
    const first = await stream.next();
    expect(first?.id).toMatch(/^_GET_stream_/);
    await leaveNoticed(target, stream);
    await target.control('announce');
    const silent = await client.get(first?.id);
    expect(silent.status).toBe(200);
    expect(await silent.isSilentFor(150)).toBe(true);
    silent.leave();
  });
});

describe('polling', () => {
  it('says when to come back, closes after each three events, and brings all in several visits', async () => {
    const target = await withTarget('polling');
    const client = await RawClient.connect(target.url);
    const seen: RawFrame[] = [];
    let visits = 0;
    let stream: RawStream = await client.call('countdown', { ticks: 5, intervalMs: 10 });
    while (!seen.some(isResponseFrame)) {
      visits += 1;
      const frames = await stream.readAll();
      expect(frames[0]?.retry).toBe(300);
      seen.push(...frames);
      stream = await client.get(seen.findLast(({ id }) => id !== undefined)?.id);
    }
    expect(visits).toBeGreaterThan(2);
    expect(messages(seen)).toHaveLength(11);
    expect(target.stats().calls).toEqual({ countdown: 1 });
  });
});

describe('slow-409', () => {
  it('answers 409 to every GET for a while after a client has left, then resumes', async () => {
    const { client, position } = await interruptedCall('slow-409', 3, 300);
    const leftAt = Date.now();
    expect((await client.get(position)).status).toBe(409);
    expect((await client.get()).status).toBe(409);
    await eventually('the resume is let in', async () => (await client.get(position)).status === 200);
    expect(Date.now() - leftAt).toBeGreaterThan(HOLD_MS / 2);
  });
});

describe('stalls', () => {
  it('replays what is stored and then nothing; the next GET brings more', async () => {
    const { target, client, position, settled } = await interruptedCall('stalls', 6, 30);
    await eventually(
      'something is stored',
      () => (target.stats().sessions[0]?.streams['cut']?.sent ?? 0) > 0,
    );
    const first = await client.get(position);
    const seen = await first.readUntil(isMessageFrame);
    await settled();
    expect((await Promise.race([first.readAll(), later(150)])) ?? 'still open').toBe('still open');
    first.leave();
    const second = await client.get(seen.at(-1)?.id);
    const rest = await second.readUntil(isResponseFrame);
    expect(messages([...seen, ...rest])).toHaveLength(13);
    expect(await second.isSilentFor(100)).toBe(true);
    second.leave();
  });
});

describe('stays-open', () => {
  it('does not close a resumed stream after the response, whether it was live or stored', async () => {
    const { target, client, position } = await interruptedCall('stays-open', 3, 30);
    const live = await client.get(position);
    expect(await live.readUntil(isResponseFrame)).toHaveLength(7);
    expect(await live.isSilentFor(150)).toBe(true);
    await leaveNoticed(target, live);
    const stored = await client.get(position);
    expect(await stored.readUntil(isResponseFrame)).toHaveLength(7);
    expect(await stored.isSilentFor(150)).toBe(true);
    expect(openStreams(target)).toBe(1);
    stored.leave();
  });
});

describe('get-once', () => {
  it('allows one GET in a session, ever', async () => {
    const target = await withTarget('get-once');
    const client = await RawClient.connect(target.url);
    const first = await client.get();
    expect(first.status).toBe(200);
    await leaveNoticed(target, first);
    const again = await client.get((await first.next().catch(() => undefined))?.id);
    expect(again.status).toBe(400);
    expect((await client.get()).status).toBe(400);
    expect(await client.request('ping')).toHaveProperty('result');
  });
});

describe('progress-on-get', () => {
  it('sends progress on the standalone stream, with the token of the call', async () => {
    const client = await RawClient.connect((await withTarget('progress-on-get')).url);
    const standalone = await client.get();
    const own = await (
      await client.call('countdown', { ticks: 2, intervalMs: 1 }, { progressToken: 'mine' })
    ).readAll();
    expect(messages(own).map(({ message }) => message?.['method'])).toEqual([
      'notifications/message',
      'notifications/message',
      undefined,
    ]);
    const progress = messages(
      await standalone.readUntil((frame) => isMessageFrame(frame) && progressOf(frame) === 2),
    );
    expect(progress.map(({ message }) => message?.['params'])).toMatchObject([
      { progressToken: 'mine', progress: 1 },
      { progressToken: 'mine', progress: 2 },
    ]);
    standalone.leave();
  });
});

describe('leaky', () => {
  it("hands out another session's messages", async () => {
    const { url } = await withTarget('leaky');
    const [owner, stranger] = [await RawClient.connect(url), await RawClient.connect(url)];
    const secret = await (
      await owner.call('countdown', { ticks: 1, intervalMs: 1 }, { id: 'secret' })
    ).readAll();
    const stolen = await stranger.get(secret[0]?.id);
    expect((await stolen.readUntil(isResponseFrame)).at(-1)?.message).toMatchObject({ id: 'secret' });
    stolen.leave();
  });

  it('keeps the messages of a session that has ended', async () => {
    const { url } = await withTarget('leaky');
    const [owner, stranger] = [await RawClient.connect(url), await RawClient.connect(url)];
    const secret = await (await owner.call('fail', { afterMs: 1 }, { id: 'secret' })).readAll();
    await owner.delete();
    const stolen = await stranger.get(secret[0]?.id);
    expect((await stolen.readUntil(isResponseFrame)).at(-1)?.message).toMatchObject({ id: 'secret' });
    stolen.leave();
  });
});

describe('json', () => {
  it('answers with one JSON body and no event id, and asks on the standalone stream', async () => {
    const client = await RawClient.connect((await withTarget('json')).url, {
      capabilities: { elicitation: {} },
    });
    expect(client.sessionId).toBeTruthy();
    const call = await client.call('countdown', { ticks: 2, intervalMs: 1 });
    expect(call.response.headers.get('content-type')).toContain('application/json');
    expect(await call.readAll()).toMatchObject([
      { message: { result: { structuredContent: { ticks: [1, 2] } } } },
    ]);
    const standalone = await client.get();
    const asking = client.call('ask', { question: 'Who?' });
    const asked = await standalone.next();
    expect(asked?.id).toBeUndefined();
    await client.post({ jsonrpc: '2.0', id: asked?.message?.['id'], result: { action: 'decline' } });
    expect(await (await asking).readAll()).toMatchObject([
      { message: { result: { content: [{ text: 'decline' }] } } },
    ]);
    standalone.leave();
  });
});

const later = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));
