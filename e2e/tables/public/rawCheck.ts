/** Asks a server over raw HTTP what the harness claims about it: handshake, call, cut, resume, repeat, DELETE, CORS. */
import { setTimeout as pause } from 'node:timers/promises';
import { objectField } from '../../../src/base/json.ts';
import { checkCall } from './rawCall.ts';
import type { CorsFacts, RawFacts, SessionFacts, StandaloneFacts, Status } from './rawFacts.ts';
import { checkQuestion } from './rawQuestion.ts';
import { RawRequest } from './rawRequest.ts';
import { LATEST, RawClient, statelessRequest, type Write } from './rawSteps.ts';

export interface RawCall {
  readonly tool: string;
  readonly args: object;
}

const HEAD_MS = 15_000;
const CALL_MS = 90_000;
const NO_SUCH_EVENT = 'raw-check-no-such-event';
const ORIGIN = 'http://localhost:49152';

export async function rawCheck(url: string, call: RawCall | undefined, write: Write): Promise<RawFacts> {
  write('# server/discover');
  const discovered = statelessRequest(url, 'discover', 'server/discover', {});
  await discovered.until(() => discovered.responseTo('discover') !== undefined, HEAD_MS);
  discovered.cut();
  const discovery = objectField(discovered.responseTo('discover'), 'result');
  const versions = discovery?.['supportedVersions'];
  write(`< ${discovered.status ?? 'no head'} ${JSON.stringify(versions) ?? ''}`);
  const speaksStateless = Array.isArray(versions) && versions.includes('2026-07-28');
  const session = await checkSession(url, call, write).catch((error: unknown) => {
    write(`no session side: ${String(error)}`);
    return undefined;
  });
  const stateless = speaksStateless && call ? await checkStateless(url, call, write) : undefined;
  const extensions = objectField(objectField(discovery, 'capabilities'), 'extensions') ?? {};
  return {
    speaksStateless,
    declaresTasks: session?.declaresTasks === true || 'io.modelcontextprotocol/tasks' in extensions,
    ...(session && { session }),
    ...(stateless && { stateless }),
    cors: await checkCors(url, session === undefined, write),
  };
}

async function checkSession(url: string, call: RawCall | undefined, write: Write): Promise<SessionFacts> {
  const inSession = async <T>(title: string, step: (client: RawClient) => Promise<T>): Promise<T> => {
    write(`# ${title}`);
    const client = await RawClient.initialized(url, write);
    try {
      return await step(client);
    } finally {
      await client.close();
    }
  };
  const first = await inSession('a plain GET', async (client) => {
    const plain = client.get();
    await plain.untilHead(2000);
    client.show(plain);
    const { protocolVersion, sessionId, capabilities } = client;
    const get = plain.status ?? null;
    return {
      protocolVersion,
      hasSession: sessionId !== undefined,
      get,
      declaresTasks: 'tasks' in capabilities,
    };
  });
  const called = call && (await checkCall(call, inSession));
  if (!first.hasSession) return { ...first, ...(called && { call: called }) };
  return {
    ...first,
    ...(called && { call: called }),
    unknownEventId: await inSession('GET with an unknown event ID', async (client) => {
      const get = client.get(NO_SUCH_EVENT);
      await get.until(() => get.messages.length > 0, 3000);
      client.show(get);
      return { status: get.status ?? null, messages: get.messages.length, ended: get.ended };
    }),
    standalone: await inSession('the standalone stream', checkStandalone),
    ...(await inSession('a question', checkQuestion).then((question) => question && { question })),
    ended: await inSession('DELETE, and a request after it', async (client) => {
      const deleted = client.send({ method: 'DELETE' });
      await deleted.untilHead(HEAD_MS);
      client.show(deleted);
      const { request } = await client.ask('ping');
      const hasNewId = request.headers['mcp-session-id'] !== undefined;
      return { deleted: deleted.status ?? null, then: request.status ?? null, hasNewId };
    }),
  };
}

