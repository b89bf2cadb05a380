// Listens on this machine, and lets go of it.
import { createServer } from 'node:http';

/** Longer than browsers keep idle connections: a request on one that is just being closed is sent twice, or fails. */
const SERVER_OPTIONS = { noDelay: true, keepAliveTimeout: 120_000 };

/**
 * @param {import('node:http').RequestListener} listener
 * @param {number} port 0: any that is free
 * @param {string} host
 * @returns {Promise<import('node:http').Server>}
 */
export function listen(listener, port, host) {
  const server = createServer(SERVER_OPTIONS, listener);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** @param {import('node:http').Server} server */
export function closeServer(server) {
  return new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

/** @param {import('node:http').Server} server */
export function portOf(server) {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
