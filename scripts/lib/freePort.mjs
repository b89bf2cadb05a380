import { createServer } from 'node:net';

/** A port that was given out may not be listened on yet. @type {Set<number>} */
const given = new Set();

/** @returns {Promise<number>} a port that nobody has at this moment, neither on 127.0.0.1 nor on ::1 */
export async function freePort() {
  for (;;) {
    const port = await listenOnce(0, '127.0.0.1');
    if (port === undefined) throw new Error('No free port on 127.0.0.1.');
    // A server on "localhost" may have it on ::1 alone, and a client would then reach that one.
    const isFree = (await listenOnce(port, '::1')) !== undefined;
    if (given.has(port) || !isFree) continue;
    given.add(port);
    return port;
  }
}

/**
 * @param {number} port 0 for any
 * @param {string} host
 * @returns {Promise<number | undefined>} nothing if another process has it
 */
function listenOnce(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      // A machine without IPv6.
      else if (host === '::1') resolve(port);
      else reject(error);
    });
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}
