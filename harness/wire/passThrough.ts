/** Everything that isn't MCP goes through the wire as it is. */
import { request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { allowOrigin, preflightHeaders } from './cors.ts';

/** The proxy that the test has asked for: it comes after the wire. */
export interface ParentProxy {
  readonly server: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

export function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { addCors = false, parent }: { addCors?: boolean; parent?: ParentProxy | undefined },
): void {
  const { 'proxy-connection': _dropped, ...headers } = request.headers;
  const asked = Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const via = parent && new URL(parent.server.includes('://') ? parent.server : `http://${parent.server}`);
  const upstream = via
    ? requestHttp({
        host: via.hostname,
        port: via.port,
        path: url.href,
        method: request.method ?? 'GET',
        headers: { ...headers, ...authorization(parent) },
      })
    : (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: request.method ?? 'GET',
        headers: { ...headers, host: url.host },
      });
  upstream.on('response', (answer) => {
    const isBare = addCors && answer.headers['access-control-allow-origin'] === undefined;
    const isPreflight = request.method === 'OPTIONS' && asked['access-control-request-method'] !== undefined;
    const added = !isBare ? {} : isPreflight ? preflightHeaders(asked) : allowOrigin(asked);
    response.writeHead(isBare && isPreflight ? 204 : (answer.statusCode ?? 502), {
      ...answer.headers,
      ...added,
    });
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  upstream.on('error', () => (response.headersSent ? response.destroy() : request.socket.destroy()));
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}

export function tunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  parent: ParentProxy | undefined,
): void {
  const via = parent && new URL(parent.server.includes('://') ? parent.server : `http://${parent.server}`);
  const { hostname, port } = via ?? new URL(`tcp://${request.url ?? ''}`);
  const upstream = connect(Number(port || (via ? 80 : 443)), hostname.replace(/^\[|\]$/g, ''), () => {
    if (via) {
      const { 'proxy-authorization': login } = authorization(parent);
      const lines = [`CONNECT ${request.url ?? ''} HTTP/1.1`, `host: ${request.url ?? ''}`];
      upstream.write([...lines, ...(login ? [`proxy-authorization: ${login}`] : []), '', ''].join('\r\n'));
    } else client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
  upstream.on('error', () => client.destroy());
  client.on('error', () => upstream.destroy());
  client.on('close', () => upstream.destroy());
}

function authorization(parent: ParentProxy | undefined): Record<string, string> {
  if (parent?.username === undefined) return {};
  const login = Buffer.from(`${parent.username}:${parent.password ?? ''}`).toString('base64');
  return { 'proxy-authorization': `Basic ${login}` };
}
