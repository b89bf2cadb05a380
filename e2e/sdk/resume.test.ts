// What the public API of the two SDK clients does when a call is taken up again by a new client, without a browser.
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as SdkTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { RunningTarget } from '../../targets/startTarget.ts';
import { eventually } from '../../targets/testing/eventually.ts';
import { withTarget } from '../../targets/testing/withTarget.ts';

const TICKS = 12;
const COUNTDOWN = { name: 'countdown', arguments: { ticks: TICKS, intervalMs: 40 } };
const TOKEN = 'token-of-the-user';
const INFO = { name: 'resume-test', version: '1.0.0' };

const range = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

/** All that the first client leaves to the second, beside the token. */
interface Kept {
  readonly sessionId: string;
  readonly protocolVersion: string;
  readonly lastEventId: string;
}

interface SentRequest {
  readonly method: string;
  /** The JSON-RPC method of a POST. */
  readonly rpc?: string | undefined;
  readonly session?: string;
  readonly version?: string;
  readonly authorization?: string;
  readonly from?: string;
}

/** One client of either SDK, reduced to what the story needs. */
interface Side {
  /** What went over the wire, in order. */
  readonly requests: readonly SentRequest[];
  /** The texts of the log notifications: one for each tick. */
  readonly ticks: readonly string[];
  readonly errors: readonly string[];
  readonly sessionId: () => string | undefined;
  readonly protocolVersion: () => string | undefined;
  readonly call: (onEventId: (id: string) => void) => Promise<unknown>;
  /** The same call again, as a request that resumes instead of being sent. */
  readonly resumeCall: (lastEventId: string) => Promise<unknown>;
  readonly resumeStream: (lastEventId: string) => Promise<void>;
  readonly listTools: () => Promise<readonly unknown[]>;
  readonly close: () => Promise<void>;
}

type Connect = (url: string, kept?: Kept) => Promise<Side>;

/** A `fetch` that writes down what it sends. */
function watchedFetch(requests: SentRequest[]): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    const header = (key: keyof SentRequest, name: string) => {
      const value = headers.get(name);
      return value === null ? {} : { [key]: value };
    };
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { method?: string }) : undefined;
    requests.push({
      method: init?.method ?? 'GET',
      ...(body && { rpc: body.method }),
      ...header('session', 'mcp-session-id'),
      ...header('version', 'mcp-protocol-version'),
      ...header('authorization', 'authorization'),
      ...header('from', 'last-event-id'),
    });
    return fetch(input, init);
  };
}

interface LogNotification {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

function record() {
  const requests: SentRequest[] = [];
  const ticks: string[] = [];
  const errors: string[] = [];
  return {
    requests,
    ticks,
    errors,
    onNotification: ({ method, params }: LogNotification) => {
      if (method === 'notifications/message') ticks.push(params?.['data'] as string);
      return Promise.resolve();
    },
    onError: (error: Error) => {
      errors.push(error.message);
    },
  };
}

const connectSdk: Connect = async (url, kept) => {
  const { requests, ticks, errors, onNotification, onError } = record();
  const transport = new SdkTransport(new URL(url), {
    fetch: watchedFetch(requests),
    requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } },
    ...(kept && { sessionId: kept.sessionId }),
  });
  const client = new SdkClient(INFO);
  client.fallbackNotificationHandler = onNotification;
  client.onerror = onError;
  await client.connect(transport);
  if (kept) transport.setProtocolVersion(kept.protocolVersion);
  const params = { method: 'tools/call', params: COUNTDOWN } as const;
  return {
    requests,
    ticks,
    errors,
    sessionId: () => transport.sessionId,
    protocolVersion: () => transport.protocolVersion,
    call: (onresumptiontoken) => client.request(params, CallToolResultSchema, { onresumptiontoken }),
    resumeCall: (resumptionToken) => client.request(params, CallToolResultSchema, { resumptionToken }),
    resumeStream: (lastEventId) => transport.resumeStream(lastEventId),
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
};

const connectClient: Connect = async (url, kept) => {
  const { requests, ticks, errors, onNotification, onError } = record();
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: watchedFetch(requests),
    requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } },
    ...(kept && { sessionId: kept.sessionId, protocolVersion: kept.protocolVersion }),
  });
  const client = new Client(INFO);
  client.fallbackNotificationHandler = onNotification;
  client.onerror = onError;
  await client.connect(transport);
  const request = { method: 'tools/call', params: COUNTDOWN } as const;
  return {
    requests,
    ticks,
    errors,
    sessionId: () => transport.sessionId,
    protocolVersion: () => transport.protocolVersion,
    call: (onresumptiontoken) => client.request(request, { onresumptiontoken }),
    resumeCall: (resumptionToken) => client.request(request, { resumptionToken }),
    resumeStream: (lastEventId) => transport.resumeStream(lastEventId),
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
};

