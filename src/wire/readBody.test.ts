import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { BodyTooLarge, readBody } from './readBody.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

function inChunks(bytes: Uint8Array<ArrayBuffer>, size: number, onCancel = () => {}): Response {
  let at = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (at >= bytes.length) controller.close();
    else controller.enqueue(bytes.slice(at, (at += size)));
  };
  return new Response(new ReadableStream({ pull, cancel: onCancel }));
}

test('reads what Response.text reads, however it is cut', async () => {
  const texts = fc.string({ unit: 'binary', maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(texts, fc.boolean(), fc.integer({ min: 1, max: 7 }), async (text, hasMark, size) => {
      const bytes = new TextEncoder().encode(hasMark ? `\ufeff${text}` : text);
      expect(await readBody(inChunks(bytes, size), 1000)).toBe(await new Response(bytes).text());
    }),
    { numRuns: 50 },
  );
});

test('a body of the limit is read; one byte more is cancelled and refused in words', async () => {
  const bytes = new TextEncoder().encode('ü'.repeat(500));
  expect(await readBody(inChunks(bytes, 7), 1000)).toBe('ü'.repeat(500));
  let isCancelled = false;
  const response = inChunks(bytes, 7, () => (isCancelled = true));
  const error: unknown = await readBody(response, 999).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BodyTooLarge);
  expect(error).toMatchObject({
    limitBytes: 999,
    message: 'The response is larger than 999 B, so it isn’t read.',
  });
  expect(isCancelled).toBe(true);
});

test('a response without a body is empty', async () => {
  expect(await readBody(new Response(null, { status: 204 }), 10)).toBe('');
});

test('what was decompressed is counted, not what came over the wire', async () => {
  const packed = gzipSync(Buffer.alloc(20_000_000));
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(packed.length).toBeLessThan(50_000);
  await expect(readBody(await fetch(`http://127.0.0.1:${port}`), 1_000_000)).rejects.toThrow(BodyTooLarge);
});
