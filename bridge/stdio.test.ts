import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { bridgeStatusUrl, type BridgeStatus } from '../src/base/bridgeContract.ts';
import { eventually } from '../targets/testing/eventually.ts';
import { RawClient } from '../targets/testing/rawClient.ts';
import { isMessageFrame, isResponseFrame, type RawFrame } from '../targets/testing/rawStream.ts';
import { stdioServer, withBridge, type TestBridge } from './testing/withBridge.ts';

type Json = Record<string, unknown>;

const progressIn = (frames: readonly RawFrame[]) =>
  frames.flatMap(({ message }) => (message?.['params'] as { progress?: number } | undefined)?.progress ?? []);

/** What a tool of the test server returned. */
function resultIn(frames: readonly RawFrame[]): unknown {
  const { result } = frames.find(isResponseFrame)?.message ?? {};
  const [content] = (result as { content: { text: string }[] }).content;
  return JSON.parse(content?.text ?? 'null');
}

const callTool = async (client: RawClient, tool: string, args: object = {}) =>
  resultIn(await (await client.call(tool, args)).readAll());

const notice = (bridge: TestBridge, name: string) => bridge.notices.find((one) => one.name === name);

async function statusOf(client: RawClient, query: { after?: number; wait?: number } = {}) {
  const response = await fetch(bridgeStatusUrl(client.url, query), { headers: client.headers });
  return (await response.json()) as BridgeStatus;
}

