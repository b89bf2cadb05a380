/** A TCP proxy that spoils the bytes on their way from a server: cuts, delays, splits or stalls them at an offset. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform, type Readable } from 'node:stream';
import { holdHeads } from './holdHeads.ts';
import { LOOPBACK_ADDRESS } from './host.ts';

/** What happens to the bytes of one connection, counted from the first one that the server sends after the fault was set. */
export type Fault =
  /** A TCP reset after `atByte` bytes. */
  | { readonly kind: 'cut'; readonly atByte: number }
  /** A TCP reset after the first byte of the next UTF-8 character that has several. */
  | { readonly kind: 'cut-character'; readonly atByte: number }
  /** Everything from `atByte` on comes `delayMs` later. */
  | { readonly kind: 'delay'; readonly atByte: number; readonly delayMs: number }
  /** From `atByte` on, at most `size` bytes in one packet. */
  | { readonly kind: 'split'; readonly atByte: number; readonly size: number }
  /** Nothing after `atByte`; the connection stays open. */
  | { readonly kind: 'stall'; readonly atByte: number };

export interface FaultProxy {
  readonly port: number;
  readonly origin: string;
  /** Connections that were accepted so far. */
  readonly connections: number;
  /** The next `times` connections get this fault; later ones are clean. */
  inject(fault: Fault, times?: number): void;
  /** The open connections get this fault; `undefined` ends the one that they have. */
  spoilOpen(fault: Fault | undefined): void;
  /** Forgets faults that no connection has got yet. */
  clear(): void;
  /** Resets every open connection now. */
  cutAll(): void;
  /** Resets every other one. */
  cutHalf(): void;
  /** Refuses connections until the returned function is called. */
  refuse(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  /** Hold the head of each response back until the first byte of its body, on connections without a fault. */
  readonly holdsHeads?: boolean;
  /** The server sees its own address in `Host`, for one that accepts no other. */
  readonly replacesHost?: boolean;
}

export async function startFaultProxy(
  targetUrl: string,
  { holdsHeads = false, replacesHost = false }: FaultProxyOptions = {},
): Promise<FaultProxy> {
  const targetPort = Number(new URL(targetUrl).port);
  const pending: Fault[] = [];
  const open = new Set<Connection>();
  let connections = 0;
  const server: Server = createServer((client) => {
    connections += 1;
    const upstream = connect(targetPort, LOOPBACK_ADDRESS);
    const connection = new Connection(client, upstream, pending.shift());
    const own = replaceHost(`${LOOPBACK_ADDRESS}:${targetPort}`);
    (replacesHost ? client.pipe(own) : client).pipe(upstream);
    open.add(connection);
    void connection.pass(holdsHeads).then(() => open.delete(connection));
  });
  const cutAll = () => open.forEach((connection) => connection.reset());
  const listen = async (port: number) => {
    server.listen(port, LOOPBACK_ADDRESS);
    await once(server, 'listening');
  };
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    cutAll();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://${LOOPBACK_ADDRESS}:${port}`,
    get connections() {
      return connections;
    },
    inject: (fault, times = 1) => void pending.push(...Array<Fault>(times).fill(fault)),
    spoilOpen: (fault) => open.forEach((connection) => connection.spoil(fault)),
    clear: () => void pending.splice(0),
    cutAll,
    cutHalf: () => [...open].filter((_, i) => i % 2 === 0).forEach((connection) => connection.reset()),
    async refuse() {
      await stop();
      return () => listen(port);
    },
    close: stop,
  };
}

/** A client's connection and the one to the server behind it. */
class Connection {
  readonly #client: Socket;
  readonly #upstream: Socket;
  #fault: Fault | undefined;
  /** Bytes since the fault was set. */
  #passed = 0;
  readonly #closed: Promise<unknown>;

  constructor(client: Socket, upstream: Socket, fault: Fault | undefined) {
    this.#client = client;
    this.#upstream = upstream;
    this.#fault = fault;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        // A side that is reset resets the other: an ordinary end was passed on before.
        if (!other.destroyed && !socket.readableEnded) other.resetAndDestroy();
      });
    }
    this.#closed = Promise.all([client, upstream].map((socket) => closing(socket)));
  }

  spoil(fault: Fault | undefined): void {
    this.#fault = fault;
    this.#passed = 0;
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#upstream.resetAndDestroy();
  }

  /** Resolves when both sides are closed. */
  async pass(holdsHeads: boolean): Promise<void> {
    const client = this.#client;
    const source =
      holdsHeads && !this.#fault ? this.#upstream.pipe(holdHeads(client)) : (this.#upstream as Readable);
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) await this.#pass(chunk);
      client.end();
    } catch {
      client.destroy();
    }
    await this.#closed;
  }

  async #pass(chunk: Buffer): Promise<void> {
    const fault = this.#fault;
    if (!fault) return write(this.#client, chunk);
    const clean = Math.max(0, Math.min(chunk.length, fault.atByte - this.#passed));
    this.#passed += chunk.length;
    if (clean > 0) await write(this.#client, chunk.subarray(0, clean));
    if (this.#passed >= fault.atByte) await this.#spoilRest(chunk.subarray(clean), fault);
  }

  async #spoilRest(rest: Buffer, fault: Fault): Promise<void> {
    const client = this.#client;
    switch (fault.kind) {
      case 'cut':
        return this.reset();
      case 'cut-character': {
        const lead = rest.findIndex((byte) => byte >= FIRST_LEAD_BYTE);
        await write(client, lead === -1 ? rest : rest.subarray(0, lead + 1));
        return lead === -1 ? undefined : this.reset();
      }
      case 'stall':
        await this.#closed;
        return;
      case 'delay':
        await sleep(fault.delayMs);
        return write(client, rest);
      case 'split':
        for (let at = 0; at < rest.length; at += fault.size) {
          if (this.#fault !== fault) return write(client, rest.subarray(at));
          await write(client, rest.subarray(at, at + fault.size));
          // Without a turn of the event loop the kernel would join the pieces again.
          await sleep(0);
        }
        return;
      default:
        return unknownFault(fault);
    }
  }
}

/** In UTF-8, smaller ones are characters of one byte or follow such a byte. */
const FIRST_LEAD_BYTE = 0xc2;

function closing(socket: Socket): Promise<unknown> {
  return socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));
}

/** Not the first header in each engine. */
const HOST_OF_HEAD = /^(\w+ \S+ HTTP\/1\.1\r\n(?:[^\r]+\r\n)*?Host: )[^\r]*/i;

/** A browser sends the head of a request in one piece. */
function replaceHost(host: string): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = chunk.toString('latin1').replace(HOST_OF_HEAD, `$1${host}`);
      done(null, Buffer.from(text, 'latin1'));
    },
  });
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function unknownFault(fault: never): never {
  throw new Error(`Unknown fault: ${JSON.stringify(fault)}`);
}
