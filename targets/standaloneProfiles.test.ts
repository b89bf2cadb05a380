import { describe, expect, it } from 'vitest';
import { holdStandalone } from './profiles/lateHead.ts';
import { eventually } from './testing/eventually.ts';
import { RawClient } from './testing/rawClient.ts';
import { isMessageFrame, isResponseFrame, type RawFrame } from './testing/rawStream.ts';
import { leaveNoticed, withTarget } from './testing/withTarget.ts';

const announced = (frame: RawFrame | undefined) =>
  (frame?.message?.['params'] as { data?: { number?: number } } | undefined)?.data?.number;

describe('deaf-get', () => {
  it('answers a resume of the standalone stream with 200 and silence, each time', async () => {
    const target = await withTarget('deaf-get');
    const client = await RawClient.connect(target.url);
    const stream = await client.get();
    const position = (await stream.next())?.id;
    expect(position).toBeTruthy();
    await leaveNoticed(target, stream);
    await target.control('announce');
    for (let reload = 0; reload < 2; reload += 1) {
      const deaf = await client.get(position);
      expect(deaf.status).toBe(200);
      await target.control('announce');
      expect(await deaf.isSilentFor(150)).toBe(true);
      await leaveNoticed(target, deaf);
    }
  });

  it('brings everything on a plain GET, also while the deaf stream is open', async () => {
    const target = await withTarget('deaf-get');
    const client = await RawClient.connect(target.url);
    const stream = await client.get();
    const position = (await stream.next())?.id;
    await leaveNoticed(target, stream);
    const deaf = await client.get(position);
    const plain = await client.get();
    for (let number = 1; number <= 10; number += 1) await target.control('announce');
    const frames = await plain.readUntil((frame) => announced(frame) === 10);
    expect(frames.filter(isMessageFrame).map(announced)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await deaf.isSilentFor(50)).toBe(true);
    deaf.leave();
    plain.leave();
  });

  it('resumes a call as it should', async () => {
    const target = await withTarget('deaf-get');
    const client = await RawClient.connect(target.url);
    const stream = await client.call('countdown', { ticks: 3, intervalMs: 20 });
    const [priming] = await stream.readUntil(isMessageFrame);
    await leaveNoticed(target, stream);
    expect(await (await client.get(priming?.id)).readAll()).toHaveLength(7);
  });
});

describe.each([
  ['get-404', 404],
  ['get-400', 400],
])('%s', (profile, status) => {
  it(`answers every GET with ${status}, and the session goes on`, async () => {
    const client = await RawClient.connect((await withTarget(profile)).url);
    expect(client.sessionId).toBeTruthy();
    expect((await client.get()).status).toBe(status);
    expect((await client.get('any.1')).status).toBe(status);
    const frames = await (await client.call('countdown', { ticks: 2, intervalMs: 1 })).readAll();
    expect(frames.filter(isMessageFrame)).toHaveLength(5);
    expect(frames.every(({ id }) => id === undefined)).toBe(true);
    expect((await client.delete()).status).toBe(200);
  });

  it(`answers GET with ${status} without sessions too`, async () => {
    const { url } = await withTarget(profile, { overrides: { stateless: true } });
    const client = await RawClient.connect(url);
    expect(client.sessionId).toBeUndefined();
    expect((await client.get()).status).toBe(status);
    expect(await client.request('ping')).toHaveProperty('result');
  });
});

describe('late-result', () => {
  it.each(['left', 'dropped'] as const)(
    'sends the result of a call whose stream was %s on the standalone stream that is opened later',
    async (how) => {
      const target = await withTarget('late-result');
      const client = await RawClient.connect(target.url);
      const call = await client.call('countdown', { ticks: 3, intervalMs: 20 }, { id: 'late' });
      expect((await call.next())?.id).toBeUndefined();
      if (how === 'left') await leaveNoticed(target, call);
      else await target.control('drop-streams');
      await eventually('the call ends', () => target.stats().sessions[0]?.streams['late']?.settled === true);
      const standalone = await client.get();
      expect((await standalone.next())?.message).toMatchObject({
        id: 'late',
        result: { structuredContent: { ticks: [1, 2, 3] } },
      });
      await target.control('announce');
      expect(announced(await standalone.next())).toBe(1);
      standalone.leave();
    },
  );

  it('sends it on the standalone stream that is open', async () => {
    const target = await withTarget('late-result');
    const client = await RawClient.connect(target.url);
    const standalone = await client.get();
    const call = await client.call('fail', { afterMs: 100 }, { id: 'late' });
    await leaveNoticed(target, call);
    expect((await standalone.next())?.message).toMatchObject({ id: 'late', result: { isError: true } });
    standalone.leave();
  });

  it('sends the result of a call that is read on its own stream alone', async () => {
    const target = await withTarget('late-result');
    const client = await RawClient.connect(target.url);
    const standalone = await client.get();
    const call = await client.call('fail', { afterMs: 1 });
    expect((await call.readAll()).filter(isResponseFrame)).toHaveLength(1);
    expect(await standalone.isSilentFor(100)).toBe(true);
    standalone.leave();
  });
});

describe('late-head', () => {
  it('sends the head of the standalone stream and nothing else', async () => {
    const target = await withTarget('late-head');
    const client = await RawClient.connect(target.url);
    const stream = await client.get();
    expect(stream.status).toBe(200);
    await target.control('announce');
    expect(await stream.isSilentFor(300)).toBe(true);
    await leaveNoticed(target, stream);
  });

  it('lets calls and their resumed streams speak at once', async () => {
    const target = await withTarget('late-head');
    const client = await RawClient.connect(target.url);
    const stream = await client.call('countdown', { ticks: 3, intervalMs: 20 });
    const [priming] = await stream.readUntil(isMessageFrame);
    await leaveNoticed(target, stream);
    expect(await (await client.get(priming?.id)).readAll()).toHaveLength(7);
  });

  it('sends everything that was due in the end, and is as late when it is resumed', async () => {
    const heldMs = 400;
    const target = await withTarget('late-head', { overrides: { around: holdStandalone(heldMs) } });
    const client = await RawClient.connect(target.url);
    let position: string | undefined;
    for (let load = 1; load <= 2; load += 1) {
      const openedAt = Date.now();
      const stream = await client.get(position);
      expect(Date.now() - openedAt).toBeLessThan(heldMs / 2);
      await target.control('announce');
      const last = (await stream.readUntil(isMessageFrame)).at(-1);
      expect(Date.now() - openedAt).toBeGreaterThanOrEqual(heldMs - 10);
      expect(announced(last)).toBe(load);
      position = last?.id;
      await leaveNoticed(target, stream);
    }
  });
});