const PING = { jsonrpc: '2.0', id: 99, method: 'ping' };

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a stdio server behind the bridge', () => {
  it('starts every stream with an event ID, and sends progress on the stream of its call', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const frames = await (await client.call('countdown', { ticks: 3, intervalMs: 1 })).readAll();
    expect(frames[0]).toMatchObject({ data: '' });
    expect(frames.every(({ id }) => id !== undefined)).toBe(true);
    expect(progressIn(frames)).toEqual([1, 2, 3]);
    expect(resultIn(frames)).toEqual([1, 2, 3]);
  });

  it('replays what came while no page was there, each message once, over two reloads', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const stream = await client.call('countdown', { ticks: 20, intervalMs: 10 });
    const seen = await stream.readUntil(isMessageFrame);
    stream.leave();
    await eventually('the bridge notices', () => notice(bridge, 'no-page') !== undefined);
    const again = await client.get(seen.at(-1)?.id);
    seen.push(...(await again.readUntil(isMessageFrame)));
    again.leave();
    seen.push(...(await (await client.get(seen.at(-1)?.id)).readAll()));
    expect(progressIn(seen)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect(resultIn(seen)).toHaveLength(20);
  });

  it('replays a result that came while no page was there, from the first event ID on', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const stream = await client.call('countdown', { ticks: 2, intervalMs: 20 });
    const [priming] = await stream.readUntil(() => true);
    stream.leave();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(resultIn(await (await client.get(priming?.id)).readAll())).toEqual([1, 2]);
  });

  it('sends log messages and requests of the server on the standalone stream, and its answers back', async () => {
    const bridge = await withBridge();
    const capabilities = { elicitation: {}, sampling: {}, roots: {} };
    const client = await RawClient.connect(bridge.url, { capabilities });
    const standalone = await client.get();
    const answers: Json = {
      'elicitation/create': { action: 'accept', content: { answer: 'blue' } },
      'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'test' },
      'roots/list': { roots: [{ uri: 'file:///tmp' }] },
    };
    const calls: [string, object][] = [
      ['ask', { question: 'Color?' }],
      ['sample', { prompt: 'Hello' }],
      ['roots', {}],
    ];
    for (const [tool, args] of calls) {
      const call = client.call(tool, args);
      const frames = await standalone.readUntil(({ message }) => message?.['id'] !== undefined);
      const { id, method } = (frames.at(-1)?.message ?? {}) as { id: number; method: string };
      const response = await client.post({ jsonrpc: '2.0', id, result: answers[method] });
      expect(response.status).toBe(202);
      expect(resultIn(await (await call).readAll())).toEqual(answers[method]);
    }
  });

  it('keeps a request of the server until a page answers it', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url, { capabilities: { elicitation: {} } });
    const standalone = await client.get();
    const [start] = await standalone.readUntil(() => true);
    standalone.leave();
    const call = await client.call('ask', { question: 'Color?' });
    const [priming] = await call.readUntil(() => true);
    call.leave();
    const again = await client.get(start?.id);
    const question = (await again.readUntil(isMessageFrame)).at(-1)?.message;
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Color?' } });
    await client.post({ jsonrpc: '2.0', id: question?.['id'], result: { action: 'decline' } });
    expect(resultIn(await (await client.get(priming?.id)).readAll())).toEqual({ action: 'decline' });
  });

  it('ends the stream of a cancelled call', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const stream = await client.call('countdown', { ticks: 1000, intervalMs: 10 }, { id: 'long' });
    await stream.readUntil(isMessageFrame);
    await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } });
    expect((await stream.readAll()).some(isResponseFrame)).toBe(false);
  });

  it('lets the newest connection read a stream, and ends the one before', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const first = await client.call('countdown', { ticks: 30, intervalMs: 10 });
    const seen = await first.readUntil(isMessageFrame);
    const second = await client.get(seen.at(-1)?.id);
    const rest = await second.readAll();
    expect((await first.readAll()).some(isResponseFrame)).toBe(false);
    expect(progressIn([...seen, ...rest])).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  });

  it('carries twelve calls at once, each on its own stream', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const calls = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        client.call('countdown', { ticks: at + 1, intervalMs: 5 }, { progressToken: `token-${at}` }),
      ),
    );
    const all = await Promise.all(calls.map((call) => call.readAll()));
    for (const [at, frames] of all.entries()) expect(progressIn(frames)).toHaveLength(at + 1);
  });

  it('runs a repeated request once, and refuses its ID with another body', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const call = (ticks: number) => client.call('countdown', { ticks, intervalMs: 20 }, { id: 'again' });
    const first = await call(5);
    await first.readUntil(isMessageFrame);
    const second = await (await call(5)).readAll();
    expect(progressIn(second)).toEqual([1, 2, 3, 4, 5]);
    expect((await call(6)).status).toBe(400);
    expect((await (await call(5)).readAll()).map(({ id }) => id)).toEqual(second.map(({ id }) => id));
  });

  it('passes a message byte for byte, with keys and numbers that JavaScript would change', async () => {
    const script = `process.stdin.once('data', (chunk) => {
      const line = chunk.toString().trim();
      process.stderr.write(line + '\\n');
      process.stdout.write('{"jsonrpc":"2.0","id":1,"odd":  12345678901234567890,"result":{"n":1.0}}\\n');
    });`;
    const program = { command: process.execPath, args: ['-e', script], env: {} };
    const bridge = await withBridge({ servers: [{ transport: 'stdio', name: 'raw', program }] });
    const client = new RawClient(bridge.url);
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","odd":0.10,"params":{"protocolVersion":"2025-11-25"}}';
    const response = await fetch(bridge.url, { method: 'POST', headers: client.headers, body });
    const text = await response.text();
    expect(text).toContain(
      'data: {"jsonrpc":"2.0","id":1,"odd":  12345678901234567890,"result":{"n":1.0}}\n',
    );
    client.sessionId = response.headers.get('mcp-session-id') ?? '';
    const status = await fetch(bridge.url.replace('/mcp?', '/mcp/bridge?'), { headers: client.headers });
    expect(JSON.stringify(await status.json())).toContain(JSON.stringify(body).slice(1, -1));
  });

  it('carries a result of 10 MB', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    expect(await callTool(client, 'big', { bytes: 10 * 1024 * 1024 })).toHaveLength(10 * 1024 * 1024);
  });

  it('skips output on stdout that is not JSON-RPC, and counts it by kind', async () => {
    const bridge = await withBridge({ servers: [stdioServer('--greets')] });
    const client = await RawClient.connect(bridge.url);
    expect(await callTool(client, 'garbage', { lines: 100 })).toBe(100);
    const lines = bridge.notices.flatMap((one) => (one.name === 'skipped-output' ? [one.line] : []));
    expect(lines).toEqual(['Listening on port 3000', '{"not": "JSON-RPC"}', 'Query 0 took 0 ms']);
    const status = await fetch(bridge.url.replace('/mcp?', '/mcp/bridge?'), { headers: client.headers });
    const { session } = (await status.json()) as { session: { skipped: { count: number }[] } };
    expect(session.skipped.map(({ count }) => count)).toEqual([1, 1, 100]);
  });
});

