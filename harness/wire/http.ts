/** What the wire needs of Node's HTTP: servers on this machine, whole bodies, plain headers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';
/** Headers of one connection, not of the request. */
export const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'transfer-encoding',
  'upgrade',
];

export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(handler);
  server.keepAliveTimeout = 60_000;
  server.requestTimeout = 0;
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  return server;
}

export const originOf = (server: Server): string =>
  `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;

export async function readBytes(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** `undefined` if the page has broken it off. */
export const readBody = (request: IncomingMessage): Promise<Buffer | undefined> =>
  readBytes(request).catch(() => undefined);

export function flatten(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

export function without(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
