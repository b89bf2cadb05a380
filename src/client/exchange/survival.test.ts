import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { Log } from '../../log/log.ts';
import { LogReader } from '../../storage/logReader.ts';
import { LogWriter } from '../../storage/logWriter.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import type { Records, Store } from '../../storage/store.ts';
import type { Frame } from '../../wire/exchange.ts';
import { Redactor } from '../../wire/redact.ts';
import { recordFrames } from './recordFrames.ts';
import { RunWatch } from './runWatch.ts';
import { seedReplayFilter } from './seedReplayFilter.ts';
import { ReplayFilter } from './replayFilter.ts';

const CALL = 'call-1';
const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };

/** A disk that writes when it is told to: what was not written when the page died is gone. */
class SlowStore implements Store {
  readonly disk: MemoryStore;
  #waiting: (() => Promise<void>)[] = [];

  constructor(disk: MemoryStore) {
    this.disk = disk;
  }

  get = (key: string) => this.disk.get(key);
  getMany = (keys: readonly string[]) => this.disk.getMany(keys);
  keys = () => this.disk.keys();

  write(records: Records): Promise<void> {
    const copy = structuredClone(records);
    return new Promise((resolve) => {
      this.#waiting.push(async () => {
        await this.disk.write(copy);
        resolve();
      });
    });
  }

  /** Says whether there was something to write. */
  async writeOne(): Promise<boolean> {
    const write = this.#waiting.shift();
    await write?.();
    await settled();
    return write !== undefined;
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A server that has sent everything it will send on one call's stream: progress, and at the end the response. */
function serverEvents(n: number): readonly Frame[] {
  const progress = Array.from({ length: n }, (_, i) => ({
    id: `e${i + 1}`,
    data: JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: CALL, progress: i + 1 },
    }),
  }));
  const response = { id: `e${n + 1}`, data: JSON.stringify({ jsonrpc: '2.0', id: CALL, result: { n } }) };
  return [{ id: 'e0', data: '' }, ...progress, response];
}

class Page {
  readonly store: SlowStore;
  readonly log: Log;
  readonly #seen = new ReplayFilter();
  readonly #frames: readonly Frame[];
  readonly #resumed: boolean;
  #at = 0;

  static async open(disk: MemoryStore, events: readonly Frame[], overReplay: number): Promise<Page> {
    const reader = new LogReader(disk, 's');
    const restored = await reader.restore();
    const page = new Page(disk, restored, events, overReplay);
    await seedReplayFilter(page.#seen, page.log.state, (seq) => reader.entriesSince(restored.segments, seq));
    return page;
  }

  private constructor(
    disk: MemoryStore,
    restored: Awaited<ReturnType<LogReader['restore']>>,
    events: readonly Frame[],
    overReplay: number,
  ) {
    this.store = new SlowStore(disk);
    this.log = new Log('s', clock, restored);
    new LogWriter(this.store, this.log, restored);
    const cursor = this.log.state.streams.get(CALL)?.cursor;
    const position = events.findIndex(({ id }) => id === cursor);
    this.#resumed = cursor !== undefined;
    // What the server sends to this page: everything after the position, and some of what stands before it again.
    this.#frames = events.slice(Math.max(0, position + 1 - overReplay));
    this.log.beginLoad('opened');
    if (!this.log.state.calls.has(CALL)) {
      const change = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
      this.log.append({ body: { kind: 'call', callId: CALL, change } });
      this.log.append({ body: { kind: 'sent', stream: CALL, callId: CALL, raw: '{}' } });
    }
  }

  receive(count: number): void {
    const chunk = this.#frames.slice(this.#at, this.#at + count);
    this.#at += chunk.length;
    const { drafts } = recordFrames(chunk, {
      stream: CALL,
      callId: CALL,
      listens: this.#resumed,
      replaying: this.#resumed,
      seen: this.#seen,
      runs: new RunWatch(this.#resumed),
      redactor: new Redactor(),
      calls: this.log.state.calls,
      awaits: () => false,
    });
    this.log.appendAll(drafts);
  }

  get hasMore(): boolean {
    return this.#at < this.#frames.length;
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constant('receive' as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('write' as const) }),
  fc.record({ do: fc.constant('die' as const), overReplay: fc.integer({ min: 0, max: 6 }) }),
);

describe('a call, whatever moment its page dies at', () => {
  it('has every event once and in order, when each page resumes from the stored cursor', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 25 }),
        fc.array(step, { maxLength: 60 }),
        async (n, steps) => {
          const disk = new MemoryStore();
          const events = serverEvents(n);
          let page = await Page.open(disk, events, 0);
          for (const one of steps) {
            if (one.do === 'receive') page.receive(one.count);
            else if (one.do === 'write') await page.store.writeOne();
            else page = await Page.open(disk, events, one.overReplay);
            await settled();
          }
          // The last page lives to see the end.
          while (page.hasMore) page.receive(3);
          await settled();
          while (await page.store.writeOne());
          const entries = await storedEntries(disk);
          const ids = entries
            .filter(({ kind }) => kind === 'received')
            .map((entry) => 'eventId' in entry && entry.eventId);
          expect(ids).toEqual(events.slice(1).map(({ id }) => id));
          expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
          const call = (await new LogReader(disk, 's').restore()).state.calls[0];
          expect(call).toMatchObject({ name: 'settled', received: n + 1 });
        },
      ),
      { numRuns: 300 },
    );
  });
});

async function storedEntries(disk: MemoryStore): Promise<readonly Entry[]> {
  const reader = new LogReader(disk, 's');
  const { segments } = await reader.restore();
  const all: Entry[] = [];
  for await (const entries of reader.entriesSince(segments)) all.push(...entries);
  return all;
}
