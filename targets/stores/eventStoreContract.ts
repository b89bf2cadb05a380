/** What every event store must do, whatever it is made of. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

export interface ContractLimits {
  readonly maxEvents?: number;
  readonly maxBytes?: number;
}

/** Makes stores of one kind; two calls are two sessions. */
export type MakeStore = (limits?: ContractLimits) => Promise<EventStore>;

const PRIMING = {} as JSONRPCMessage;

export const note = (number: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: number },
});

export const response = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

async function replay(store: EventStore, lastEventId: string | undefined) {
  const ids: string[] = [];
  const messages: JSONRPCMessage[] = [];
  const streamId = await store.replayEventsAfter(lastEventId ?? 'no id', {
    send: async (eventId, message) => {
      ids.push(eventId);
      messages.push(message);
    },
  });
  return { streamId, ids, messages };
}

export function eventStoreContract(kind: string, makeStore: MakeStore): void {
  describe(`${kind} event store`, () => {
    it('replays the events after an ID, in order, with the same IDs', async () => {
      const store = await makeStore();
      const ids: string[] = [];
      for (let number = 0; number < 20; number += 1) ids.push(await store.storeEvent('stream', note(number)));
      expect(new Set(ids).size).toBe(20);
      const { streamId, ...replayed } = await replay(store, ids[4]);
      expect(streamId).toBe('stream');
      expect(replayed.ids).toEqual(ids.slice(5));
      expect(replayed.messages).toEqual(Array.from({ length: 15 }, (_, index) => note(index + 5)));
    });

    it('replays nothing after the last ID', async () => {
      const store = await makeStore();
      const id = await store.storeEvent('stream', note(1));
      expect((await replay(store, id)).ids).toEqual([]);
    });

    it('continues after a replay, and the next replay starts at the new event ID', async () => {
      const store = await makeStore();
      const first = await store.storeEvent('stream', note(1));
      const second = await store.storeEvent('stream', note(2));
      expect((await replay(store, first)).ids).toEqual([second]);
      const third = await store.storeEvent('stream', note(3));
      expect((await replay(store, second)).ids).toEqual([third]);
    });

    it('returns the stream of an ID, with any stream name', async () => {
      const store = await makeStore();
      for (const name of ['_GET_stream', 'a_b_c', 'a.b', 'a:b', 'ä b', '-', '0', '__proto__']) {
        const id = await store.storeEvent(name, note(1));
        expect(id).toMatch(/^[\x21-\x7e]+$/);
        expect(await store.getStreamIdForEventId?.(id)).toBe(name);
        expect((await replay(store, id)).streamId).toBe(name);
      }
    });

    it("assigns an event ID to a priming event and doesn't replay it", async () => {
      const store = await makeStore();
      const priming = await store.storeEvent('stream', PRIMING);
      const first = await store.storeEvent('stream', note(1));
      await store.storeEvent('stream', PRIMING);
      const second = await store.storeEvent('stream', note(2));
      expect((await replay(store, priming)).ids).toEqual([first, second]);
    });

    it("never replays another stream's events", async () => {
      const store = await makeStore();
      const mine = await store.storeEvent('mine', note(1));
      await store.storeEvent('other', note(2));
      await store.storeEvent('mine', note(3));
      await store.storeEvent('other', note(4));
      expect((await replay(store, mine)).messages).toEqual([note(3)]);
    });

    it("rejects another session's IDs, even of a stream with the same name", async () => {
      const [one, two] = [await makeStore(), await makeStore()];
      const id = await one.storeEvent('_GET_stream', note(1));
      await two.storeEvent('_GET_stream', note(2));
      expect(await two.getStreamIdForEventId?.(id)).toBeUndefined();
      await expect(replay(two, id)).rejects.toThrow();
    });

    it('rejects unknown IDs', async () => {
      const store = await makeStore();
      const id = await store.storeEvent('stream', note(1));
      for (const unknown of [
        '',
        '.',
        '0',
        'x.0',
        `${id}0`,
        `${id}.0`,
        `${id} `,
        `${id}-1`,
        'stream',
        '*',
        '-1',
      ]) {
        expect(await store.getStreamIdForEventId?.(unknown), unknown).toBeUndefined();
        await expect(replay(store, unknown), unknown).rejects.toThrow();
      }
    });

    it('hides nothing that is stored during a replay: it is in it, or its storing ends after it', async () => {
      const store = await makeStore();
      const first = await store.storeEvent('stream', note(0));
      for (let number = 1; number < 5; number += 1) await store.storeEvent('stream', note(number));
      // A transport hands out what is stored once the replay is over, and nobody hears it before that.
      const replayed = new Set<string>();
      const stored: { id: string; isHeard: boolean }[] = [];
      let isOver = false;
      const storing: Promise<unknown>[] = [];
      const storeOne = async (number: number) => {
        const id = await store.storeEvent('stream', note(number));
        stored.push({ id, isHeard: isOver });
      };
      await store.replayEventsAfter(first, {
        send: async (id) => {
          replayed.add(id);
          if (replayed.size <= 4) storing.push(storeOne(10 + replayed.size));
          await new Promise((resolve) => setTimeout(resolve, 5));
        },
      });
      isOver = true;
      await Promise.all(storing);
      expect(stored).toHaveLength(4);
      expect(stored.filter(({ id, isHeard }) => !isHeard && !replayed.has(id))).toEqual([]);
    });

    it('keeps the order of concurrent writers, each stream its own', async () => {
      const store = await makeStore();
      const streams = ['stream-0', 'stream-1', 'stream-2'];
      const first = await Promise.all(streams.map((stream) => store.storeEvent(stream, note(0))));
      await Promise.all(
        Array.from({ length: 300 }, (_, index) => store.storeEvent(`stream-${index % 3}`, note(index))),
      );
      for (const [at, id] of first.entries()) {
        const { messages } = await replay(store, id);
        expect(messages).toEqual(Array.from({ length: 100 }, (_, index) => note(index * 3 + at)));
      }
    });

    it('evicts finished streams at its limit, before older events of a running call', async () => {
      const store = await makeStore({ maxEvents: 100 });
      const open = await store.storeEvent('open', note(0));
      for (let number = 1; number < 30; number += 1) await store.storeEvent('open', note(number));
      const done = await store.storeEvent('done', note(0));
      for (let number = 1; number < 50; number += 1) await store.storeEvent('done', note(number));
      const result = await store.storeEvent('done', response(1));
      for (let number = 30; number < 60; number += 1) await store.storeEvent('open', note(number));
      expect((await replay(store, open)).messages).toHaveLength(59);
      expect(await store.getStreamIdForEventId?.(result)).toBe('done');
      // A replay from here would have a hole.
      expect(await store.getStreamIdForEventId?.(done)).toBeUndefined();
      await expect(replay(store, done)).rejects.toThrow();
    });

    it('limits bytes as well as events', async () => {
      const store = await makeStore({ maxBytes: 10_000 });
      const first = await store.storeEvent('done', note(0));
      await store.storeEvent('done', response(1));
      const ids: string[] = [];
      for (let number = 0; number < 200; number += 1) ids.push(await store.storeEvent('open', note(number)));
      expect(await store.getStreamIdForEventId?.(first)).toBeUndefined();
      expect(await store.getStreamIdForEventId?.(ids[0] ?? '')).toBeUndefined();
      expect((await replay(store, ids.at(-2))).ids).toEqual([ids.at(-1)]);
    });

    it('resumes from any event ID of any interleaving with exactly the rest', async () => {
      const writes = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(writes, fc.nat(), async (streams, pick) => {
          const store = await makeStore();
          const written: { stream: number; id: string }[] = [];
          for (const [index, stream] of streams.entries()) {
            written.push({ stream, id: await store.storeEvent(`stream-${stream}`, note(index)) });
          }
          const [from, ...later] = written.slice(pick % written.length);
          const rest = later.filter(({ stream }) => stream === from?.stream);
          expect((await replay(store, from?.id)).ids).toEqual(rest.map(({ id }) => id));
        }),
        { numRuns: 50 },
      );
    });
  });
}
