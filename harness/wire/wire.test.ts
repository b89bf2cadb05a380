/** The wire over real HTTP, with a client that is no browser. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readLogFile } from '../../src/timeline/share/readLogFile.ts';
import { startTarget, type RunningTarget } from '../../targets/startTarget.ts';
import { traceCall, type CallTrace } from './callTrace.ts';
import { describeWireExchange, hiderFor } from './describe.ts';
import { judge } from './judge.ts';
import { caseOf } from './rules/rule.ts';
import { drawStory } from './story.ts';
import { printStoryLog } from './storyLog.ts';
import { Wire } from './wire.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function started(
  profile = 'resumable',
  options: { url?: string } = {},
): Promise<{ wire: Wire; target: RunningTarget; url: string }> {
  const target = await startTarget(profile);
  const wire = await Wire.start({ servers: { default: options.url ?? target.url } });
  closing.push(
    () => target.close(),
    () => wire.close(),
  );
  return { wire, target, url: wire.urlOf('default') ?? '' };
}

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** A page that is written by hand. */
class RawPage {
  session = '';
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  headers(): Record<string, string> {
    return this.session === ''
      ? HEADERS
      : { ...HEADERS, 'mcp-session-id': this.session, 'mcp-protocol-version': '2025-11-25' };
  }

  post(message: object, signal?: AbortSignal): Promise<Response> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return fetch(this.#url, { method: 'POST', headers: this.headers(), body, ...(signal && { signal }) });
  }

  resume(lastEventId: string): Promise<Response> {
    return fetch(this.#url, { headers: { ...this.headers(), 'last-event-id': lastEventId } });
  }

  async connect(): Promise<void> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    };
    const response = await this.post({ id: 'init', method: 'initialize', params });
    await response.text();
    this.session = response.headers.get('mcp-session-id') ?? '';
    await (await this.post({ method: 'notifications/initialized' })).text();
  }

  call(ticks: number, signal?: AbortSignal): Promise<Response> {
    const params = { name: 'countdown', arguments: { ticks, intervalMs: 20 }, _meta: { progressToken: 'p' } };
    return this.post({ id: 'call', method: 'tools/call', params }, signal);
  }
}

const SILENCE_MS = 20_000;

function traceIn(wire: Wire): CallTrace | undefined {
  const post = wire.recorder.exchanges.find(({ kind }) => kind === 'call');
  return post && traceCall(wire.recorder, post);
}

const until = (wire: Wire, test: (trace: CallTrace) => boolean): Promise<CallTrace> =>
  wire.recorder.until(
    () => {
      const trace = traceIn(wire);
      return trace && test(trace) ? trace : undefined;
    },
    SILENCE_MS,
    () => 'nothing came',
  );

