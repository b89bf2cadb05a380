import { describe, expect, it } from 'vitest';
import { eventually } from './testing/eventually.ts';
import { RawClient } from './testing/rawClient.ts';
import { RawModernClient } from './testing/rawModernClient.ts';
import { isMessageFrame } from './testing/rawStream.ts';
import { leaveNoticed, withTarget } from './testing/withTarget.ts';

const ASKING = { capabilities: { elicitation: {}, sampling: {} } };
const yes = (answer: string) => ({ action: 'accept', content: { answer } });

async function withModern(options = ASKING, profile = 'modern') {
  const target = await withTarget(profile);
  return { target, client: new RawModernClient(target.url, options) };
}

const statelessStats = (target: Awaited<ReturnType<typeof withTarget>>) => target.stats().sessions[0];

describe('modern', () => {
  it('says what it is, without a session', async () => {
    const { target, client } = await withModern();
    const result = await client.request('server/discover');
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
      ttlMs: 3_600_000,
      cacheScope: 'public',
    });
    expect(target.stats()).toMatchObject({
      initializes: 0,
      sessions: [{ methods: { 'server/discover': 1 } }],
    });
  });

  it('lists every tool, with cache hints and a parameter for a header', async () => {
    const { client } = await withModern();
    const { tools, ttlMs, cacheScope } = await client.request('tools/list');
    const names = (tools as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'countdown',
        'ask',
        'sample',
        'fail',
        'crash',
        'burst',
        'big',
        'route',
        'interview',
      ]),
    );
    expect({ ttlMs, cacheScope }).toEqual({ ttlMs: 300_000, cacheScope: 'public' });
    const route = (tools as { name: string; inputSchema: object }[]).find(({ name }) => name === 'route');
    expect(route?.inputSchema).toMatchObject({ properties: { region: { 'x-mcp-header': 'Region' } } });
  });

  it('streams progress, and log messages only to those who ask; counts both', async () => {
    const { target, client } = await withModern();
    const quiet = await (await client.openCall('countdown', { ticks: 3, intervalMs: 1 })).readAll();
    expect(quiet.filter(isMessageFrame)).toHaveLength(4);
    const loud = await client.openCall(
      'countdown',
      { ticks: 3, intervalMs: 1 },
      {
        progressToken: 'token',
        'io.modelcontextprotocol/logLevel': 'info',
      },
    );
    const frames = (await loud.readAll()).filter(isMessageFrame);
    expect(frames).toHaveLength(7);
    expect(frames.some(({ id }) => id !== undefined)).toBe(false);
    expect(frames.at(-1)?.message).toMatchObject({ result: { structuredContent: { ticks: [1, 2, 3] } } });
    const streams = Object.values(statelessStats(target)?.streams ?? {});
    expect(streams.map(({ sent, settled }) => ({ sent, settled }))).toEqual([
      { sent: 4, settled: true },
      { sent: 7, settled: true },
    ]);
  });

  it('takes a closed stream for a cancellation', async () => {
    const { target, client } = await withModern();
    const stream = await client.openCall('countdown', { ticks: 1000, intervalMs: 20 });
    await stream.readUntil(isMessageFrame);
    stream.leave();
    await eventually(
      'the call is cancelled',
      () => statelessStats(target)?.streams['request-1']?.cancelled === true,
    );
    expect(statelessStats(target)?.openStreams).toBe(0);
  });

  it('notices a client that leaves before anything was said', async () => {
    const { target, client } = await withModern();
    const leaving = new AbortController();
    const call = fetch(target.url, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'fail',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'early',
        method: 'tools/call',
        params: {
          name: 'fail',
          arguments: { afterMs: 60_000 },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    }).catch(() => undefined);
    await eventually('the call runs', () => target.stats().calls['fail'] === 1);
    leaving.abort();
    await call;
    await eventually(
      'the call is cancelled',
      () => statelessStats(target)?.streams['early']?.cancelled === true,
    );
    expect(await client.call('fail', { afterMs: 0 })).toMatchObject({ isError: true });
  });

  it('answers with a JSON-RPC error where a tool crashes, or is unknown', async () => {
    const { client } = await withModern();
    const crash = await client.ask('tools/call', { name: 'crash', arguments: {} });
    expect(crash['error']).toMatchObject({ code: -32050, data: { afterMs: 0 } });
    const unknown = await client.ask('tools/call', { name: 'nobody', arguments: {} });
    expect(unknown['error']).toMatchObject({ code: -32602 });
  });

  it('asks by ending the request, and goes on with the answer and its own state', async () => {
    const { client } = await withModern();
    const question = await client.call('ask', { question: 'Name?' });
    expect(question).toMatchObject({
      resultType: 'input_required',
      inputRequests: { answer: { method: 'elicitation/create', params: { message: 'Name?' } } },
      requestState: expect.any(String),
    });
    const { requestState } = question;
    const answered = { inputResponses: { answer: yes('Ada') }, requestState };
    expect(await client.call('ask', { question: 'Name?' }, answered)).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'accept: Ada' }],
    });
    const declined = { inputResponses: { answer: { action: 'decline' } }, requestState };
    expect(await client.call('ask', { question: 'Name?' }, declined)).toMatchObject({
      content: [{ text: 'decline' }],
    });
    const wrong = { inputResponses: { answer: { action: 'accept', content: { answer: 3 } } }, requestState };
    expect(await client.call('ask', { question: 'Name?' }, wrong)).toMatchObject({
      resultType: 'input_required',
    });
  });

  it('asks in several rounds, and keeps what it knows in the state alone', async () => {
    const { target, client } = await withModern();
    let round = await client.call('interview', { questions: 3 });
    const states = new Set([round['requestState']]);
    for (const number of [1, 2, 3]) {
      expect(Object.keys(round['inputRequests'] as object)).toEqual([`question-${number}`]);
      await target.control('restart');
      round = await client.call(
        'interview',
        { questions: 3 },
        {
          inputResponses: { [`question-${number}`]: yes(String(number)) },
          requestState: round['requestState'],
        },
      );
      states.add(round['requestState']);
    }
    expect(round).toMatchObject({ content: [{ text: 'accept: 1 · accept: 2 · accept: 3' }] });
    expect(states.size).toBe(4);
  });

  it('refuses a state that it did not seal, or no longer knows', async () => {
    const { target, client } = await withModern();
    const { requestState } = await client.call('ask', {});
    const answer = { inputResponses: { answer: yes('Ada') } };
    const refused = { code: -32602, data: { reason: 'invalid_request_state' } };
    const params = { name: 'ask', arguments: {}, ...answer };
    const forged = await client.ask('tools/call', { ...params, requestState: `${String(requestState)}x` });
    expect(forged['error']).toMatchObject(refused);
    await target.control('expire-states');
    const expired = await client.ask('tools/call', { ...params, requestState });
    expect(expired['error']).toMatchObject(refused);
  });

  it('asks for nothing that the client cannot do', async () => {
    const { client } = await withModern({ capabilities: { elicitation: {}, sampling: {} } });
    const other = new RawModernClient(client.url);
    expect(await other.call('ask', {})).toMatchObject({ isError: true });
    expect(await client.call('sample', { prompt: 'Hi' })).toMatchObject({
      inputRequests: { completion: { method: 'sampling/createMessage' } },
    });
  });

  it('checks what the headers say against the body', async () => {
    const { client } = await withModern();
    const params = { name: 'route', arguments: { region: 'eu' } };
    const withRegion = (region: string) => ({ headers: { 'mcp-param-region': region } });
    expect(await client.request('tools/call', params, withRegion('eu'))).toMatchObject({
      content: [{ text: 'Routed to eu' }],
    });
    for (const headers of [
      { 'mcp-param-region': 'us' },
      { 'mcp-name': 'other' },
      { 'mcp-method': 'tools/list' },
    ]) {
      expect(await client.ask('tools/call', params, { headers })).toMatchObject({ error: { code: -32020 } });
    }
    expect(await client.ask('tools/call', params)).toMatchObject({ error: { code: -32020 } });
  });

  it('refuses a header that was renamed, until the client has read the list again', async () => {
    const { target, client } = await withModern();
    const params = { name: 'route', arguments: { region: 'eu' } };
    const known = { headers: { 'mcp-param-region': 'eu' } };
    await target.control('rename-header');
    expect(await client.ask('tools/call', params, known)).toMatchObject({ error: { code: -32020 } });
    const renamed = { headers: { 'mcp-param-zone': 'eu' } };
    expect(await client.request('tools/call', params, renamed)).toMatchObject({ resultType: 'complete' });
  });

  it('allows a page every header, also those that a tool names', async () => {
    const { target } = await withModern();
    const asked = 'content-type,mcp-method,mcp-name,mcp-protocol-version,mcp-param-region';
    const preflight = await fetch(target.url, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:4173',
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(asked.split(',')));
  });

  it('tells those who listen what has changed, as far as they want to hear it', async () => {
    const { target, client } = await withModern();
    const stream = await client.open('subscriptions/listen', {
      notifications: { toolsListChanged: true, resourceSubscriptions: ['reprise://cities'] },
    });
    expect((await stream.next())?.message).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['reprise://cities'] } },
    });
    await target.control('announce');
    expect((await stream.next())?.message).toMatchObject({ method: 'notifications/tools/list_changed' });
    await target.control('restart');
    await expect(stream.readAll()).rejects.toThrow();
  });

  it('refuses those who come with initialize, and says what it speaks', async () => {
    const { target } = await withModern();
    const refused = await new RawClient(target.url).initialize();
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'] } },
    });
    const get = await new RawClient(target.url).get();
    expect(get.status).toBe(405);
  });
});

