import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { animatedWebp, chunksOf } from './animatedWebp.ts';

/** A WebP file with one chunk; what is in it doesn't matter here. */
function picture(size: number): Uint8Array {
  const data = Uint8Array.from({ length: size }, (_, i) => i);
  const file = new Uint8Array(20 + size + (size % 2));
  file.set(new TextEncoder().encode('RIFF....WEBPVP8 '));
  new DataView(file.buffer).setUint32(4, file.length - 8, true);
  new DataView(file.buffer).setUint32(16, size, true);
  file.set(data, 20);
  return file;
}

test('joins pictures, each with its time, and pads odd sizes', () => {
  const size = { width: 300, height: 200 };
  const file = animatedWebp(
    [
      { picture: picture(5), durationMs: 100 },
      { picture: picture(6), durationMs: 70_000 },
    ],
    size,
  );
  const chunks = chunksOf(file);
  expect(chunks.map(({ name }) => name)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF']);
  expect(new DataView(file.buffer).getUint32(4, true)).toBe(file.length - 8);
  const [header, , first, second] = chunks;
  expect([...(header?.data ?? [])]).toEqual([2, 0, 0, 0, 43, 1, 0, 199, 0, 0]);
  expect([...(first?.data.subarray(12, 16) ?? [])]).toEqual([100, 0, 0, 2]);
  expect([...(second?.data.subarray(12, 15) ?? [])]).toEqual([112, 17, 1]);
  expect([...(first?.data.subarray(24) ?? [])]).toEqual([0, 1, 2, 3, 4, 0]);
});

test('rejects a file that is no WebP', () => {
  expect(() => chunksOf(new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toThrow(
    'Not a WebP file.',
  );
});

test('the picture of the README moves, and is smaller than 1 MB', () => {
  const file = readFileSync(new URL('reload.webp', import.meta.url));
  expect(chunksOf(file).filter(({ name }) => name === 'ANMF').length).toBeGreaterThan(8);
  expect(file.length).toBeLessThan(1_000_000);
});
