import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BRIDGE_RESOURCE_HEADER } from '../src/base/bridgeContract.ts';
import { eventually } from '../targets/testing/eventually.ts';
import { RawClient } from '../targets/testing/rawClient.ts';
import { RawModernClient, WITH_TASKS } from '../targets/testing/rawModernClient.ts';
import { isMessageFrame, isResponseFrame, type RawFrame } from '../targets/testing/rawStream.ts';
import { withTarget } from '../targets/testing/withTarget.ts';
import type { RunningTarget } from '../targets/startTarget.ts';
import { withBridge, type TestBridge } from './testing/withBridge.ts';
import { withLoginFacts } from './resourceMetadata.ts';
import type { BridgeOptions } from './startBridge.ts';

async function bridged(
  profile: string,
  options: Partial<BridgeOptions> = {},
): Promise<{ target: RunningTarget; bridge: TestBridge }> {
  const target = await withTarget(profile);
  const servers = [{ transport: 'http' as const, name: profile, url: target.url, headers: {} }];
  return { target, bridge: await withBridge({ servers, ...options }) };
}

async function withServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const progressIn = (frames: readonly RawFrame[]) =>
  frames.flatMap(({ message }) => (message?.['params'] as { progress?: number } | undefined)?.progress ?? []);

const metadataUrlOf = (url: string) => url.replace('?', '/oauth-protected-resource?');

const replayOf = (response: Response) => response.headers.get('mcp-reprise-bridge');