async function checkStandalone(client: RawClient): Promise<StandaloneFacts> {
  const head = async (request: RawRequest): Promise<Status> => {
    await request.untilHead(3000);
    client.show(request);
    return request.status ?? null;
  };
  const first = client.get();
  await first.until(() => first.lastEventId !== undefined, 2000);
  client.show(first);
  const position = first.lastEventId;
  if (position === undefined) return { givesEventId: false };
  const beside = client.get();
  const besideStatus = await head(beside);
  beside.cut();
  first.cut();
  await pause(200);
  const resumed = await client.resume(position);
  client.show(resumed);
  return {
    givesEventId: true,
    beside: besideStatus,
    resumed: resumed.status ?? null,
    besideResumed: await head(client.get()),
  };
}

/** A call that is left alone, one that is cut in its middle, and one after that. */
async function checkStateless(url: string, { tool, args }: RawCall, write: Write) {
  write('# a call of 2026-07-28, then one that is cut, then one more');
  const whole = async (id: string): Promise<RawRequest> => {
    const request = statelessRequest(url, id, 'tools/call', { name: tool, arguments: args });
    await request.until(() => request.responseTo(id) !== undefined, CALL_MS);
    write(`< ${request.status ?? 'no head'} ${request.messages.length} messages`);
    return request;
  };
  const startedAt = Date.now();
  const alone = await whole('alone');
  const durationMs = Date.now() - startedAt;
  const cut = statelessRequest(url, 'cut', 'tools/call', { name: tool, arguments: args });
  await pause(durationMs / 3);
  cut.cut();
  const after = await whole('after');
  const result = objectField(alone.responseTo('alone'), 'result');
  return {
    messages: alone.messages.length,
    durationMs,
    isError: result === undefined || result['isError'] === true,
    worksAfterCut: after.responseTo('after') !== undefined,
  };
}

const HEADERS = [
  'content-type',
  'mcp-protocol-version',
  'mcp-session-id',
  'last-event-id',
  'mcp-method',
  'mcp-name',
];

async function checkCors(url: string, isStateless: boolean, write: Write): Promise<CorsFacts> {
  write('# CORS');
  const preflightFor = async (headers: string): Promise<RawRequest> => {
    const asked = {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': headers,
    };
    const request = new RawRequest(url, { method: 'OPTIONS', headers: asked });
    await request.untilHead(HEAD_MS);
    request.cut();
    write(
      `OPTIONS ${headers}: ${request.status ?? 'no head'}, allows ${request.headers['access-control-allow-headers'] ?? '–'}`,
    );
    return request;
  };
  const allowed: string[] = [];
  const refused: string[] = [];
  for (const header of HEADERS) {
    const list = words((await preflightFor(header)).headers['access-control-allow-headers']);
    (list.includes(header) || list.includes('*') ? allowed : refused).push(header);
  }
  const preflight = await preflightFor('content-type');
  const actual = isStateless
    ? statelessRequest(url, 'cors', 'server/discover', {}, { origin: ORIGIN })
    : new RawRequest(url, {
        method: 'POST',
        headers: { origin: ORIGIN, accept: 'application/json, text/event-stream' },
        body: {
          jsonrpc: '2.0',
          id: 'cors',
          method: 'initialize',
          params: {
            protocolVersion: LATEST,
            capabilities: {},
            clientInfo: { name: 'raw-check', version: '1' },
          },
        },
      });
  await actual.untilHead(HEAD_MS);
  actual.cut();
  const facts: CorsFacts = {
    preflight: preflight.status ?? null,
    preflightOrigin: originIn(preflight),
    allowMethods: preflight.headers['access-control-allow-methods'] ?? '',
    allowed,
    refused,
    actual: actual.status ?? null,
    actualOrigin: originIn(actual),
    exposes: actual.headers['access-control-expose-headers'] ?? '',
  };
  write(JSON.stringify(facts));
  return facts;
}

/** The origin of the page as such, so that the facts are the same wherever it is. */
function originIn({ headers }: RawRequest): string {
  const allowed = headers['access-control-allow-origin'];
  return allowed === ORIGIN ? 'the page' : (allowed ?? '');
}

const words = (header: string | undefined): readonly string[] =>
  (header ?? '').split(',').map((word) => word.trim().toLowerCase());