/** The first client: it calls, receives three ticks and is thrown away; the server goes on. */
async function interrupt(connect: Connect, target: RunningTarget) {
  const first = await connect(target.url);
  let lastEventId = '';
  first
    .call((id) => {
      // Three ticks, and not what comes while the client is being closed.
      if (first.ticks.length <= 3) lastEventId = id;
    })
    .catch(() => undefined);
  await eventually('three ticks arrive', () => first.ticks.length >= 3);
  const seen = first.ticks.slice(0, 3);
  const kept: Kept = {
    sessionId: first.sessionId() ?? '',
    protocolVersion: first.protocolVersion() ?? '',
    lastEventId,
  };
  await first.close();
  const sentThen = sent(target, kept.sessionId);
  await eventually('two ticks are missed', () => sent(target, kept.sessionId) >= sentThen + 4);
  return { first, kept, seen };
}

/** How many messages the server has sent on the call's stream, whether anybody received them or not. */
function sent(target: RunningTarget, sessionId: string): number {
  const session = target.stats().sessions.find(({ id }) => id === sessionId);
  return Object.values(session?.streams ?? {}).find(({ name }) => name === 'countdown')?.sent ?? 0;
}

describe.each([
  ['@modelcontextprotocol/sdk', connectSdk],
  ['@modelcontextprotocol/client', connectClient],
] as const)('%s', (_name, connect) => {
  it('takes a call up again: the missed messages once and in order, the rest live, and the result', async () => {
    const target = await withTarget('resumable');
    const { kept, seen } = await interrupt(connect, target);
    const second = await connect(target.url, kept);
    const result = await second.resumeCall(kept.lastEventId);
    expect(result).toMatchObject({ structuredContent: { ticks: range(TICKS) } });
    expect([...seen, ...second.ticks]).toEqual(range(TICKS).map((tick) => `tick ${tick} of ${TICKS}`));
    expect(second.errors).toEqual([]);
    expect(second.requests).toEqual([
      {
        method: 'GET',
        session: kept.sessionId,
        version: kept.protocolVersion,
        authorization: `Bearer ${TOKEN}`,
        from: kept.lastEventId,
      },
    ]);
    expect(target.stats()).toMatchObject({ calls: { countdown: 1 }, initializes: 1 });
    await second.close();
  });

  it('connect() with a session ID sends nothing: no initialize, and nobody opens the standalone stream', async () => {
    const target = await withTarget('resumable');
    const { first, kept } = await interrupt(connect, target);
    expect(first.requests.map(({ method, rpc }) => [method, rpc])).toEqual([
      ['POST', 'initialize'],
      ['POST', 'notifications/initialized'],
      ['GET', undefined],
      ['POST', 'tools/call'],
    ]);
    const second = await connect(target.url, kept);
    expect(second.requests).toEqual([]);
    expect(second.sessionId()).toBe(kept.sessionId);
    await second.close();
  });

  it("resumeStream('') opens the standalone stream: an empty event ID isn't sent", async () => {
    const target = await withTarget('resumable');
    const { kept } = await interrupt(connect, target);
    const second = await connect(target.url, kept);
    await second.resumeStream('');
    expect(second.requests).toEqual([expect.objectContaining({ method: 'GET', session: kept.sessionId })]);
    expect(second.requests[0]).not.toHaveProperty('from');
    await second.close();
  });

  it('resumeStream() delivers the rest of one stream; the response has no caller and goes to onerror', async () => {
    const target = await withTarget('resumable');
    const { kept, seen } = await interrupt(connect, target);
    const second = await connect(target.url, kept);
    await second.resumeStream(kept.lastEventId);
    await eventually('the response arrives', () => second.errors.length > 0);
    expect(seen.length + second.ticks.length).toBe(TICKS);
    expect(second.errors).toEqual([expect.stringContaining('unknown message ID')]);
    expect(second.errors[0]).toContain('"ticks":[1,2,3');
    await second.close();
  });

  it('must initialize again when the session has ended: the server answers 404', async () => {
    const target = await withTarget('resumable');
    const { kept } = await interrupt(connect, target);
    await target.control('expire-sessions');
    const second = await connect(target.url, kept);
    await expect(second.resumeStream(kept.lastEventId)).rejects.toThrow(/Failed to open SSE stream/);
    await second.close();
    const third = await connect(target.url);
    expect(third.sessionId()).not.toBe(kept.sessionId);
    expect(await third.listTools()).not.toEqual([]);
    await third.close();
  });
});

describe('a new client in an old session counts its requests from 0 again, and knows no capabilities', () => {
  it('@modelcontextprotocol/sdk: its next request repeats an ID, and this server refuses it', async () => {
    const target = await withTarget('resumable');
    const { kept } = await interrupt(connectSdk, target);
    const second = await connectSdk(target.url, kept);
    await second.resumeCall(kept.lastEventId);
    await expect(second.listTools()).rejects.toThrow('request ID 1 was already used in this session');
    await second.close();
  });

  it('@modelcontextprotocol/client: listTools() returns an empty list, without a request', async () => {
    const target = await withTarget('resumable');
    const { kept } = await interrupt(connectClient, target);
    const second = await connectClient(target.url, kept);
    expect(await second.listTools()).toEqual([]);
    expect(second.requests).toEqual([]);
    await second.close();
  });
});
