/** Requests to an HTTP server, without limits of time: `fetch` of Node cuts a stream that is silent for five minutes. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';

export interface Forwarded {
  readonly status: number;
  readonly headers: Headers;
  readonly body: IncomingMessage;
}

export interface ForwardOptions {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Headers of one connection, and of browsers. */
const NOT_SENT =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|accept-encoding|origin|referer|cookie|sec-.*|access-control-.*)$/;
const NOT_PASSED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|set-cookie|access-control-.*|location|alt-svc|strict-transport-security)$/;

/** Never follows a redirect: it would carry the headers of the page to another place. */
export function forward(url: string, { method, headers, body, signal }: ForwardOptions): Promise<Forwarded> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, signal, headers: headersToSend(headers) }, (answer) => {
      answer.on('error', () => undefined);
      resolve({ status: answer.statusCode ?? 502, headers: headersOf(answer), body: answer });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The response for the page. */
export function passOn({ status, headers, body }: Forwarded): Response {
  const passed = new Headers([...headers].filter(([name]) => !NOT_PASSED.test(name)));
  const isEmpty = status === 204 || status === 205 || status === 304;
  if (status >= 300 && status < 400 && !isEmpty) {
    body.destroy();
    const message = `The server redirects to another URL (HTTP ${status}). Start the bridge with that URL.`;
    return Response.json(
      { jsonrpc: '2.0', id: null, error: { code: -32000, message, data: { bridge: true } } },
      { status: 502 },
    );
  }
  if (isEmpty) body.resume();
  return new Response(isEmpty ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>), {
    status,
    headers: passed,
  });
}

export async function textOf(body: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

export const isStream = (headers: Headers): boolean =>
  headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false;

function headersToSend(headers: Headers): Record<string, string> {
  const sent = [...headers].filter(([name]) => !NOT_SENT.test(name));
  return { ...Object.fromEntries(sent), 'accept-encoding': 'identity' };
}

function headersOf({ headers }: IncomingMessage): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== 'set-cookie')
      all.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return all;
}
