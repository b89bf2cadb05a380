/**
 * A forward proxy between the browser and the servers, whose wires can be cut. The browser's own "offline" lets streams
 * that are already open go on, and a network that is gone does not.
 */
import { createServer, request as startRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import { followEvents, MissedMessages } from './missedMessages.ts';

const MAX_BODY = 1_000_000;

export interface BlipProxy {
  /** For the `proxy` option of a browser context. */
  readonly url: string;
  /** Cuts every connection, and refuses new ones until the returned function is called. The app itself stays. */
  cut(): () => void;
  /** From now on the server's streams outlive the page, and what they bring without it is counted. Not behind TLS. */
  watch(): MissedMessages;
  /** From now on, the response to a tool call has a head, and the page gets nothing of its body. Not behind TLS. */
  holdCalls(): void;
  close(): Promise<void>;
}

export async function startBlipProxy(site: string): Promise<BlipProxy> {
  const siteHost = new URL(site).host;
  const wires = new Set<Duplex>();
  /** Of streams that were begun by a GET: resumed, they are still no call's. */
  const standaloneIds = new Set<string>();
  let isCut = false;
  let holdsCalls = false;
  let missed: MissedMessages | undefined;

  const accept = (request: IncomingMessage, response: ServerResponse): void => {
    // Another tab may ask at once for a stream that this one leaves. It waits until something was missed: the server
    // would reject it (409) as long as the old one is held here.
    const asksForStream = request.headers.accept?.includes('text/event-stream') && request.method === 'GET';
    if (!asksForStream || !missed || missed.isReleased) return forward(request, response);
    void missed.released.then(() => {
      if (!request.destroyed) forward(request, response);
    });
  };

  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '', site);
    const isSite = url.host === siteHost;
    if (isCut && !isSite) return void request.socket.destroy();
    const upstream = startRequest(url, { method: request.method, headers: request.headers });
    if (!isSite) keep(wires, request.socket);
    const isCall = seesCall(request, standaloneIds);
    let hasLeft = false;
    let watcher: MissedMessages | undefined;
    upstream.on('response', (answer) => {
      // The body of an error, such as 409 for a second stream, is a JSON-RPC response, too, and none that a page misses.
      if (!isSite && answer.statusCode === 200) {
        followEvents(answer, (eventId, message) => {
          if (request.method === 'GET' && !isCall() && eventId !== undefined) standaloneIds.add(eventId);
          watcher?.add(eventId, message);
        });
      }
      answer.on('error', () => response.destroy());
      // Without its reader, the answer must be read on.
      if (hasLeft) return void answer.resume();
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.flushHeaders();
      if (!holdsCalls || !isCall() || request.method !== 'POST') answer.pipe(response);
      response.once('close', () => answer.resume());
    });
    upstream.on('error', () => request.socket.destroy());
    response.on('close', () => {
      hasLeft = true;
      const isStream = request.method === 'GET' || isCall();
      const isHeld = !isSite && isStream && !response.writableFinished && missed?.isReleased === false;
      if (!missed || !isHeld) return void upstream.destroy();
      watcher = missed;
      upstream.on(
        'close',
        missed.hold(isCall(), () => upstream.destroy()),
      );
    });
    request.pipe(upstream);
  };

  const tunnel = (request: IncomingMessage, client: Duplex, head: Buffer): void => {
    if (isCut) return void client.destroy();
    const { hostname, port } = new URL(`tcp://${request.url ?? ''}`);
    const upstream: Socket = connect(Number(port || 443), hostname.replace(/^\[|\]$/g, ''), () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    keep(wires, client);
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
    client.on('close', () => upstream.destroy());
  };

  const server = createServer(accept);
  server.on('connect', tunnel);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cut() {
      isCut = true;
      for (const wire of wires) wire.destroy();
      return () => void (isCut = false);
    },
    holdCalls: () => void (holdsCalls = true),
    watch: () => (missed = new MissedMessages()),
    async close() {
      missed?.release();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const wire of wires) wire.destroy();
      await closed;
    },
  };
}

/** Whether a request is a tool call, or a stream that is resumed. */
function seesCall(request: IncomingMessage, standaloneIds: ReadonlySet<string>): () => boolean {
  const lastEventId = request.headers['last-event-id'];
  const isResumed = typeof lastEventId === 'string' && !standaloneIds.has(lastEventId);
  if (request.method === 'GET') return () => isResumed;
  let body = '';
  request.on('data', (chunk: Buffer) => (body += body.length < MAX_BODY ? chunk.toString() : ''));
  return () => /"method":\s*"tools\/call"/.test(body);
}

function keep(wires: Set<Duplex>, wire: Duplex): void {
  if (wires.has(wire)) return;
  wires.add(wire);
  wire.once('close', () => wires.delete(wire));
}
