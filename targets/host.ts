/** Binds a fetch handler to loopback TCP, and turns a torn body into a TCP reset in the middle of a frame. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { StreamDropped } from './core/openBodies.ts';
import type { Handler } from './core/options.ts';
import type { LogSink } from './core/log.ts';

export const LOOPBACK_ADDRESS = '127.0.0.1';

/** Longer than clients keep idle connections: who closes one while the other writes makes an error out of nothing. */
const KEEP_ALIVE_MS = 120_000;

/** Half an event: its id must not move anybody's position, for its data never came. */
export const HALF_A_FRAME = 'event: message\nid: never-finished.1\ndata: {"jsonrpc":"2.0","method":"notif';

type NodeAnswer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

const takenOver = new WeakMap<Request, NodeAnswer>();

/** For what is made for Node alone: it writes the answer itself. The headers of the returned response go with it. */
export function takeOver(request: Request, answer: NodeAnswer): Response {
  takenOver.set(request, answer);
  return new Response(null);
}

export interface Host {
  readonly port: number;
  /**
   * Resets every connection that waits for something, as a killed process does; the one of `asker` may be spared. Idle
   * ones stay: a client that reuses one at this moment could not tell its mistake from ours.
   */
  resetConnections(asker?: Request): void;
  close(): Promise<void>;
}

export async function listen(handler: Handler, port: number, log: LogSink): Promise<Host> {
  const busy = new Map<Request, Socket>();
  const server: Server = createServer(
    { noDelay: true, keepAliveTimeout: KEEP_ALIVE_MS },
    (incoming, outgoing) => {
      const request = answerInNode(handler, incoming, outgoing, log);
      busy.set(request, incoming.socket);
      for (const end of ['finish', 'close']) outgoing.once(end, () => busy.delete(request));
    },
  );
  server.listen(port, LOOPBACK_ADDRESS);
  await once(server, 'listening');
  const resetConnections = (asker?: Request) => {
    for (const [request, socket] of busy) if (request !== asker) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    resetConnections,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Lets a fetch handler answer a request of Node's server. Throws if the Host header makes no URL. */
export function answerInNode(
  handler: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  log: LogSink,
): Request {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const request = toRequest(incoming, left.signal);
  void answer(handler, request, incoming, outgoing, log);
  return request;
}

async function answer(
  handler: Handler,
  request: Request,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  log: LogSink,
): Promise<void> {
  const { method } = request;
  const path = new URL(request.url).pathname;
  try {
    const response = await handler(request);
    const answerItself = takenOver.get(request);
    if (answerItself) {
      outgoing.setHeaders(response.headers);
      return await answerItself(incoming, outgoing);
    }
    log({ event: 'http.answered', method, path, status: response.status });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    // What the body has already goes out in one write with the headers. Not by cork(): since Node 22 a response that is
    // corked can lose what it's ended with, and never drains.
    process.nextTick(() => outgoing.flushHeaders());
    await sendBody(response, outgoing);
  } catch (error) {
    log({ event: 'http.failed', method, path, message: String(error) });
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end();
  }
}

/** `signal` tells a handler that the client has left, which is a cancellation on 2026-07-28 and nothing before. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const method = incoming.method ?? 'GET';
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? LOOPBACK_ADDRESS}`);
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Request(url, { method, headers, body, signal, duplex: 'half' } as RequestInit);
}

/** A client that leaves cancels the body: for an MCP stream that is a disconnect, never a cancellation. */
async function sendBody(response: Response, outgoing: ServerResponse): Promise<void> {
  if (!response.body) return void outgoing.end();
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  // Who left while the answer was made is not heard to leave again.
  if (outgoing.destroyed) return cancel();
  outgoing.once('close', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return void outgoing.end();
      if (!outgoing.write(value) && !outgoing.destroyed) await drained(outgoing);
    }
  } catch (error) {
    if (!(error instanceof StreamDropped)) throw error;
    outgoing.write(HALF_A_FRAME, () => outgoing.socket?.resetAndDestroy());
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.once('drain', done);
    outgoing.once('close', done);
  });
}
