import { describe, expect, it } from 'vitest';
import type { FrameClock } from '../../base/frameBatcher.ts';
import type { Draft } from '../../log/entry/draft.ts';
import { settled, testLog } from '../../recorder/testing/testLog.ts';
import { StillClock } from '../testing/stillClock.ts';
import { FallbackStore } from '../../storage/fallbackStore.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import { NO_LISTS } from '../catalog/catalog.ts';
import { ClientView } from './clientView.ts';

/** Frames come when the test says so. */
class ManualFrames implements FrameClock {
  #time = 0;
  #wanted: (() => void)[] = [];
  now = () => this.#time;
  after = () => () => undefined;

  requestFrame(run: () => void): () => void {
    this.#wanted.push(run);
    return () => undefined;
  }

  next(): void {
    const wanted = this.#wanted;
    this.#wanted = [];
    for (const run of wanted) run();
    // Long enough for the next frame to come at once.
    this.#time += 1000;
  }
}

function setUp() {
  const log = testLog(new StillClock());
  const server = { handle: { log, lists: NO_LISTS, session: undefined } };
  const connection = { state: { name: 'connecting' } } as const;
  const callCommands = {
    cancel: () => Promise.resolve(),
    forget: () => Promise.resolve(),
    messages: () => {
      throw new Error('No messages here.');
    },
  };
  const frames = new ManualFrames();
  const store = new FallbackStore(new MemoryStore());
  const view = new ClientView({ server, connection, store, keepCalls: 2, frames, callCommands });
  log.appended.on((entries) => view.heed(entries));
  const append = (draft: Draft) => {
    log.append(draft);
    return settled();
  };
  const begin = (callId: string, key?: string) =>
    append({
      body: {
        kind: 'call',
        callId,
        change: {
          name: 'sending',
          tool: 't',
          args: {},
          repeatable: false,
          ...(key !== undefined && { key }),
        },
      },
    });
  const progress = (callId: string, n: number) => {
    const message = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: n } };
    return append({
      body: {
        kind: 'received',
        stream: callId,
        callId,
        method: message.method,
        raw: JSON.stringify(message),
      },
      message,
    });
  };
  const end = (callId: string) =>
    append({ body: { kind: 'call', callId, change: { name: 'lost', reason: { code: 'no-replay' } } } });
  const nextFrame = async () => {
    await settled();
    frames.next();
  };
  return { log, view, begin, progress, end, nextFrame };
}

describe('the snapshot', () => {
  it('is the same object until listeners are called, and then another one, once for a burst', async () => {
    const { view, begin, progress, nextFrame } = setUp();
    const before = view.getSnapshot();
    const seen: unknown[] = [];
    view.subscribe(() => seen.push(view.getSnapshot()));
    await begin('a');
    for (let n = 1; n <= 100; n += 1) void progress('a', n);
    expect(view.getSnapshot()).toBe(before);
    await nextFrame();
    expect(seen).toEqual([view.getSnapshot()]);
    expect(view.getSnapshot()).not.toBe(before);
    expect(view.getSnapshot().calls).toMatchObject([
      { id: 'a', progress: { progress: 100 }, counts: { received: 100 } },
    ]);
  });

  it('keeps the calls that have not changed, and says nothing where nothing has', async () => {
    const { log, view, begin, progress, nextFrame } = setUp();
    await begin('a');
    await begin('b');
    await nextFrame();
    const [a, b] = view.getSnapshot().calls;
    let told = 0;
    view.subscribe(() => (told += 1));
    log.append({ body: { kind: 'note', level: 'info', reason: { code: 'offline' } } });
    await nextFrame();
    expect(told).toBe(0);
    await progress('b', 1);
    await nextFrame();
    expect(told).toBe(1);
    expect(view.getSnapshot().calls[0]).toBe(a);
    expect(view.getSnapshot().calls[1]).not.toBe(b);
  });

  it('is frozen, and keeps as many finished calls as it should', async () => {
    const { view, begin, end, nextFrame } = setUp();
    for (const id of ['a', 'b', 'c']) {
      await begin(id);
      await end(id);
    }
    await begin('open');
    await nextFrame();
    expect(view.getSnapshot().calls.map(({ id }) => id)).toEqual(['b', 'c', 'open']);
    expect([view.getSnapshot(), view.getSnapshot().calls[0]].every(Object.isFrozen)).toBe(true);
  });
});

describe('a call handle', () => {
  it('is one object for one call, tells of its own changes, and settles with its end', async () => {
    const { view, begin, progress, end, nextFrame } = setUp();
    await begin('a', 'my-key');
    await begin('b');
    const [handle] = view.calls();
    expect(handle).toBe(view.find('a'));
    expect(handle).toMatchObject({ key: 'my-key', tool: 't', state: { name: 'sending' } });
    await nextFrame();
    const told: unknown[] = [];
    const states: string[] = [];
    view.callChanged.on(({ id, state }) => states.push(`${id} ${state.name}`));
    handle?.subscribe(() => told.push(handle.getSnapshot().state.name));
    await progress('b', 1);
    await nextFrame();
    expect(told).toEqual([]);
    await progress('a', 1);
    expect(handle?.state.name).toBe('open');
    expect(handle?.getSnapshot().state.name).toBe('sending');
    await end('a');
    await nextFrame();
    expect(told).toEqual(['lost']);
    expect(states).toEqual(['b open', 'a open', 'a lost']);
    expect(await handle?.result).toMatchObject({ name: 'lost', reason: 'no-replay' });
  });

  it('rejects its result when the client is closed first, and stays as it was when it is forgotten', async () => {
    const { log, view, begin, end } = setUp();
    await begin('a');
    await begin('b');
    await end('b');
    const [a, b] = view.calls();
    log.append({ body: { kind: 'call', callId: 'b', change: { name: 'forgotten' } } });
    await settled();
    expect(view.calls()).toEqual([a]);
    expect(b?.state.name).toBe('lost');
    view.close();
    await expect(a?.result).rejects.toMatchObject({ code: 'closed' });
  });
});