describe('output without a line feed', () => {
  it('does not hide the message that follows it', async () => {
    const script = `process.stdout.write('Loading… ');
      process.stdin.once('data', () => process.stdout.write('50% {"jsonrpc":"2.0","id":"init-1","result":{}}\\n'));`;
    const program = { command: process.execPath, args: ['-e', script], env: {} };
    const bridge = await withBridge({ servers: [{ transport: 'stdio', name: 'loads', program }] });
    const response = await new RawClient(bridge.url).initialize();
    expect(await response.text()).toContain('data: {"jsonrpc":"2.0","id":"init-1","result":{}}');
    expect(notice(bridge, 'skipped-output')).toMatchObject({ line: 'Loading… 50% ' });
  });
});

describe('the state of a session', () => {
  it('has the command, the process and the lines of stderr, which are never among the messages', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const standalone = await client.get();
    const frames = await (await client.call('stderr', { lines: 3 })).readAll();
    await eventually(
      'the lines are there',
      async () => (await statusOf(client)).session?.stderr.length === 4,
    );
    const { session, ...server } = await statusOf(client);
    expect(server).toMatchObject({ transport: 'stdio', replay: 'bridge', name: 'stdio-test' });
    expect(server.command).toContain('stdioServer.mjs');
    expect(session).toMatchObject({ id: client.sessionId, process: { name: 'running' } });
    expect(session?.stderr.map(({ number, line }) => `${number} ${line}`)).toEqual([
      '1 ready',
      '2 line 0',
      '3 line 1',
      '4 line 2',
    ]);
    expect(session?.kept.events).toBeGreaterThan(0);
    expect(JSON.stringify(frames)).not.toContain('line 0');
    expect(await standalone.readUntil(() => true)).toMatchObject([{ data: '' }]);
  });

  it('waits for a new line, and for the end of the process', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    await eventually('it is ready', async () => (await statusOf(client)).session?.stderr.length === 1);
    const next = statusOf(client, { after: 1, wait: 20 });
    void client.call('stderr', { lines: 1 });
    expect((await next).session?.stderr.map(({ line }) => line)).toEqual(['line 0']);
    await (await client.call('crash', { code: 5 })).readAll();
    expect((await statusOf(client)).session?.process).toMatchObject({ name: 'exited', exitCode: 5 });
  });
});

describe('the clients of both SDKs', () => {
  it('call a tool through the bridge, with its progress', async () => {
    const bridge = await withBridge();
    const seen: number[] = [];
    const options = { onprogress: ({ progress }: { progress: number }) => void seen.push(progress) };
    const call = { name: 'countdown', arguments: { ticks: 3, intervalMs: 5 } };
    const one = new Client({ name: 'one', version: '1.0.0' });
    await one.connect(new StreamableHTTPClientTransport(new URL(bridge.url)));
    await one.callTool(call, undefined, options);
    await one.close();
    const two = new Client2({ name: 'two', version: '1.0.0' });
    await two.connect(new Transport2(new URL(bridge.url)));
    await two.callTool(call, options);
    await two.close();
    expect(seen).toEqual([1, 2, 3, 1, 2, 3]);
  });
});