describe('the wire', () => {
  it('records a call with every event, and passes everything on', async () => {
    const { wire, url } = await started();
    const page = new RawPage(url);
    await page.connect();
    const text = await (await page.call(3)).text();
    const trace = await until(wire, ({ response }) => response?.deliveredAt !== undefined);
    expect(trace).toMatchObject({
      tool: 'countdown',
      requestId: 'call',
      sessionId: page.session,
      protocolVersion: '2025-11-25',
    });
    expect(trace.messages).toHaveLength(7);
    expect(trace.messages.every(({ delivery }) => delivery === 'live')).toBe(true);
    expect(text).toContain('"result"');
  });

  it('holds messages back, and the page that comes back gets them by a resume', async () => {
    const { wire, url } = await started();
    const page = new RawPage(url);
    await page.connect();
    const abort = new AbortController();
    const response = await page.call(30, abort.signal);
    void response.text().catch(() => undefined);
    await until(wire, ({ messages }) => messages.filter(({ delivery }) => delivery === 'live').length >= 4);
    wire.hold();
    const held = await until(
      wire,
      ({ messages }) => messages.filter(({ delivery }) => delivery === 'missed').length >= 2,
    );
    const at = wire.recorder.now();
    abort.abort();
    await until(wire, ({ post }) => post.end?.by === 'page');
    wire.recorder.interruptions.push({ kind: 'reload', at, backAt: wire.recorder.now() });
    wire.release();
    await (await page.resume(held.lastEventId ?? '')).text();
    const trace = await until(wire, ({ response: last }) => last?.deliveredAt !== undefined);
    expect(trace.messages).toHaveLength(61);
    expect(
      trace.messages.filter(({ delivery, duplicates }) => delivery === 'missed' || duplicates > 0),
    ).toEqual([]);
    expect(judge(caseOf(wire.recorder, trace, []))).toEqual([]);
  });

  it('cuts a stream in the middle of an event', async () => {
    const { wire, url } = await started();
    const page = new RawPage(url);
    await page.connect();
    const fault = wire.addFault({ name: 'cut', afterMessages: 2 }, { on: 'call', times: 1 });
    await expect((await page.call(10)).text()).rejects.toThrow();
    const trace = await until(wire, ({ post }) => post.end?.by === 'wire');
    expect(fault.hits).toBe(1);
    expect(trace.messages.filter(({ delivery }) => delivery === 'live')).toHaveLength(2);
  });

  it('refuses requests before they reach the server, so often as it was asked to', async () => {
    const { wire, url } = await started();
    const page = new RawPage(url);
    await page.connect();
    wire.addFault({ name: 'refuse', status: 409, retryAfter: 3 }, { on: 'resume', times: 2 });
    const statuses = [];
    for (let time = 0; time < 3; time += 1) {
      const response = await page.resume('nothing');
      statuses.push([response.status, response.headers.get('retry-after')]);
      await response.body?.cancel();
    }
    expect(statuses.slice(0, 2)).toEqual([
      [409, '3'],
      [409, '3'],
    ]);
    expect(statuses[2]?.[0]).not.toBe(409);
    expect(
      wire.recorder.exchanges.filter(({ status }) => status === 409).map(({ isForwarded }) => isForwarded),
    ).toEqual([false, false]);
  });

  it('holds the head of a response until the fault ends, while the server works', async () => {
    const { wire, url } = await started();
    const page = new RawPage(url);
    await page.connect();
    const fault = wire.addFault({ name: 'holdHead' }, { on: 'call' });
    const calling = page.call(1);
    await wire.recorder.until(
      () => (fault.hits > 0 ? true : undefined),
      SILENCE_MS,
      () => 'no hit',
    );
    expect(await Promise.race([calling, Promise.resolve('waiting')])).toBe('waiting');
    fault.end();
    expect(await (await calling).text()).toContain('"result"');
  });

  it('acts as a server that has restarted', async () => {
    const { wire, url } = await started();
    const page = new RawPage(url);
    await page.connect();
    wire.endSessions();
    expect((await page.post({ id: 1, method: 'tools/list' })).status).toBe(404);
    page.session = '';
    await page.connect();
    expect((await page.post({ id: 1, method: 'tools/list' })).status).toBe(200);
  });

  it('breaks all connections while it is offline, and the server does not notice', async () => {
    const { wire, url, target } = await started();
    const page = new RawPage(url);
    await page.connect();
    const reading = (await page.call(30)).text();
    const broken = expect(reading).rejects.toThrow();
    await until(wire, ({ messages }) => messages.length >= 3);
    const back = wire.goOffline();
    await broken;
    await expect(page.post({ id: 9, method: 'ping' })).rejects.toThrow();
    const missed = await until(
      wire,
      ({ messages }) => messages.filter(({ delivery }) => delivery === 'missed').length >= 3,
    );
    expect(target.stats().sessions.find(({ id }) => id === page.session)?.openStreams).toBeGreaterThan(0);
    back();
    await (await page.resume(missed.lastEventId ?? '')).text();
    const trace = await until(wire, ({ response }) => response?.deliveredAt !== undefined);
    expect(trace.messages.filter(({ delivery }) => delivery === 'missed')).toEqual([]);
  });

  it('adds CORS headers only where the server sends none, and says so', async () => {
    const bare = createServer((_request, response) => void response.writeHead(405).end());
    bare.listen(0, '127.0.0.1');
    await once(bare, 'listening');
    closing.push(async () => void bare.close());
    const { url, wire } = await started('resumable', {
      url: `http://127.0.0.1:${(bare.address() as AddressInfo).port}/mcp`,
    });
    const headers = {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'mcp-session-id',
    };
    const preflight = await fetch(url, { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'mcp-session-id',
    ]);
    expect(wire.recorder.notes).toHaveLength(1);
    const own = await started();
    await (await fetch(own.url, { method: 'OPTIONS', headers })).text();
    expect(own.wire.recorder.notes).toEqual([]);
  });

  it('sends its own headers to the server, and records no credentials', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=secret' }).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => void server.close());
    const wire = await Wire.start({
      servers: { default: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` },
      headers: async () => ({ authorization: 'Bearer of-the-test' }),
    });
    closing.push(() => wire.close());
    await (
      await fetch(wire.urlOf('default') ?? '', {
        headers: { authorization: 'Bearer of-the-page', cookie: 'b=secret' },
      })
    ).text();
    expect(seen).toEqual(['Bearer of-the-test']);
    expect(JSON.stringify(wire.recorder.exchanges)).not.toMatch(/secret|of-the/);
  });
});

describe('the story', () => {
  it('shows the call and its exchanges, shortens the session, and opens in the app', async () => {
    const { wire, url } = await started();
    const page = new RawPage(url);
    await page.connect();
    await (await page.call(2)).text();
    const trace = await until(wire, ({ response }) => response?.deliveredAt !== undefined);
    wire.recorder.pages.push({ tab: 1, load: 1, line: 1, at: 0 });
    const hide = hiderFor(['of-the-test'], wire.recorder.exchanges);
    const html = drawStory(wire.recorder, [{ trace, findings: [] }], { title: '<my test>', hide });
    expect(html).toContain('&lt;my test&gt;');
    expect(html).toContain('countdown');
    expect(html).not.toContain(page.session);
    const json = await printStoryLog(wire.recorder, { server: 'my test', url, hide });
    expect(json).not.toContain(page.session);
    async function* pieces(): AsyncGenerator<string> {
      yield json;
    }
    const reader = readLogFile(pieces());
    let entries = 0;
    for (let next = await reader.next(); ; next = await reader.next()) {
      if (next.done) {
        expect(next.value.skipped).toBe(0);
        break;
      }
      entries += next.value.length;
    }
    expect(entries).toBeGreaterThan(10);
    expect(hide(describeWireExchange(trace.post))).toContain('mcp-protocol-version: 2025-11-25');
  });
});
