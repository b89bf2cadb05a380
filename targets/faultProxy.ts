/** A TCP proxy that spoils the bytes on their way from a server: cuts, delays, splits or stalls them at an offset. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { holdHeads } from './holdHeads.ts';
import { LOOPBACK_ADDRESS } from './host.ts';

/** What happens to the bytes of one connection, counted from the first byte of its first response. */
export type Fault =
  /** A TCP reset after `atByte` bytes. */
  | { readonly kind: 'cut'; readonly atByte: number }
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
  /** Forgets faults that no connection has got yet. */
  clear(): void;
  /** Resets every open connection now. */
  cutAll(): void;
  /** Refuses connections until the returned function is called. */
  refuse(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  /** Hold the head of each response back until the first byte of its body, on connections without a fault. */
  readonly holdsHeads?: boolean;
}

export async function startFaultProxy(
  targetUrl: string,
  { holdsHeads = false }: FaultProxyOptions = {},
): Promise<FaultProxy> {
  const targetPort = Number(new URL(targetUrl).port);
  const pending: Fault[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((client) => {
    connections += 1;
    join(client, connect(targetPort, LOOPBACK_ADDRESS), pending.shift(), open, holdsHeads);
  });
  const cutAll = () => open.forEach((socket) => socket.resetAndDestroy());
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
    clear: () => void pending.splice(0),
    cutAll,
    async refuse() {
      await stop();
      return () => listen(port);
    },
    close: stop,
  };
}

function join(
  client: Socket,
  upstream: Socket,
  fault: Fault | undefined,
  open: Set<Socket>,
  holdsHeads: boolean,
): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      open.delete(socket);
      // A side that is reset resets the other: an ordinary end was passed on before.
      if (!other.destroyed && !socket.readableEnded) other.resetAndDestroy();
    });
  }
  client.pipe(upstream);
  if (!fault) return void (holdsHeads ? upstream.pipe(holdHeads(client)) : upstream).pipe(client);
  void spoil(client, upstream, fault);
}

async function spoil(client: Socket, upstream: Socket, fault: Fault): Promise<void> {
  let passed = 0;
  try {
    for await (const chunk of upstream as AsyncIterable<Buffer>) {
      const clean = Math.max(0, Math.min(chunk.length, fault.atByte - passed));
      passed += chunk.length;
      if (clean > 0) await write(client, chunk.subarray(0, clean));
      if (passed < fault.atByte) continue;
      if (!(await spoilRest(client, chunk.subarray(clean), fault))) return;
    }
    client.end();
  } catch {
    client.destroy();
  }
}

/** Says whether the bytes that follow are wanted. */
async function spoilRest(client: Socket, rest: Buffer, fault: Fault): Promise<boolean> {
  switch (fault.kind) {
    case 'cut':
      client.resetAndDestroy();
      return false;
    case 'stall':
      await once(client, 'close');
      return false;
    case 'delay':
      await sleep(fault.delayMs);
      await write(client, rest);
      return true;
    case 'split':
      for (let at = 0; at < rest.length; at += fault.size) {
        await write(client, rest.subarray(at, at + fault.size));
        // Without a turn of the event loop the kernel would join the pieces again.
        await sleep(0);
      }
      return true;
    default:
      return unknownFault(fault);
  }
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
