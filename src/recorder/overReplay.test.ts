import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { isOpen } from '../log/state/call.ts';
import { STANDALONE, type Entry } from '../log/entry/entry.ts';
import { LogReader } from '../storage/logReader.ts';
import { MemoryStore } from '../storage/memoryStore.ts';
import type { Frame } from '../wire/exchange.ts';
import { Redactor } from '../wire/redact.ts';
import type { ExchangeRecorder, ServerLog } from './serverLog.ts';
import { testLog } from './testing/testLog.ts';

const CALLS = ['call-a', 'call-b', 'call-c'];
const TICKS = 6;
const SECRET = 'a-token-that-a-tool-repeats';
const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };
const redactor = new Redactor();
redactor.protect({ bearer: SECRET });

interface Sent {
  readonly call: string;
  readonly frame: Frame & { id: string };
}

/** Replays everything that it ever sent, on whatever stream it is asked for. */
class GenerousServer {
  readonly sent: Sent[] = [];
  readonly #ticks = new Map<string, number>();

  /** @returns what is new on the stream of this call */
  tick(call: string): Sent | undefined {
    const tick = (this.#ticks.get(call) ?? 0) + 1;
    if (tick > TICKS + 1) return undefined;
    this.#ticks.set(call, tick);
    const message =
      tick > TICKS
        ? { id: call, result: {} }
        : {
            method: 'notifications/progress',
            params: { progressToken: call, progress: tick, message: SECRET },
          };
    const data = JSON.stringify({ jsonrpc: '2.0', ...message });
    const sent = { call, frame: { id: `${call}/${tick}`, data } };
    this.sent.push(sent);
    return sent;
  }

  ownerOf(eventId: string): string | undefined {
    return this.sent.find(({ frame }) => frame.id === eventId)?.call;
  }
}

class Connection {
  readonly key: string;
  /** Whose events the server sends here from now on: that of the position which was asked for. */
  readonly owner: string;
  readonly resumed: boolean;
  readonly frames: Frame[];
  readonly recorder: ExchangeRecorder;

  constructor(log: ServerLog, key: string, owner: string, resumed: boolean, frames: readonly Frame[]) {
    this.key = key;
    this.owner = owner;
    this.resumed = resumed;
    this.frames = [...frames];
    this.recorder = log.openExchange(resumed);
  }
}

class Page {
  readonly log: ServerLog;
  readonly #server: GenerousServer;
  readonly #connections = new Map<string, Connection>();

  static async open(disk: MemoryStore, server: GenerousServer): Promise<Page> {
    const reader = new LogReader(disk, 's');
    const restored = await reader.restore();
    const page = new Page(disk, restored, server);
    await page.log.write(restored);
    await page.log.recallEvents();
    await page.#begin();
    for (const key of CALLS) page.ask(key);
    return page;
  }

  private constructor(
    disk: MemoryStore,
    restored: Awaited<ReturnType<LogReader['restore']>>,
    server: GenerousServer,
  ) {
    this.#server = server;
    this.log = testLog(clock, { restored, store: disk, redactor });
  }

  async #begin(): Promise<void> {
    const isFirst = this.log.state.load === 0;
    this.log.beginLoad('opened');
    if (isFirst) for (const key of CALLS) this.#post(key);
    await this.log.folded();
  }

  /** Asks for the rest of a stream. A position that another connection holds is refused (409). */
  ask(key: string): void {
    const cursor = this.log.state.streams.get(key)?.cursor;
    const owner = cursor && this.#server.ownerOf(cursor);
    if (owner === undefined || !isOpen(this.log.state.calls.get(key) ?? { name: 'lost' })) return;
    this.#connections.delete(key);
    if ([...this.#connections.values()].some((other) => other.owner === owner)) return;
    const everything = this.#server.sent.map(({ frame }) => frame);
    this.#connections.set(key, new Connection(this.log, key, owner, true, everything));
  }

  deliver({ call, frame }: Sent): void {
    for (const connection of this.#connections.values()) {
      if (connection.owner === call) connection.frames.push(frame);
    }
  }

  async receive(key: string, count: number, replaying: boolean): Promise<void> {
    const connection = this.#connections.get(key);
    if (!connection) return;
    const of = { stream: key, callId: key, replaying: connection.resumed && replaying };
    const { responses } = await connection.recorder.record(connection.frames.splice(0, count), of);
    if (responses.includes(key)) this.#connections.delete(key);
  }

  write(): Promise<void> {
    return this.log.flushed();
  }

  #post(key: string): void {
    const change = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
    this.log.append({ body: { kind: 'call', callId: key, change } });
    this.log.append({ body: { kind: 'sent', stream: key, callId: key, raw: '{}' } });
    this.#connections.set(key, new Connection(this.log, key, key, false, []));
  }
}

const key = fc.constantFrom(...CALLS);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('tick' as const), key }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('receive' as const),
      key,
      count: fc.integer({ min: 1, max: 12 }),
      replaying: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('write' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ask' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const) }) },
);

