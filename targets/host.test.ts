import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listen, LOOPBACK_ADDRESS } from './host.ts';

it('ends the body of a client that left before its answer began', async () => {
  let asked: () => void;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  let cancelled: () => void;
  const isCancelled = new Promise<void>((resolve) => (cancelled = resolve));
  const host = await listen(
    async ({ signal }) => {
      asked();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return new Response(new ReadableStream({ cancel: () => cancelled() }));
    },
    0,
    () => undefined,
  );
  onTestFinished(() => host.close());

  const client = connect(host.port, LOOPBACK_ADDRESS);
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await isAsked;
  client.destroy();
  await expect(isCancelled).resolves.toBeUndefined();
});
