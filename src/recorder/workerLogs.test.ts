import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import type { EndOfHost } from '../base/recordedIn.ts';
import type { Entry } from '../log/entry/entry.ts';
import { FallbackStore } from '../storage/fallbackStore.ts';
import { LogReader } from '../storage/logReader.ts';
import { MemoryStore } from '../storage/memoryStore.ts';
import type { Store } from '../storage/store.ts';
import { HeldBytes, type EventBytes } from '../wire/heldBytes.ts';
import { readEvents } from '../wire/readEvents.ts';
import { Redactor } from '../wire/redact.ts';
import { openLocalLog } from './localLog.ts';
import { LogHost } from './logHost.ts';
import type { FromHost, ToHost } from './messages.ts';
import { MovableLog } from './movableLog.ts';
import { recordHere } from './recordHere.ts';
import type { RecordedEvents, ServerLog } from './serverLog.ts';
import { WorkerLogs, type HostThread } from './workerLogs.ts';

const clock: Clock = { now: () => 7, after: () => () => undefined, random: () => 0 };
const CALL = 'call';

/** A worker in this thread: messages are copied, and come later. */
class TestThread implements HostThread {
  onmessage: HostThread['onmessage'] = null;
  onmessageerror: HostThread['onmessageerror'] = null;
  onerror: HostThread['onerror'] = null;
  readonly host: LogHost;
  #heard = 0;
  #isOver = false;
  readonly #endsAfter: number;

  /** @param endsAfter so many messages */
  constructor(disk: Store, endsAfter = Infinity, body: readonly Uint8Array[] = []) {
    this.#endsAfter = endsAfter;
    this.host = new LogHost({
      store: disk,
      fetch: () => Promise.resolve(streamOf(body)),
      post: (message, transfer) =>
        this.#later(
          message,
          (copy: FromHost) => this.onmessage?.({ data: copy } as MessageEvent<FromHost>),
          transfer,
        ),
      close: () => undefined,
    });
  }

  postMessage(message: ToHost, transfer: Transferable[]): void {
    this.#later(
      message,
      (copy: ToHost) => {
        this.#heard += 1;
        if (this.#heard > this.#endsAfter) void this.host.end({ why: 'error', text: 'test' });
        this.host.hear(copy);
      },
      transfer,
    );
  }

  terminate(): void {
    this.#isOver = true;
  }

  #later<T>(message: T, hear: (copy: T) => void, transfer: Transferable[] = []): void {
    const copy = structuredClone(message, { transfer });
    setImmediate(() => {
      if (!this.#isOver) hear(copy);
    });
  }
}