describe('a process that ends', () => {
  it('gives each open call an error with the exit code and the last lines of stderr', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const other = await client.call('countdown', { ticks: 1000, intervalMs: 10 });
    const [priming] = await other.readUntil(() => true);
    other.leave();
    const crash = await (await client.call('crash', { code: 7 })).readAll();
    const error = {
      code: -32000,
      message: 'The server process exited with code 7.',
      data: { bridge: true, exitCode: 7, signal: null },
    };
    expect(crash.at(-1)?.message).toMatchObject({ error });
    expect(JSON.stringify(crash.at(-1)?.message)).toContain("(reading 'rows')");
    // A page that was closed at that moment gets its error, too.
    const frames = await (await client.get(priming?.id)).readAll();
    expect(frames.at(-1)?.message).toMatchObject({ error });
    expect(notice(bridge, 'failed')).toMatchObject({ failedCalls: 2 });
    expect((await client.post(PING)).status).toBe(404);
  });

  it('refuses a request of a page that is back only when that page has read the error of its call', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const open = await client.call('countdown', { ticks: 1000, intervalMs: 10 });
    const [priming] = await open.readUntil(() => true);
    open.leave();
    await (await client.call('crash', { code: 7 })).readAll();
    let isRefused = false;
    const refused = client.post(PING).then(({ status }) => {
      isRefused = true;
      return status;
    });
    for (let turn = 0; turn < 5; turn += 1) await statusOf(client);
    expect(isRefused).toBe(false);
    const frames = await (await client.get(priming?.id)).readAll();
    expect(frames.at(-1)?.message).toMatchObject({ error: { data: { exitCode: 7 } } });
    expect(await refused).toBe(404);
  });

  it('keeps a result from before the crash for the page that is back', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    // Long enough that a busy machine has left before its end: a result that was read isn't kept.
    const away = await client.call('countdown', { ticks: 3, intervalMs: 200 });
    const [priming] = await away.readUntil(() => true);
    away.leave();
    // The process answers in order: its countdown is over by the end of a longer one.
    await callTool(client, 'countdown', { ticks: 20, intervalMs: 40 });
    await (await client.call('crash', { code: 7 })).readAll();
    const standalone = await client.get();
    expect(standalone.status).toBe(200);
    await standalone.readAll();
    expect(resultIn(await (await client.get(priming?.id)).readAll())).toEqual([1, 2, 3]);
    expect((await client.get()).status).toBe(404);
  });

  it('gives a request that is repeated after the crash its error, and refuses new ones', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const call = () => client.call('countdown', { ticks: 1000, intervalMs: 10 }, { id: 'open' });
    const first = await call();
    await first.readUntil(isMessageFrame);
    first.leave();
    await (await client.call('crash', { code: 7 })).readAll();
    // Not 404 yet: the page would start a new session before it has the error.
    const standalone = await client.get();
    expect(standalone.status).toBe(200);
    await standalone.readAll();
    const error = { code: -32000, data: { exitCode: 7, stderr: expect.any(Array) as unknown } };
    for (let time = 0; time < 2; time += 1) {
      const frames = await (await call()).readAll();
      expect(frames.at(-1)?.message).toMatchObject({ id: 'open', error });
    }
    expect((await client.call('pid', {}, { id: 'open' })).status).toBe(404);
    expect((await client.call('pid', {})).status).toBe(404);
    expect((await client.get()).status).toBe(404);
  });

  it('says that the session is gone on the standalone stream, once every error was read', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const standalone = await client.get();
    const [start] = await standalone.readUntil(() => true);
    const crash = await client.call('crash', { code: 1 });
    await standalone.readAll();
    await crash.readAll();
    expect((await client.get(start?.id)).status).toBe(404);
  });

  it('answers initialize with an error if it fails at its start', async () => {
    const bridge = await withBridge({ servers: [stdioServer('--fails')] });
    const response = await new RawClient(bridge.url).initialize();
    expect(await response.text()).toContain('Error: no license');
  });

  it('is ended if it refuses initialize', async () => {
    const script = `process.stdin.on('data', () => process.stdout.write(
      '{"jsonrpc":"2.0","id":"init-1","error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}\\n'))`;
    const program = { command: process.execPath, args: ['-e', script], env: {} };
    const bridge = await withBridge({ servers: [{ transport: 'stdio', name: 'refuses', program }] });
    const response = await new RawClient(bridge.url).initialize();
    expect(await response.text()).toContain('"message":"no"');
    expect(notice(bridge, 'rejected')).toMatchObject({ message: 'no', versions: ['2026-07-28'] });
    const started = bridge.notices.find((one) => one.name === 'started');
    await eventually('the process is gone', () => !isAlive(started?.pid ?? 0));
  });

  it('replays what it said on the standalone stream before it crashed', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const standalone = await client.get();
    const [start] = await standalone.readUntil(() => true);
    standalone.leave();
    await (await client.call('countdown', { ticks: 2, intervalMs: 1 })).readAll();
    await (await client.call('crash', { code: 1 })).readAll();
    const frames = await (await client.get(start?.id)).readAll();
    expect(frames.filter(isMessageFrame)).toHaveLength(2);
    expect((await client.get(frames.at(-1)?.id)).status).toBe(404);
  });

  it('answers initialize with an error if it cannot be started', async () => {
    const program = { command: '/no/such/program', args: [], env: {} };
    const bridge = await withBridge({ servers: [{ transport: 'stdio', name: 'none', program }] });
    const response = await new RawClient(bridge.url).initialize();
    expect(await response.text()).toContain("Can't start the server process");
  });

  it('ends a process that writes a line above the limit', async () => {
    const bridge = await withBridge({ maxMessageBytes: 100_000 });
    const client = await RawClient.connect(bridge.url);
    const frames = await (await client.call('big', { bytes: 200_000 })).readAll();
    expect(JSON.stringify(frames.at(-1)?.message)).toContain('--max-message');
  });
});

