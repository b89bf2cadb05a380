// Preloaded into the suite: its mock servers listen on every interface of the machine, so whoever knocks from
// elsewhere is turned away at the door.
import { subscribe } from 'node:diagnostics_channel';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

subscribe('net.server.socket', (message) => {
  const { socket } = /** @type {{ socket: import('node:net').Socket }} */ (message);
  if (!LOOPBACK.test(socket.remoteAddress ?? '')) socket.destroy();
});