function streamOf(chunks: readonly Uint8Array[]): Response {
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift();
      if (chunk) controller.enqueue(chunk.slice());
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

interface Opened {
  readonly logs: WorkerLogs;
  readonly log: ServerLog;
  readonly reported: readonly Error[];
}

function open(store: Store, start: () => HostThread): Opened {
  const reported: Error[] = [];
  const logs = new WorkerLogs({
    start,
    loadRecorder: () => Promise.resolve({ recordHere }),
    report: (error) => reported.push(error),
  });
  const log = logs.open({ server: 's', clock, redactor: new Redactor(), store });
  return { logs, log, reported };
}

const optionsOf = (store: Store) => ({ server: 's', clock, redactor: new Redactor(), store });

/** A log on the page, and a worker that waits for it. */
function openMovable(disk: Store, thread: TestThread): { log: MovableLog; logs: WorkerLogs } {
  const logs = new WorkerLogs({
    start: () => thread,
    loadRecorder: () => Promise.resolve({ recordHere }),
    report: () => undefined,
  });
  return { log: new MovableLog(openLocalLog(optionsOf(disk)), () => undefined), logs };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function afterTurns(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await nextTurn();
}

interface Batch {
  readonly events: number;
  readonly hasIds: boolean;
  readonly note: boolean;
}

/** A call whose stream brings batches of events. Not awaited one by one: a burst. */
async function burst(log: ServerLog, batches: readonly Batch[], pause?: () => Promise<void>): Promise<void> {
  await log.write({ segments: [] });
  log.beginLoad('opened');
  const change = { name: 'sending', tool: 't', args: {}, repeatable: false } as const;
  log.append({ body: { kind: 'call', callId: CALL, change } });
  const exchange = log.openExchange(false);
  const of = { stream: CALL, callId: CALL, replaying: false, hasEventIds: true };
  let n = 0;
  const answers: Promise<RecordedEvents>[] = [];
  for (const { events, hasIds, note } of batches) {
    const lines = Array.from({ length: events }, () => {
      n += 1;
      const params = { progressToken: CALL, progress: n };
      const message = { jsonrpc: '2.0', method: 'notifications/progress', params };
      return `${hasIds ? `id: e${n}\n` : ''}data: ${JSON.stringify(message)}\n\n`;
    });
    answers.push(exchange.events(new TextEncoder().encode(lines.join('')), of));
    if (note)
      log.append({ body: { kind: 'note', level: 'info', reason: { code: 'lists-failed', text: `${n}` } } });
    await pause?.();
  }
  const response = JSON.stringify({ jsonrpc: '2.0', id: CALL, result: { content: [] } });
  answers.push(exchange.events(new TextEncoder().encode(`id: last\ndata: ${response}\n\n`), of));
  expect((await Promise.all(answers)).at(-1)?.recorded).toMatchObject({ eventId: 'last', responses: [CALL] });
  exchange.close();
  await log.flushed();
}

/** The stream of one call, which the page has read, wherever that is done. */
async function readStream(log: ServerLog, chunks: readonly Uint8Array[], isRead?: () => void): Promise<void> {
  await log.write({ segments: [] });
  log.beginLoad('opened');
  const change = { name: 'sending', tool: 't', args: {}, repeatable: false } as const;
  log.append({ body: { kind: 'call', callId: CALL, change } });
  const exchange = log.openExchange(false);
  const of = { stream: CALL, callId: CALL, replaying: false, hasEventIds: true };
  const fetchHere = (): Promise<Response> => Promise.resolve(streamOf(chunks));
  const response = await (log.reads?.(fetchHere) ?? fetchHere)('http://s/', { method: 'POST', body: '{}' });
  const reader: ReadableStreamDefaultReader<EventBytes> | undefined = response.body?.getReader();
  if (!reader) throw new Error('A stream has a body.');
  const end = await readEvents(reader, {
    maxEventBytes: 1_000_000,
    onEvents: async (bytes) => {
      if (bytes instanceof HeldBytes) isRead?.();
      const { recorded } = await exchange.events(bytes, of);
      return recorded?.responses.includes(CALL) !== true;
    },
  });
  expect(end).toEqual({ how: 'stopped' });
  exchange.close();
  await log.flushed();
}

/** Events that are long enough to stay in a worker, cut anywhere. */
const chunkedStream = fc
  .tuple(
    fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 8 }),
    fc.array(fc.nat(300_000), { maxLength: 6 }),
  )
  .map(([sizes, cuts]) => {
    const messages = sizes.map((size, i) => {
      const params = { progressToken: CALL, progress: i, message: 'x'.repeat(size) };
      return `id: e${i}\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`;
    });
    const response = JSON.stringify({ jsonrpc: '2.0', id: CALL, result: { content: [] } });
    const bytes = new TextEncoder().encode(`${messages.join('')}id: last\ndata: ${response}\n\n`);
    const inside = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
    const edges = [0, ...inside, bytes.length];
    return edges.slice(1).map((edge, i) => bytes.slice(edges[i], edge));
  });

/** A disk that takes so many turns for a read. */
const slow = (disk: Store, turns: number): Store => ({
  get: (key) => afterTurns(turns).then(() => disk.get(key)),
  getMany: (keys) => afterTurns(turns).then(() => disk.getMany(keys)),
  keys: () => afterTurns(turns).then(() => disk.keys()),
  write: (set, remove) => disk.write(set, remove),
});

async function stored(store: Store): Promise<readonly Entry[]> {
  const reader = new LogReader(store, 's');
  const { segments } = await reader.restore();
  const entries: Entry[] = [];
  for await (const some of reader.entriesSince(segments)) entries.push(...some);
  return entries;
}

const batches = fc.array(
  fc.record({ events: fc.integer({ min: 1, max: 5 }), hasIds: fc.boolean(), note: fc.boolean() }),
  { maxLength: 12 },
);

