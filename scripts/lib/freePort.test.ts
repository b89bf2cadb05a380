import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort } from './freePort.mjs';

describe('freePort', () => {
  it('gives each port once, as its server may not listen yet', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    expect(new Set(ports).size).toBe(50);
  });

  it('gives a port that can be listened on at both loopback addresses', async () => {
    const port = await freePort();
    for (const host of ['127.0.0.1', '::1']) {
      const server = createServer();
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) =>
          error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT' ? resolve() : reject(error),
        );
        server.listen(port, host, () => server.close(() => resolve()));
      });
    }
  });
});