describe('dual', () => {
  it.each(['dual', 'both-eras'])(
    '%s serves both eras at one address, the older one with replay',
    async (name) => {
      const { target, client } = await withModern(ASKING, name);
      expect(await client.call('countdown', { ticks: 1, intervalMs: 1 })).toMatchObject({
        resultType: 'complete',
      });
      const older = await RawClient.connect(target.url);
      const stream = await older.call('countdown', { ticks: 4, intervalMs: 30 });
      const seen = await stream.readUntil(isMessageFrame);
      await leaveNoticed(target, stream);
      const rest = await (await older.get(seen.at(-1)?.id)).readAll();
      expect(rest.at(-1)?.message).toMatchObject({ result: { structuredContent: { ticks: [1, 2, 3, 4] } } });
    },
  );

  it('can be upgraded, and taken back, while it runs', async () => {
    const { target, client } = await withModern(ASKING, 'dual');
    await target.control('era-session');
    const refused = await client.open('server/discover');
    expect(refused.status).toBe(400);
    const older = await RawClient.connect(target.url);
    await target.control('era-stateless');
    expect(await client.request('server/discover')).toHaveProperty('supportedVersions');
    expect((await older.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(400);
    await target.control('era-both');
    expect((await RawClient.connect(target.url)).sessionId).not.toBe(older.sessionId);
    await target.control('reset');
    expect(await client.request('tools/list')).toHaveProperty('tools');
  });
});