describe('the logs of a page in its worker', () => {
  it('lose nothing and have nothing twice, whenever the worker fails', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 0, max: 40 }), async (sent, endsAfter) => {
        const expected = new MemoryStore();
        const local = openLocalLog({ server: 's', clock, redactor: new Redactor(), store: expected });
        await burst(local, sent);
        const disk = new MemoryStore();
        const { log, logs, reported } = open(disk, () => new TestThread(disk, endsAfter));
        const heard: Entry[] = [];
        log.appended.on(({ entries }) => heard.push(...entries));
        await burst(log, sent);
        expect(heard).toEqual(local.tail);
        expect(await stored(disk)).toEqual(await stored(expected));
        expect(log.state.snapshot()).toEqual(local.state.snapshot());
        const hasFailed = logs.recordedIn.name === 'page';
        expect(reported).toHaveLength(hasFailed ? 1 : 0);
      }),
    );
  });

  it('move to it from the page at any moment, and lose nothing', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.nat(12), fc.integer({ min: 0, max: 60 }), async (sent, at, endsAfter) => {
        const expected = new MemoryStore();
        const local = openLocalLog({ server: 's', clock, redactor: new Redactor(), store: expected });
        await burst(local, sent);
        const disk = new MemoryStore();
        const { log, logs } = openMovable(disk, new TestThread(disk, endsAfter));
        const heard: Entry[] = [];
        log.appended.on(({ entries }) => heard.push(...entries));
        const moving = afterTurns(at).then(() => log.moveTo((handed) => logs.open(optionsOf(disk), handed)));
        await burst(log, sent, nextTurn);
        await moving;
        await log.flushed();
        expect(heard).toEqual(local.tail);
        expect(await stored(disk)).toEqual(await stored(expected));
        expect(log.state.snapshot()).toEqual(local.state.snapshot());
        expect(log.isWritten).toBe(true);
      }),
    );
  });

  it.each([0, 20])(
    'know there what the page has recorded, however long it takes to read (%i turns)',
    async (turns) => {
      const disk = new MemoryStore();
      const { log, logs } = openMovable(disk, new TestThread(slow(disk, turns)));
      await burst(log, [{ events: 3, hasIds: true, note: false }]);
      const exchange = log.openExchange(true);
      const of = { stream: CALL, callId: CALL, replaying: true, hasEventIds: true };
      const bring = (id: string): Promise<RecordedEvents> =>
        exchange.events(new TextEncoder().encode(`id: ${id}\ndata: {"jsonrpc":"2.0","method":"x"}\n\n`), of);
      const moving = log.moveTo((handed) => logs.open(optionsOf(disk), handed));
      const [again, fresh] = [bring('e3'), bring('e9')];
      // Also for an exchange that is over by then.
      exchange.close();
      await moving;
      expect((await again).recorded).toMatchObject({ isNew: false });
      expect((await fresh).recorded).toMatchObject({ isNew: true, eventId: 'e9' });
      await log.flushed();
      expect(await stored(disk)).toEqual(log.tail);
    },
  );

  it('keep the results that the page has, there and after the worker has failed', async () => {
    const disk = new MemoryStore();
    const thread = new TestThread(disk);
    const { log, logs } = openMovable(disk, thread);
    await burst(log, [{ events: 3, hasIds: true, note: false }]);
    const changed = async (runs: number) => {
      const change = { name: 'ran-again', runs, reason: { code: 'second-response' } } as const;
      log.append({ body: { kind: 'call', callId: CALL, change } });
      await log.folded();
      return log.state.calls.get(CALL);
    };
    await log.moveTo((handed) => logs.open(optionsOf(disk), handed));
    expect(await changed(2)).toMatchObject({ runs: 2, result: { content: [] } });
    void thread.host.end({ why: 'error', text: 'test' });
    await new Promise<undefined>((resolve) => logs.moved.on(resolve));
    expect(await changed(3)).toMatchObject({ runs: 3, result: { content: [] } });
  });

  it('have what was read in it, whenever it fails', async () => {
    let held = 0;
    await fc.assert(
      fc.asyncProperty(chunkedStream, fc.integer({ min: 0, max: 30 }), async (chunks, endsAfter) => {
        const expected = new MemoryStore();
        const local = openLocalLog(optionsOf(expected));
        await readStream(local, chunks);
        const disk = new MemoryStore();
        const { log } = open(disk, () => new TestThread(disk, endsAfter, chunks));
        await readStream(log, chunks, () => (held += 1));
        expect(await stored(disk)).toEqual(await stored(expected));
        expect(log.state.snapshot()).toEqual(local.state.snapshot());
      }),
      { numRuns: 200 },
    );
    expect(held).toBeGreaterThan(50);
  });

  it('tell of a stream that was lost with a worker that ended without a word', async () => {
    const disk = new MemoryStore();
    const thread = new TestThread(disk, Infinity, [new TextEncoder().encode('data: {}\n')]);
    const { log } = open(disk, () => thread);
    const asked = log.reads?.(() => Promise.reject(new Error('not here')))('http://s/');
    thread.onerror?.({ message: '' } as ErrorEvent);
    await expect(asked).rejects.toThrow('The worker has ended.');
    await expect(log.reads?.(() => Promise.reject(new Error('here')))('http://s/')).rejects.toThrow('here');
  });

  it('drop events that come again after the worker has failed', async () => {
    const disk = new MemoryStore();
    const thread = new TestThread(disk);
    const { log, logs } = open(disk, () => thread);
    await burst(log, [{ events: 3, hasIds: true, note: false }]);
    void thread.host.end({ why: 'error', text: 'test' });
    await new Promise<undefined>((resolve) => logs.moved.on(resolve));
    const of = { stream: CALL, callId: CALL, replaying: true, hasEventIds: true };
    const again = new TextEncoder().encode('id: e3\ndata: {"jsonrpc":"2.0","method":"x"}\n\n');
    expect((await log.openExchange(true).events(again, of)).recorded).toMatchObject({ isNew: false });
  });

  it.each<[string, () => HostThread, EndOfHost]>([
    [
      'may not be started',
      () => {
        throw new Error('policy');
      },
      { why: 'blocked', text: 'policy' },
    ],
    [
      'has no script',
      () => {
        const thread = new TestThread(new MemoryStore(), 0);
        setImmediate(() => thread.onerror?.({ message: '' } as ErrorEvent));
        return thread;
      },
      { why: 'blocked' },
    ],
  ])('are recorded on the page if the worker %s', async (_, start, end) => {
    const disk = new MemoryStore();
    const { log, logs, reported } = open(disk, start);
    await burst(log, [{ events: 3, hasIds: true, note: true }]);
    expect(await stored(disk)).toEqual(log.tail);
    expect(log.tail).toHaveLength(7);
    expect(logs.recordedIn).toEqual({ name: 'page', end });
    expect(reported).toEqual([]);
  });

  it('go on in the memory of the page when the disk is full', async () => {
    const disk = new MemoryStore();
    const full: Store = {
      get: (key) => disk.get(key),
      getMany: (keys) => disk.getMany(keys),
      keys: () => disk.keys(),
      write: (set, remove) =>
        set.length === 0
          ? disk.write(set, remove)
          : Promise.reject(new DOMException('no room', 'QuotaExceededError')),
    };
    const store = new FallbackStore(full);
    const { log, logs, reported } = open(store, () => new TestThread(full));
    await burst(log, [{ events: 3, hasIds: false, note: true }]);
    expect(logs.recordedIn).toEqual({ name: 'page', end: { why: 'storage', text: 'no room' } });
    expect(store.degraded).toEqual({ trouble: 'full', detail: 'no room' });
    expect(await stored(store)).toEqual(log.tail);
    expect(log.tail).toHaveLength(7);
    expect(reported).toEqual([]);
  });

  it('aren’t stored while the page is being left', async () => {
    const disk = new MemoryStore();
    const { log, logs } = open(disk, () => new TestThread(disk));
    await log.write({ segments: [] });
    log.beginLoad('opened');
    await log.flushed();
    logs.setHere(false);
    log.append({
      body: {
        kind: 'state',
        state: { name: 'disconnected', reason: { code: 'session-ended', how: 'sse-closed' } },
      },
    });
    await log.folded();
    expect(await stored(disk)).toHaveLength(1);
    logs.setHere(true);
    await log.flushed();
    expect(await stored(disk)).toHaveLength(2);
  });
});
