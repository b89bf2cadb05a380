import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextTask } from '../base/yieldToEventLoop.ts';
import { EventParser } from './eventParser.ts';
import type { Frame } from './exchange.ts';
import { readEvents } from './readEvents.ts';

const LIMIT_BYTES = 10_000;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function chunksOf(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const inside = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const edges = [0, ...inside, bytes.length];
  return edges.slice(1).map((edge, i) => bytes.slice(edges[i], edge));
}

function readerOf(chunks: readonly Uint8Array[], error?: Error): ReadableStreamDefaultReader<Uint8Array> {
  const left = [...chunks];
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const chunk = left.shift();
    if (chunk) controller.enqueue(chunk);
    else if (error) controller.error(error);
    else controller.close();
  };
  return new ReadableStream({ pull }).getReader();
}

async function read(bytes: Uint8Array, cuts: readonly number[] = [], error?: Error) {
  const parser = new EventParser();
  const batches: Uint8Array[] = [];
  const frames: Frame[] = [];
  const retries: number[] = [];
  const end = await readEvents(readerOf(chunksOf(bytes, cuts), error), {
    maxEventBytes: LIMIT_BYTES,
    onEvents: (batch: Uint8Array) => {
      batches.push(batch);
      const { frames: found, retryMs } = parser.feed(batch);
      frames.push(...found);
      if (retryMs !== undefined) retries.push(retryMs);
      return Promise.resolve(true);
    },
  });
  return { end, batches, frames, retries };
}

const line = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => text.replaceAll(/[\r\n\0\uFEFF]/g, ' '));
const event = fc.record({
  id: fc.option(line, { nil: undefined }),
  comment: fc.boolean(),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
});
const stream = fc.tuple(fc.array(event, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'));
const cuts = fc.array(fc.nat(), { maxLength: 40 });

function printed([events, newLine]: typeof stream extends fc.Arbitrary<infer T> ? T : never): Uint8Array {
  const lines = events.flatMap(({ id, comment, lines: data }) => [
    ...(comment ? [': ping', ''] : []),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...data.map((text) => `data: ${text}`),
    '',
  ]);
  return bytesOf(lines.map((text) => text + newLine).join(''));
}

describe('readEvents', () => {
  it('reads the same events however the bytes are cut, also inside a UTF-8 character', async () => {
    await fc.assert(
      fc.asyncProperty(stream, cuts, async (sent, at) => {
        const { frames } = await read(printed(sent), at);
        expect(frames.map(({ data }) => data)).toEqual(sent[0].map(({ lines }) => lines.join('\n')));
        expect(frames).toEqual((await read(printed(sent))).frames);
      }),
    );
  });

  it('hands on whole events: each batch can be read without the others', async () => {
    await fc.assert(
      fc.asyncProperty(stream, cuts, async (sent, at) => {
        const { frames, batches } = await read(printed(sent), at);
        expect(batches.flatMap((batch) => new EventParser().feed(batch).frames)).toEqual(frames);
      }),
    );
  });

  it('gathers chunks that come at once', async () => {
    const events = Array.from({ length: 3000 }, (_, n) => `id: ${n}\ndata: ${'x'.repeat(300)}\n\n`);
    const bytes = bytesOf(events.join(''));
    const { frames, batches } = await read(
      bytes,
      events.map((_, n) => n * 320),
    );
    expect(frames).toHaveLength(3000);
    expect(batches.length).toBeLessThan(100);
  });

  it('hands on no more than a few megabytes before they are recorded', async () => {
    const chunk = bytesOf(`data: ${'x'.repeat(59_990)}\n\n`);
    let [onTheWay, most] = [0, 0];
    const end = await readEvents(readerOf(Array.from({ length: 200 }, () => chunk)), {
      maxEventBytes: 100_000,
      onEvents: async (bytes) => {
        onTheWay += bytes.length;
        most = Math.max(most, onTheWay);
        for (let i = 0; i < 20; i += 1) await nextTask();
        onTheWay -= bytes.length;
        return true;
      },
    });
    expect(end).toEqual({ how: 'closed' });
    expect(most).toBeLessThan(2_200_000);
  });

  it('keeps an event with an id and no data: it names a position', async () => {
    expect((await read(bytesOf('id: 7\ndata: \n\n'))).frames).toEqual([{ id: '7', data: '' }]);
  });

  it('passes over events of other names', async () => {
    const { frames } = await read(bytesOf('event: endpoint\ndata: /x\n\ndata: 1\n\n'));
    expect(frames).toEqual([{ data: '1' }]);
  });

  it.each([
    ['closes', undefined, { how: 'closed' }],
    ['breaks', new Error('reset'), { how: 'broken', why: 'reset' }],
  ])(
    'drops an event that is cut off when the stream %s, and keeps the ones before it',
    async (_, error, how) => {
      const { frames, end, retries } = await read(bytesOf('data: 1\n\nretry: 70\ndata: 2'), [3, 11], error);
      expect(frames).toEqual([{ data: '1' }]);
      expect(retries).toEqual([70]);
      expect(end).toEqual(how);
    },
  );

  it('stops at an event that is larger than the limit', async () => {
    const { frames, end } = await read(bytesOf(`data: 1\n\ndata: ${'x'.repeat(20_000)}`), [5, 900]);
    expect(frames).toEqual([{ data: '1' }]);
    expect(end).toEqual({ how: 'oversized' });
  });

  it('stops when no more is wanted, though the stream stays open', async () => {
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf('data: 1\n\n')),
    });
    const onEvents = (): Promise<boolean> => Promise.resolve(false);
    expect(await readEvents(source.getReader(), { maxEventBytes: LIMIT_BYTES, onEvents })).toEqual({
      how: 'stopped',
    });
  });

  it('is broken if its events can’t be recorded', async () => {
    const onEvents = (): Promise<boolean> => Promise.reject(new Error('no recorder'));
    const reader = readerOf([bytesOf('data: 1\n\n')]);
    expect(await readEvents(reader, { maxEventBytes: LIMIT_BYTES, onEvents })).toEqual({
      how: 'broken',
      why: 'no recorder',
    });
  });
});
