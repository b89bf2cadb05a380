/** One bridged server at its path: its MCP endpoint, and the state of it at `/bridge`. */
import {
  BRIDGE_HEADER,
  writeBridgeMark,
  type BridgeReplay,
  type BridgeStatus,
} from '../../src/base/bridgeContract.ts';
import { hideUrlKeys } from '../../src/base/urlKeys.ts';
import { VERSION } from '../harness/page/site.ts';
import { rpcError } from '../targets/core/messages.ts';
import { MemoryStore } from './eventStore.ts';
import { HttpSide } from './httpSide.ts';
import type { NoticeSink, Notify } from './notices.ts';
import { StdioSide, type ServerSide } from './serverSide.ts';
import { commandText, type BridgedServer } from './servers.ts';
import { BridgeSession } from './session.ts';
import { BridgeSessions } from './sessions.ts';
import type { BridgeLimits } from './startBridge.ts';
import { StdioUpstream } from './stdioUpstream.ts';
import type { OpenUpstream } from './upstream.ts';

export interface EndpointOptions {
  readonly server: BridgedServer;
  readonly limits: BridgeLimits;
  readonly notify: NoticeSink;
  readonly now: () => number;
  readonly replay: 'auto' | 'bridge';
  readonly reapEveryMs?: number;
}

const STATUS_PATH = '/bridge';
const MAX_WAIT_S = 25;

export class BridgedEndpoint {
  readonly name: string;
  readonly #o: EndpointOptions;
  readonly #side: ServerSide;

  constructor(options: EndpointOptions) {
    this.name = options.server.name;
    this.#o = options;
    const { idleMs, maxSessions, maxMessageBytes } = options.limits;
    const sessions = new BridgeSessions({
      create: (id, open) => this.#createSession(id, open),
      idleMs,
      maxSessions,
      maxBodyBytes: maxMessageBytes,
      ...(options.reapEveryMs !== undefined && { reapEveryMs: options.reapEveryMs }),
    });
    this.#side = this.#createSide(sessions);
  }

  /** `path`: what follows the path of this server. */
  async fetch(request: Request, path: string): Promise<Response> {
    if (path === STATUS_PATH) return this.#status(request);
    const { response, replay } = await this.#side.fetch(request, path);
    return this.#marked(response, replay);
  }

  async close(now = false): Promise<void> {
    await this.#side.close(now);
  }

  #marked(response: Response, replay: BridgeReplay): Response {
    const headers = new Headers(response.headers);
    headers.set(BRIDGE_HEADER, writeBridgeMark({ transport: this.#o.server.transport, replay }));
    return new Response(response.body, { status: response.status, headers });
  }

  async #status(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams;
    const after = Number(query.get('after') ?? 0);
    const waitS = Math.min(MAX_WAIT_S, Number(query.get('wait') ?? 0));
    const session = this.#side.find(request.headers);
    if (session && session.status(after).stderr.length === 0) {
      await statusChange(session, waitS * 1000, request.signal);
    }
    const { server } = this.#o;
    const replay = session || server.transport === 'stdio' ? 'bridge' : 'server';
    const status: BridgeStatus = {
      transport: server.transport,
      replay,
      version: VERSION,
      name: server.name,
      command: server.transport === 'stdio' ? commandText(server.program) : hideUrlKeys(server.url),
      ...(session && { session: session.status(after) }),
    };
    return this.#marked(Response.json(status, { headers: { 'cache-control': 'no-store' } }), replay);
  }

  #createSession(id: string, open: OpenUpstream): BridgeSession {
    const { limits, now } = this.#o;
    const { maxEvents, maxBytes } = limits;
    const notify: Notify = (notice) => this.#o.notify(notice, { server: this.name, session: id });
    const store = new MemoryStore({
      maxEvents,
      maxBytes,
      log: ({ event, events, bytes, ofRunningCalls }) => {
        if (event === 'event_store.near_limit') {
          notify({ name: 'near-limit', events: Number(events), bytes: Number(bytes) });
        }
        if (event === 'event_store.evicted') {
          notify({ name: 'evicted', events: Number(events), ofRunningCalls: Number(ofRunningCalls) });
        }
      },
    });
    const session = new BridgeSession({ id, store, limits: { maxEvents, maxBytes }, open, notify, now });
    const { process } = session.status();
    notify(process ? { name: 'started', pid: process.pid } : { name: 'opened' });
    return session;
  }

  #createSide(sessions: BridgeSessions): ServerSide {
    const { server, limits, replay } = this.#o;
    if (server.transport === 'stdio') {
      const { program } = server;
      const { maxMessageBytes } = limits;
      return new StdioSide(sessions, (events) => new StdioUpstream({ program, maxMessageBytes }, events));
    }
    const onUnreachable = (why: string) =>
      this.#o.notify({ name: 'unreachable', why }, { server: this.name });
    return new HttpSide({ url: server.url, headers: server.headers, replay, sessions, onUnreachable });
  }
}

/** Resolves when the status of the session changes, the time is over, or the client has left. */
function statusChange(session: BridgeSession, waitMs: number, signal: AbortSignal): Promise<void> {
  if (!(waitMs > 0)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unwatch();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    const unwatch = session.watchStatus(done);
    signal.addEventListener('abort', done);
  });
}
