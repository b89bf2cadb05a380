/** Holds the head of each HTTP response back until the first byte of its body has come: as Firefox gives responses to pages. */
import type { Socket } from 'node:net';
import { Transform } from 'node:stream';

const END_OF_HEAD = '\r\n\r\n';
const BODILESS = /^HTTP\/1\.1 (1\d\d|204|304) |\r\ncontent-length: 0\r\n/i;

/** For the bytes from a server to `client`, which asks for one thing after the other, as every HTTP/1.1 client does. */
export function holdHeads(client: Socket): Transform {
  /** What has come of a head that isn't passed on yet; `undefined` from there to the next request. */
  let held: Buffer | undefined = Buffer.alloc(0);
  client.on('data', () => (held ??= Buffer.alloc(0)));
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!held) return done(null, chunk);
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf(END_OF_HEAD);
      if (end === -1) return done();
      const head = held.subarray(0, end + END_OF_HEAD.length);
      if (held.length === head.length && !BODILESS.test(head.toString('latin1'))) return done();
      const passed = held;
      held = undefined;
      return done(null, passed);
    },
    flush(done) {
      done(null, held);
    },
  });
}
