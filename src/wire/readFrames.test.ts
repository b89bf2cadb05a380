import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from './exchange.ts';
import { readFrames, type ReadEnd } from './readFrames.ts';

const OPTIONS = { maxEventChars: 10_000, onRetry: () => undefined, yieldIfDue: () => undefined };

function streamOf(bytes: Uint8Array, cuts: readonly number[]): ReadableStreamDefaultReader<Uint8Array> {
  const edges = [
    0,
    ...[...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b),
    bytes.length,
  ];
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (let i = 1; i < edges.length; i += 1) controller.enqueue(bytes.slice(edges[i - 1], edges[i]));
      controller.close();
    },
  }).getReader();
}

async function read(bytes: Uint8Array, cuts: readonly number[]): Promise<{ frames: Frame[]; end: ReadEnd }> {
  const frames: Frame[] = [];
  const end = await readFrames(streamOf(bytes, cuts), {
    ...OPTIONS,
    onFrames: (batch) => {
      frames.push(...batch);
      return true;
    },
  });
  return { frames, end };
}

const line = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => text.replaceAll(/[\r\n\0\uFEFF]/g, ' '));
const event = fc.record({
  id: fc.option(line, { nil: undefined }),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
});

describe('readFrames', () => {
  it('reads the same frames however the bytes are cut, also inside a UTF-8 character', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        async (events, cuts) => {
          const text = events
            .map(
              ({ id, lines }) =>
                `${id === undefined ? '' : `id: ${id}\n`}${lines.map((l) => `data: ${l}\n`).join('')}\n`,
            )
            .join('');
          const bytes = new TextEncoder().encode(text);
          const whole = await read(bytes, []);
          expect(await read(bytes, cuts)).toEqual(whole);
          expect(whole.frames.map(({ data }) => data)).toEqual(events.map(({ lines }) => lines.join('\n')));
        },
      ),
    );
  });

  it('keeps an event with an id and no data: it names a position', async () => {
    const { frames } = await read(new TextEncoder().encode('id: 7\ndata: \n\n'), []);
    expect(frames).toEqual([{ id: '7', data: '' }]);
  });

  it('passes over events of other names', async () => {
    const { frames } = await read(new TextEncoder().encode('event: endpoint\ndata: /x\n\ndata: 1\n\n'), []);
    expect(frames).toEqual([{ data: '1' }]);
  });

  it('drops an event that was cut off in the middle', async () => {
    const { frames, end } = await read(new TextEncoder().encode('data: 1\n\ndata: 2'), []);
    expect(frames).toEqual([{ data: '1' }]);
    expect(end).toEqual({ how: 'closed' });
  });

  it('stops at an event that is larger than the limit', async () => {
    const { frames, end } = await read(
      new TextEncoder().encode(`data: 1\n\ndata: ${'x'.repeat(20_000)}`),
      [5, 900],
    );
    expect(frames).toEqual([{ data: '1' }]);
    expect(end).toEqual({ how: 'oversized' });
  });
});