describe.each(['no-replay', 'stateless', 'json', 'no-cors', 'hidden-session', 'sse'])(
  'a call of the server "%s"',
  (profile) => {
    it('is resumed through the bridge, with its result', async () => {
      const { target, bridge } = await bridged(profile);
      const client = await RawClient.connect(bridge.url);
      const stream = await client.call('countdown', { ticks: 20, intervalMs: 20 }, { id: 'call' });
      const seen = await stream.readUntil(() => true);
      stream.leave();
      await new Promise((resolve) => setTimeout(resolve, 100));
      seen.push(...(await (await client.get(seen.at(-1)?.id)).readAll()));
      expect(seen.filter(isResponseFrame)).toHaveLength(1);
      // A server that responds in JSON sends no progress.
      if (profile !== 'json') {
        expect(progressIn(seen)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
      }
      expect(target.stats().calls).toEqual({ countdown: 1 });
      await client.delete();
    });
  },
);

describe('a server that sends event IDs', () => {
  it('replays by itself: sessions, event IDs and streams are its own', async () => {
    const { target, bridge } = await bridged('resumable');
    const client = new RawClient(bridge.url);
    const response = await client.initialize();
    expect(replayOf(response)).toBe('http; replay=server');
    client.sessionId = response.headers.get('mcp-session-id') ?? '';
    await response.text();
    await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(target.stats().sessions.map(({ id }) => id)).toEqual([client.sessionId]);
    const stream = await client.call('countdown', { ticks: 10, intervalMs: 20 });
    const seen = await stream.readUntil(isMessageFrame);
    stream.leave();
    const direct = new RawClient(target.url);
    direct.sessionId = client.sessionId;
    await eventually('the server notices', () => target.stats().sessions[0]?.openStreams === 0);
    seen.push(...(await (await client.get(seen.at(-1)?.id)).readAll()));
    expect(progressIn(seen)).toEqual(Array.from({ length: 10 }, (_, at) => at + 1));
    expect((await client.delete()).status).toBe(200);
    expect((await direct.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
  });

  it.each(['no-cors', 'hidden-session', 'cors-no-cursor'])(
    'lets a page in, although "%s" does not',
    async (profile) => {
      const { bridge } = await bridged(profile);
      const origin = 'http://localhost:5173';
      const client = new RawClient(bridge.url, { headers: { origin } });
      const { headers } = await client.initialize();
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-expose-headers')).toContain('mcp-session-id');
      expect(headers.get('mcp-session-id')).not.toBeNull();
      const asked = { origin, 'access-control-request-headers': 'last-event-id' };
      const preflight = await fetch(bridge.url, { method: 'OPTIONS', headers: asked });
      expect(preflight.headers.get('access-control-allow-headers')).toContain('last-event-id');
    },
  );

  it('leaves the replay to the bridge with --replay bridge', async () => {
    const { bridge } = await bridged('resumable', { replay: 'bridge' });
    const client = await RawClient.connect(bridge.url);
    const stream = await client.call('countdown', { ticks: 5, intervalMs: 10 });
    expect(replayOf(stream.response)).toBe('http; replay=bridge');
    expect(progressIn(await stream.readAll())).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('a server that cannot replay', () => {
  it('is sent a repeated request once', async () => {
    const { target, bridge } = await bridged('no-replay');
    const client = await RawClient.connect(bridge.url);
    const call = () => client.call('countdown', { ticks: 5, intervalMs: 20 }, { id: 'again' });
    const [first, second] = await Promise.all([call(), call()]);
    await Promise.race([first.readAll(), second.readAll()]);
    expect(progressIn(await (await call()).readAll())).toEqual([1, 2, 3, 4, 5]);
    expect(target.stats().calls).toEqual({ countdown: 1 });
  });

  it('asks its questions through the bridge', async () => {
    const { bridge } = await bridged('json');
    const client = await RawClient.connect(bridge.url, { capabilities: { elicitation: {} } });
    const standalone = await client.get();
    const call = client.call('ask', { question: 'Color?' });
    const { message } =
      (await standalone.readUntil(({ message: one }) => one?.['id'] !== undefined)).at(-1) ?? {};
    await client.post({ jsonrpc: '2.0', id: message?.['id'], result: { action: 'decline' } });
    expect((await (await call).readAll()).filter(isResponseFrame)).toHaveLength(1);
  });

  it('ends its session with the one of the bridge', async () => {
    const { target, bridge } = await bridged('no-replay');
    const client = await RawClient.connect(bridge.url);
    await client.delete();
    await eventually('the server has ended it', () => target.stats().sessions[0]?.ended !== undefined);
  });

  it('ends the session of the bridge when it does not know its own any more', async () => {
    const { target, bridge } = await bridged('no-replay');
    const client = await RawClient.connect(bridge.url);
    await target.control('expire-sessions');
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await client.post(ping)).status).toBe(404);
    expect((await client.post({ ...ping, id: 2 })).status).toBe(404);
  });
});

describe('a session that the bridge added for a server without sessions', () => {
  const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' };

  it('is 404 after DELETE, although the server would respond', async () => {
    const { bridge } = await bridged('stateless');
    const client = await RawClient.connect(bridge.url);
    expect((await client.delete()).status).toBe(200);
    expect((await client.post(ping)).status).toBe(404);
    expect((await client.get()).status).toBe(404);
  });

  it('is 404 at the next bridge of the same server', async () => {
    const { target, bridge } = await bridged('stateless');
    const { sessionId = '' } = await RawClient.connect(bridge.url);
    const servers = [{ transport: 'http' as const, name: 'again', url: target.url, headers: {} }];
    const next = new RawClient((await withBridge({ servers })).url);
    next.sessionId = sessionId;
    expect((await next.post(ping)).status).toBe(404);
  });
});

describe('a login', () => {
  it('is asked for by the server, with metadata that the bridge relays', async () => {
    const { target, bridge } = await bridged('oauth');
    const response = await new RawClient(bridge.url).initialize();
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    const [, url = ''] = /resource_metadata="([^"]*)"/.exec(challenge) ?? [];
    expect(new URL(url).port).toBe(String(bridge.port));
    const metadata = await fetch(url);
    expect(await metadata.json()).toMatchObject({ resource: target.url });
    // The token is for the server, and not for the bridge.
    for (const { headers } of [response, metadata])
      expect(headers.get(BRIDGE_RESOURCE_HEADER)).toBe(target.url);
  });

  it.each([
    ['no challenge', undefined, 'Bearer resource_metadata="here"'],
    ['a challenge alone', 'Bearer', 'Bearer resource_metadata="here"'],
    ['a challenge without metadata', 'Bearer realm="x"', 'Bearer realm="x", resource_metadata="here"'],
    [
      'metadata of the server',
      'Bearer resource_metadata="there", scope="a"',
      'Bearer resource_metadata="here", scope="a"',
    ],
    ['another scheme', 'Basic realm="x"', 'Basic realm="x"'],
  ])('is offered with the metadata that the bridge relays, for %s', (_what, challenge, wanted) => {
    const refusal = new Response(null, {
      status: 401,
      ...(challenge !== undefined && { headers: { 'www-authenticate': challenge } }),
    });
    const { headers } = withLoginFacts(refusal, 'https://user:key@example.org/mcp?api_key=secret', 'here');
    expect(headers.get('www-authenticate')).toBe(wanted);
    expect(headers.get(BRIDGE_RESOURCE_HEADER)).toBe('https://example.org/mcp');
  });

  it('is asked for in a session that the bridge holds, too', async () => {
    // It wants a login for everything but the handshake.
    const url = await withServer((request, response) => {
      void text(request).then((body) => {
        const isHandshake = body.includes('"initialize"');
        response.writeHead(isHandshake ? 200 : 401, { 'content-type': 'application/json' });
        response.end(isHandshake ? '{"jsonrpc":"2.0","id":"init-1","result":{}}' : '');
      });
    });
    const bridge = await withBridge({ servers: [{ transport: 'http', name: 'late', url, headers: {} }] });
    const client = await RawClient.connect(bridge.url);
    const response = await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect([replayOf(response), response.status]).toEqual(['http; replay=bridge', 401]);
    expect(response.headers.get(BRIDGE_RESOURCE_HEADER)).toBe(url);
    expect(response.headers.get('www-authenticate')).toContain(`resource_metadata="http://localhost:`);
  });

  it('has a path of its own for each URL, so that a page never sends the token of one server to another', async () => {
    const path = async (url: string) => {
      const servers = [{ transport: 'http' as const, name: 'docs', url, headers: {} }];
      return new URL((await withBridge({ servers })).url).pathname;
    };
    const [one, other] = [await path('https://one.example/mcp'), await path('https://other.example/mcp')];
    expect(one).not.toBe(other);
    expect(await path('https://one.example/mcp')).toBe(one);
  });

  it('passes Authorization, and sends what the command line names', async () => {
    const target = await withTarget('no-replay');
    const servers = [
      { transport: 'http' as const, name: 'keyed', url: target.url, headers: { 'x-key': 'secret' } },
    ];
    const bridge = await withBridge({ servers });
    const response = await new RawClient(bridge.url, { headers: { authorization: 'Bearer t' } }).initialize();
    expect(response.status).toBe(200);
    expect(JSON.stringify([...response.headers, ...bridge.notices])).not.toContain('secret');
  });
});

describe('2026-07-28', () => {
  it('passes, and the mark says that the bridge would hold its calls as tasks', async () => {
    const { bridge } = await bridged('modern');
    const client = new RawModernClient(bridge.url);
    await client.request('server/discover');
    const stream = await client.openCall('countdown', { ticks: 3, intervalMs: 5 });
    expect(replayOf(stream.response)).toBe('http; replay=tasks');
    expect(progressIn(await stream.readAll())).toEqual([1, 2, 3]);
  });

  it('is held as a task of the bridge, if the page declares tasks and the server has none', async () => {
    const { target, bridge } = await bridged('modern');
    const client = new RawModernClient(bridge.url, { capabilities: WITH_TASKS });
    const { capabilities } = await client.request('server/discover');
    expect(capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    const task = await client.call('countdown', { ticks: 10, intervalMs: 60 });
    expect(task).toMatchObject({ resultType: 'task', status: 'working' });
    // Without a session, nothing tells a repeated request from another client's, so a page must not repeat one.
    const listed = await client.open('tasks/get', { taskId: task['taskId'] });
    expect(replayOf(listed.response)).toBe('http; replay=tasks');
    // The page polls, in whatever load.
    let last: Record<string, unknown> = {};
    await eventually('the task ends', async () => {
      last = await client.task(task['taskId']);
      return last['status'] !== 'working';
    });
    expect(last).toMatchObject({ status: 'completed', result: { resultType: 'complete' } });
    expect(target.stats().calls).toEqual({ countdown: 1 });
  });

  it('answers a quick call without a task, and passes what it asks for', async () => {
    const { bridge } = await bridged('modern');
    const client = new RawModernClient(bridge.url, { capabilities: WITH_TASKS });
    await client.request('server/discover');
    expect(await client.call('countdown', { ticks: 1, intervalMs: 1 })).toMatchObject({
      resultType: 'complete',
    });
    expect(await client.call('ask', { question: 'Color?' })).toMatchObject({ resultType: 'input_required' });
  });

  it('cancels the call of the server with its task', async () => {
    const { target, bridge } = await bridged('modern');
    const client = new RawModernClient(bridge.url, { capabilities: WITH_TASKS });
    await client.request('server/discover');
    const { taskId } = await client.call('countdown', { ticks: 1000, intervalMs: 50 });
    await client.request('tasks/cancel', { taskId });
    expect(await client.task(taskId)).toMatchObject({ status: 'cancelled' });
    await eventually('the server notices', () => target.stats().sessions[0]?.openStreams === 0);
  });

  it('leaves tasks to a server that has them', async () => {
    const { bridge } = await bridged('modern-tasks');
    const client = new RawModernClient(bridge.url, { capabilities: WITH_TASKS });
    await client.request('server/discover');
    const stream = await client.open('tools/call', {
      name: 'countdown',
      arguments: { ticks: 1, intervalMs: 1 },
    });
    expect(replayOf(stream.response)).toBe('http; replay=none');
  });

  it('gives a server that has sessions, too, its replay by the bridge', async () => {
    const { bridge } = await bridged('both-eras', { replay: 'bridge' });
    const client = await RawClient.connect(bridge.url);
    const stream = await client.call('countdown', { ticks: 3, intervalMs: 5 });
    expect(replayOf(stream.response)).toBe('http; replay=bridge');
    expect(progressIn(await stream.readAll())).toEqual([1, 2, 3]);
  });
});

describe('a server that redirects', () => {
  it('is not followed, so the headers of the page go nowhere else', async () => {
    const asked: string[] = [];
    const other = await withServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    const url = await withServer((_request, response) => {
      response.writeHead(307, { location: other }).end();
    });
    const bridge = await withBridge({ servers: [{ transport: 'http', name: 'moved', url, headers: {} }] });
    const client = new RawClient(bridge.url, { headers: { authorization: 'Bearer t' } });
    for (const response of [await client.initialize(), await fetch(metadataUrlOf(bridge.url))]) {
      expect([502, 404]).toContain(response.status);
      expect(response.headers.get('location')).toBeNull();
    }
    expect(asked).toEqual([]);
  });
});

describe('a server that is not there', () => {
  it('is 502 with the reason, and is tried again with each request', async () => {
    const servers = [
      { transport: 'http' as const, name: 'none', url: 'http://127.0.0.1:9/mcp', headers: {} },
    ];
    const bridge = await withBridge({ servers });
    const response = await new RawClient(bridge.url).initialize();
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('No response from the server');
    expect(bridge.notices).toMatchObject([{ name: 'unreachable' }]);
  });
});
