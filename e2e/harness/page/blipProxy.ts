/**
 * A forward proxy between the browser and the servers, whose wires can be cut. The browser's own "offline" lets streams
 * that are already open go on, and a network that is gone does not.
 */
import { createServer, request as startRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';

export interface BlipProxy {
  /** For the `proxy` option of a browser context. */
  readonly url: string;
  /** Cuts every connection, and refuses new ones until the returned function is called. The app itself stays. */
  cut(): () => void;
  close(): Promise<void>;
}

export async function startBlipProxy(site: string): Promise<BlipProxy> {
  const siteHost = new URL(site).host;
  const wires = new Set<Duplex>();
  let isCut = false;

  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '', site);
    const isSite = url.host === siteHost;
    if (isCut && !isSite) return void request.socket.destroy();
    const upstream = startRequest(url, { method: request.method, headers: request.headers });
    if (!isSite) keep(wires, request.socket);
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    upstream.on('error', () => request.socket.destroy());
    response.on('close', () => upstream.destroy());
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

  const server = createServer(forward);
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
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const wire of wires) wire.destroy();
      await closed;
    },
  };
}

function keep(wires: Set<Duplex>, wire: Duplex): void {
  if (wires.has(wire)) return;
  wires.add(wire);
  wire.once('close', () => wires.delete(wire));
}