describe('three calls on a server that replays everything on every stream', () => {
  it('have every event once and their own position, whenever the page dies, and whatever was taken for a replay', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const disk = new MemoryStore();
        const server = new GenerousServer();
        let page = await Page.open(disk, server);
        const tick = (call: string) => {
          const sent = server.tick(call);
          if (sent) page.deliver(sent);
        };
        // Each call has a position: before it has one, its fate is told, and it is not resumed.
        for (const call of CALLS) {
          tick(call);
          await page.receive(call, 1, false);
        }
        await page.write();
        for (const one of steps) {
          if (one.do === 'tick') tick(one.key);
          else if (one.do === 'receive') await page.receive(one.key, one.count, one.replaying);
          else if (one.do === 'write') await page.write();
          else if (one.do === 'ask') page.ask(one.key);
          else page = await Page.open(disk, server);
          expect(strayStreams(page, server)).toEqual([]);
        }
        for (const call of CALLS) for (let i = 0; i <= TICKS; i += 1) tick(call);
        for (const call of CALLS) {
          page.ask(call);
          await page.receive(call, Infinity, true);
        }
        await page.write();
        expect((await receivedIds(disk)).sort()).toEqual(server.sent.map(({ frame }) => frame.id).sort());
        expect([...page.log.state.calls.values()].filter(({ runs }) => runs !== undefined)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a message that a GET brings on the stream of a call', () => {
  const log = { id: 'm1', data: '{"jsonrpc":"2.0","method":"notifications/message","params":{}}' };
  const progress = {
    id: 'p1',
    data: JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'call-a', progress: 1 },
    }),
  };
  const [ownLog, later] = [
    { ...log, id: 'm0' },
    { ...log, id: 'm2' },
  ];

  /** What came by POST before the reload, and what the standalone stream brought after it. @returns its call */
  async function callOfMessage(
    posted: readonly Frame[],
    onStandalone: readonly Frame[],
    isReloaded: boolean,
    message: Frame = later,
  ) {
    const calls = newCalls();
    const take = (stream: string, listens: boolean, frames: readonly Frame[]) =>
      calls
        .openExchange(listens)
        .record(frames, { stream, callId: stream === STANDALONE ? undefined : stream, replaying: false });
    await take('call-a', false, posted);
    await take(STANDALONE, true, onStandalone);
    if (isReloaded) await calls.recallEvents();
    const { nextSeq } = calls.state;
    await take('call-a', true, [message]);
    const entry = calls.tail.find(({ seq }) => seq === nextSeq);
    return entry && 'callId' in entry ? entry.callId : undefined;
  }

  function newCalls(): ServerLog {
    const calls = testLog(clock);
    const change = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
    calls.append({ body: { kind: 'call', callId: 'call-a', change } });
    calls.append({ body: { kind: 'sent', stream: 'call-a', callId: 'call-a', raw: '{}' } });
    return calls;
  }

  it.each([false, true])('is the call’s where streams are kept apart (reloaded: %s)', async (isReloaded) => {
    expect(await callOfMessage([progress], [log], isReloaded)).toBe('call-a');
  });

  it.each([false, true])('is nobody’s where streams are mixed (reloaded: %s)', async (isReloaded) => {
    expect(await callOfMessage([progress], [progress], isReloaded)).toBeUndefined();
  });

  it.each([false, true])(
    'is the call’s where its POST has brought the like (reloaded: %s)',
    async (isReloaded) => {
      expect(await callOfMessage([progress, ownLog], [progress], isReloaded)).toBe('call-a');
    },
  );

  it('is nobody’s where streams are mixed and it’s an input request, which would end with the wrong call', async () => {
    const asks = { id: 'q1', data: '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}' };
    expect(await callOfMessage([progress], [log], false, asks)).toBe('call-a');
    expect(await callOfMessage([progress], [progress], false, asks)).toBeUndefined();
  });
});

/** Open calls that would resume the stream of another. */
function strayStreams({ log }: Page, server: GenerousServer): string[] {
  return [...log.state.streams.values()]
    .filter(({ key: call, cursor = '' }) => server.ownerOf(cursor) !== call)
    .map(({ key: call }) => call);
}

async function receivedIds(disk: MemoryStore): Promise<string[]> {
  const reader = new LogReader(disk, 's');
  const { segments } = await reader.restore();
  const all: Entry[] = [];
  for await (const entries of reader.entriesSince(segments)) all.push(...entries);
  return all.flatMap((entry) => (entry.kind === 'received' && entry.eventId ? [entry.eventId] : []));
}

describe('a message of another call on the stream of a POST, where a repeated request was answered with a replay', () => {
  const progress = (callId: string) => ({
    id: 'e1',
    data: JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: callId, progress: 1 },
    }),
  });

  /** @returns the kinds of its entries, on these streams one after the other */
  async function kinds(streams: readonly string[], frame: Frame): Promise<readonly string[]> {
    const log = testLog(clock);
    const change = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
    for (const callId of streams) {
      log.append({ body: { kind: 'call', callId, change } });
      log.append({ body: { kind: 'sent', stream: callId, callId, raw: '{}' } });
    }
    await log.folded();
    const { nextSeq } = log.state;
    for (const stream of streams)
      await log.openExchange(false).record([frame], { stream, callId: stream, replaying: false });
    return log.tail
      .filter(({ seq }) => seq >= nextSeq)
      .flatMap(({ kind }) => (kind === 'position' ? [] : kind));
  }

  it('is recorded once, whichever stream brings it first', async () => {
    expect(await kinds(['call-a', 'call-b'], progress('call-a'))).toEqual(['received', 'duplicate']);
    expect(await kinds(['call-b', 'call-a'], progress('call-a'))).toEqual(['received', 'duplicate']);
  });

  it('is recorded on both if it names no call: servers that number each stream send the like', async () => {
    const log = { id: '1', data: '{"jsonrpc":"2.0","method":"notifications/message","params":{}}' };
    expect(await kinds(['call-a', 'call-b'], log)).toEqual(['received', 'received']);
  });
});