describe('the end of a session', () => {
  it.each(['DELETE', '--idle', 'the end of the bridge'])('by %s ends its process', async (how) => {
    let skippedMs = 0;
    const bridge = await withBridge({ now: () => Date.now() + skippedMs, reapEveryMs: 20 });
    const client = await RawClient.connect(bridge.url);
    const pid = Number(await callTool(client, 'pid'));
    expect(isAlive(pid)).toBe(true);
    if (how === '--idle') skippedMs = 11 * 60_000;
    if (how === 'DELETE') expect((await client.delete()).status).toBe(200);
    if (how === 'the end of the bridge') await bridge.close();
    await eventually('the process is gone', () => !isAlive(pid));
    if (how === '--idle') expect(notice(bridge, 'ended')).toBeDefined();
    if (how !== 'the end of the bridge') {
      expect((await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
    }
  });

  it('does not come while a page is connected', async () => {
    let skippedMs = 0;
    const bridge = await withBridge({ now: () => Date.now() + skippedMs, reapEveryMs: 20 });
    const client = await RawClient.connect(bridge.url);
    const standalone = await client.get();
    skippedMs = 11 * 60_000;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(typeof (await callTool(client, 'pid'))).toBe('number');
    standalone.leave();
    await eventually('the bridge notices', () => notice(bridge, 'no-page') !== undefined);
    skippedMs = 22 * 60_000;
    await eventually('the session ends', () => notice(bridge, 'ended') !== undefined);
  });

  it('ends a process and its children that ignore SIGTERM', async () => {
    const bridge = await withBridge({ servers: [stdioServer('--stubborn')] });
    const client = await RawClient.connect(bridge.url);
    const pids = [await callTool(client, 'pid'), await callTool(client, 'fork')].map(Number);
    const startedAt = Date.now();
    expect((await client.delete()).status).toBe(200);
    await eventually('both are gone', () => !pids.some(isAlive));
    expect(Date.now() - startedAt).toBeGreaterThan(900);
  });

  it('is awaited by the end of the bridge, and comes at once if that has no time', async () => {
    const bridge = await withBridge({ servers: [stdioServer('--stubborn')] });
    const client = await RawClient.connect(bridge.url);
    const pid = Number(await callTool(client, 'pid'));
    await client.delete();
    expect(isAlive(pid)).toBe(true);
    await bridge.close(true);
    expect(isAlive(pid)).toBe(false);
  });

  it('ends the children of a process that has crashed', async () => {
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const child = Number(await callTool(client, 'fork'));
    await (await client.call('crash', { code: 1 })).readAll();
    await eventually('the child is gone', () => !isAlive(child));
  });

  it('refuses another session above the limit, until one has ended', async () => {
    const bridge = await withBridge({ maxSessions: 1 });
    const client = await RawClient.connect(bridge.url);
    expect((await new RawClient(bridge.url).initialize()).status).toBe(503);
    await client.delete();
    expect((await new RawClient(bridge.url).initialize()).status).toBe(200);
  });
});

describe('what a session keeps', () => {
  it('is limited: a warning at 80%, then the oldest tenth goes, and a removed event is 400', async () => {
    const bridge = await withBridge({ maxEvents: 1000 });
    const client = await RawClient.connect(bridge.url);
    const frames = await (await client.call('burst', { count: 500 })).readAll();
    await (await client.call('burst', { count: 600 })).readAll();
    expect(notice(bridge, 'near-limit')).toBeDefined();
    expect(notice(bridge, 'evicted')).toMatchObject({ ofRunningCalls: 0 });
    expect((await client.get(frames[0]?.id)).status).toBe(400);
  });
});
