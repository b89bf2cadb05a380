import {
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import { PROTOCOL_VERSION_META_KEY } from '../protocol/metaKeys.ts';
import { passOn } from '../testing/passOn.ts';
import type { Session } from './session.ts';
import { StreamableHttpTransport } from './streamableHttpTransport.ts';

const request = (method: string, params: object = {}, id: number | string = 1): JSONRPCRequest => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params },
});
const INITIALIZE = request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '0' },
});
const enveloped = (method: string, params: object = {}) =>
  request(method, { ...params, _meta: { [PROTOCOL_VERSION_META_KEY]: '2026-07-28' } });

const SESSION = {
  sessionId: 'abc',
  protocolVersion: '2025-11-25',
  handshake: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
} satisfies Session;

interface Given {
  readonly fetch?: typeof fetch;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly session?: Session;
}

function open(url: string, { fetch: given = fetch, token, headers, session }: Given = {}) {
  const transport = new StreamableHttpTransport({
    url,
    fetch: passOn((...args) => given(...args)),
    token: () => Promise.resolve(token),
    headers,
    session,
  });
  onTestFinished(() => transport.close());
  const messages: JSONRPCMessage[] = [];
  const first = new Promise<JSONRPCMessage>((resolve) => {
    transport.onmessage = (message) => {
      messages.push(message);
      resolve(message);
    };
  });
  return { transport, messages, first };
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A server that answers everything with this, and remembers what it was sent. */
function serve(respond: () => Response) {
  const sent: Sent[] = [];
  const answer: typeof fetch = (_, init = {}) => {
    const { method = 'GET', headers, body } = init;
    sent.push({
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
    });
    return Promise.resolve(respond());
  };
  return { sent, fetch: answer };
}

const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });

describe('Streamable HTTP', () => {
  it('takes up the session that a real server gives it, and ends it', async () => {
    const target = await withTarget('resumable');
    const { transport, first } = open(target.url);
    await transport.send(INITIALIZE);
    expect(await first).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    expect(transport.sessionId).toBe(target.stats().sessions[0]?.id);
    transport.setProtocolVersion('2025-11-25');
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await transport.terminateSession();
    expect(transport.sessionId).toBeUndefined();
  });

  it.each<[string, JSONRPCMessage]>([
    ['a handshake', INITIALIZE],
    ['a call in a session', request('tools/call', { name: 'echo' })],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a response', { jsonrpc: '2.0', id: 4, result: {} }],
    ['a call of 2026-07-28', enveloped('tools/call', { name: 'größe' })],
    ['a resource of 2026-07-28', enveloped('resources/read', { uri: 'file:///a' })],
    ['a task of 2026-07-28', enveloped('tasks/get', { taskId: 't' })],
    ['a list of 2026-07-28', enveloped('tools/list')],
  ])('sends %s with the headers that the SDK sends', async (_, message) => {
    const given = { headers: { 'x-team': 'blue', accept: 'application/json' }, token: 'secret' };
    const ours = serve(() => new Response(null, { status: 202 }));
    await open('http://s/mcp', { ...ours, ...given, session: SESSION }).transport.send(message, {
      headers: { 'Mcp-Param-Region': 'north' },
    });
    const theirs = serve(() => new Response(null, { status: 202 }));
    const sdk = new StreamableHTTPClientTransport(new URL('http://s/mcp'), {
      fetch: theirs.fetch,
      authProvider: { token: () => Promise.resolve(given.token) },
      requestInit: { headers: given.headers },
      sessionId: SESSION.sessionId,
      protocolVersion: SESSION.protocolVersion,
    });
    await sdk.start();
    await sdk.send(message, { headers: { 'Mcp-Param-Region': 'north' } });
    expect(ours.sent).toEqual(theirs.sent.slice(0, 1));
  });

  it('knows the session before the response to the handshake is handed on', async () => {
    const { transport } = open(
      'http://s/mcp',
      serve(() => {
        const response = json({ jsonrpc: '2.0', id: 1, result: {} });
        response.headers.set('mcp-session-id', 'new');
        return response;
      }),
    );
    const known = new Promise<string | undefined>((resolve) => {
      transport.onmessage = () => resolve(transport.sessionId);
    });
    await transport.send(INITIALIZE);
    expect(await known).toBe('new');
  });

  it('tells who waits that no more messages come: after JSON, after a stream, but not after a cancellation', async () => {
    const stream = () =>
      new Response('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      });
    for (const respond of [() => json({ jsonrpc: '2.0', id: 1, result: {} }), stream]) {
      const { transport, messages } = open('http://s/mcp', serve(respond));
      const seen = await new Promise<number>((resolve) => {
        const onRequestStreamEnd = () => resolve(messages.length);
        void transport.send(request('ping'), { onRequestStreamEnd });
      });
      expect(seen).toBe(1);
    }
    const abort = new AbortController();
    const ended: string[] = [];
    const { transport, first } = open('http://s/mcp', serve(stream));
    await transport.send(request('ping'), {
      requestSignal: abort.signal,
      onRequestStreamEnd: () => void ended.push('told'),
    });
    abort.abort();
    await first;
    expect(ended).toEqual([]);
  });

  it('says of a refusal what its status and its body are', async () => {
    const { transport } = open(
      'http://s/mcp',
      serve(() => json({ error: 'no' }, 403)),
    );
    await expect(transport.send(request('ping'))).rejects.toMatchObject({
      name: 'RequestRefused',
      status: 403,
      body: '{"error":"no"}',
    });
  });

  it('gives whoever waits the error of a 400, if it is of 2026-07-28 and of this request', async () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32022, message: 'no' } };
    const { transport, messages } = open(
      'http://s/mcp',
      serve(() => json(error, 400)),
    );
    await transport.send(enveloped('tools/list'));
    expect(messages).toEqual([error]);
    await expect(transport.send(request('tools/list'))).rejects.toMatchObject({ status: 400 });
    await expect(transport.send({ ...enveloped('tools/list'), id: 2 })).rejects.toMatchObject({
      status: 400,
    });
  });

  it('rejects a request that is answered with something else', async () => {
    const { transport } = open(
      'http://s/mcp',
      serve(() => new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } })),
    );
    await expect(transport.send(request('ping'))).rejects.toThrow('text/html');
  });

  it('opens a stream with its session; a server without one refuses it, and that is no error', async () => {
    const server = serve(() => new Response('no', { status: 405 }));
    const { transport } = open('http://s/mcp', { ...server, session: SESSION });
    await transport.openStream('42');
    expect(server.sent).toEqual([
      {
        method: 'GET',
        headers: {
          accept: 'text/event-stream',
          'last-event-id': '42',
          'mcp-protocol-version': '2025-11-25',
          'mcp-session-id': 'abc',
        },
        body: undefined,
      },
    ]);
    await transport.terminateSession();
    expect(transport.sessionId).toBeUndefined();
  });

  it('ends everything with it, and says so', async () => {
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const { transport } = open('http://s/mcp', {
      fetch: (_, init) =>
        new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
          asked();
        }),
    });
    let closed = 0;
    transport.onclose = () => (closed += 1);
    const sending = transport.send(request('ping'));
    await isAsked;
    await transport.close();
    await expect(sending).rejects.toThrow('aborted');
    expect(closed).toBe(1);
  });
});
