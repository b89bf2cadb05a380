import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withTarget } from '../../../../targets/testing/withTarget.ts';
import { passOn } from '../../testing/passOn.ts';
import { OldSseTransport } from './oldSseTransport.ts';

const INITIALIZE: JSONRPCMessage = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

interface Given {
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function open(url: string, { fetch: given = fetch, token, headers }: Given = {}) {
  const transport = new OldSseTransport({
    url,
    fetch: passOn(given),
    token: () => Promise.resolve(token),
    headers,
    session: undefined,
  });
  onTestFinished(() => transport.close());
  const messages: JSONRPCMessage[] = [];
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  const first = new Promise<JSONRPCMessage>((resolve) => {
    transport.onmessage = (message: JSONRPCMessage) => {
      messages.push(message);
      resolve(message);
    };
  });
  return { transport, messages, first, closed };
}

/** A server whose stream says this, and whose POSTs are answered with this status. */
function serve(text: string, status = 202) {
  const asked: { readonly url: string; readonly init: RequestInit | undefined }[] = [];
  let end: () => void = () => undefined;
  const answer = (url: string | URL, init?: RequestInit): Promise<Response> => {
    asked.push({ url: String(url), init });
    if (init?.method === 'POST') return Promise.resolve(new Response('no', { status }));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        end = () => controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
  return { asked, fetch: answer, end: () => end() };
}

const ENDPOINT = 'event: endpoint\ndata: /messages?id=1\n\n';

describe('HTTP+SSE', () => {
  it('sends to the endpoint that a real server names, and hears the response on the stream', async () => {
    const { url } = await withTarget('sse');
    const { transport, first } = open(url);
    await transport.start();
    await transport.send(INITIALIZE);
    expect(await first).toMatchObject({ id: 1, result: { protocolVersion: '2024-11-05' } });
  });

  it('sends the headers and the token with the GET and with each POST, and follows no redirect', async () => {
    const server = serve(ENDPOINT);
    const { transport } = open('http://s/sse', { ...server, token: 'secret', headers: { 'x-team': 'blue' } });
    await transport.start();
    await transport.send(INITIALIZE);
    await transport.send(INITIALIZE);
    expect(server.asked.map(({ url }) => url)).toEqual([
      'http://s/sse',
      'http://s/messages?id=1',
      'http://s/messages?id=1',
    ]);
    for (const { init } of server.asked) {
      const headers = new Headers(init?.headers);
      expect([headers.get('authorization'), headers.get('x-team')]).toEqual(['Bearer secret', 'blue']);
      expect(init?.redirect).toBe('manual');
    }
    expect(new Headers(server.asked[1]?.init?.headers).get('content-type')).toBe('application/json');
  });

  it.each([
    ['another origin', 'event: endpoint\ndata: http://elsewhere/messages\n\n'],
    ['no URL', 'event: endpoint\ndata: http://[\n\n'],
  ])('does not send anything to an endpoint of %s', async (_, text) => {
    const { transport } = open('http://s/sse', serve(text));
    await expect(transport.start()).rejects.toMatchObject({ name: 'NotOldSse' });
    await expect(transport.send(INITIALIZE)).rejects.toThrow('Not connected');
  });

  it.each([
    ['refuses', () => new Response('no', { status: 401 })],
    [
      'answers with something else',
      () => new Response('{}', { headers: { 'content-type': 'application/json' } }),
    ],
    ['closes at once', () => new Response('', { headers: { 'content-type': 'text/event-stream' } })],
  ])('is not what a server speaks that %s', async (_, respond) => {
    const { transport, closed } = open('http://s/sse', { fetch: () => Promise.resolve(respond()) });
    await expect(transport.start()).rejects.toMatchObject({ name: 'NotOldSse' });
    await closed;
  });

  it('says with its status that a POST was sent and refused', async () => {
    const { transport } = open('http://s/sse', serve(ENDPOINT, 500));
    await transport.start();
    await expect(transport.send(INITIALIZE)).rejects.toMatchObject({ status: 500 });
  });

  it('is closed once when the stream ends, which ends every request', async () => {
    const server = serve(ENDPOINT);
    const { transport, closed } = open('http://s/sse', server);
    await transport.start();
    const ended: string[] = [];
    await transport.send(INITIALIZE, { onRequestStreamEnd: () => void ended.push('request') });
    expect(ended).toEqual([]);
    server.end();
    await closed;
    await transport.close();
    expect(ended).toEqual(['request']);
    await expect(transport.send(INITIALIZE)).rejects.toThrow('Not connected');
  });

  it('hands on messages, and nothing else that is on the stream', async () => {
    const ping = { jsonrpc: '2.0', id: 3, method: 'ping' };
    const others = 'data: {"no":"message"}\n\nevent: news\ndata: {}\n\n';
    const { transport, first, messages } = open(
      'http://s/sse',
      serve(`${ENDPOINT}${others}data: ${JSON.stringify(ping)}\n\n`),
    );
    await transport.start();
    expect(await first).toEqual(ping);
    expect(messages).toEqual([ping]);
  });
});
