/** One bridged server at its path: its MCP endpoint, and the state of it at `/bridge`. */
import {
  BRIDGE_HEADER,
  writeBridgeMark,
  type BridgeReplay,
  type BridgeStatus,
} from '../src/base/bridgeContract.ts';
import { hideUrlKeys } from '../src/base/urlKeys.ts';
import { VERSION } from '../harness/page/site.ts';
import { silent } from '../targets/core/log.ts';
import { HttpSide } from './httpSide.ts';
import type { NoticeSink, Notify } from './notices.ts';
import { fetchRemote, type RemoteSession } from './remoteSession.ts';
import { AnnouncedSessions } from './sessionDirectory.ts';
import { StdioSide, type ServerSide } from './serverSide.ts';
import { commandText, digestOf, type BridgedServer } from './servers.ts';
import { BridgeSession } from './session.ts';
import { BridgeSessions } from './sessions.ts';
import type { BridgeLimits } from './startBridge.ts';
import type { Stores } from './stores.ts';
import { StdioUpstream } from './stdioUpstream.ts';
import type { OpenUpstream } from './upstream.ts';

export interface EndpointOptions {
  readonly server: BridgedServer;
  readonly limits: BridgeLimits;
  readonly notify: NoticeSink;
  readonly now: () => number;
  readonly replay: 'auto' | 'bridge';
  readonly reapEveryMs?: number;
  readonly stores: Stores;
  /** Where other bridges with the same store find this one. */
  readonly origin: () => string;
}

const STATUS_PATH = '/bridge';
const MAX_WAIT_S = 25;

export class BridgedEndpoint {
  readonly name: string;
  readonly #o: EndpointOptions;
  readonly #side: ServerSide;
  readonly #announced: AnnouncedSessions | undefined;

  constructor(options: EndpointOptions) {
    this.name = options.server.name;
    this.#o = options;
    const { idleMs, maxSessions, maxMessageBytes } = options.limits;
    const sessions = new BridgeSessions({
      create: (id, open) => this.#createSession(id, open),
      // Another one for a bridge behind this bridge.
      idSuffix: `-${digestOf(options.server)}`,
      idleMs,
      maxSessions,
      maxBodyBytes: maxMessageBytes,
      ...(options.reapEveryMs !== undefined && { reapEveryMs: options.reapEveryMs }),
    });
    this.#side = this.#createSide(sessions);
    const { directory } = options.stores;
    this.#announced = directory && new AnnouncedSessions(directory, options.origin);
  }

  /** `path`: what follows the path of this server. */
  async fetch(request: Request, path: string): Promise<Response> {
    const remote = await this.#remoteSession(request.headers);
    if (remote) return this.#marked(await fetchRemote(request, remote), 'bridge');
    if (path === STATUS_PATH) return this.#status(request);
    const { response, replay } = await this.#side.fetch(request, path);
    return this.#marked(response, replay);
  }

  async close(now = false): Promise<void> {
    await this.#side.close(now);
    this.#announced?.close();
  }

  /** A session that another bridge with the same store has. */
  async #remoteSession(headers: Headers): Promise<RemoteSession | undefined> {
    const id = headers.get('mcp-session-id');
    if (id === null || !this.#announced || this.#side.find(headers)) return undefined;
    const owner = await this.#announced.ownerOf(id);
    return owner === undefined ? undefined : { id, owner, store: this.#o.stores.create(id, silent) };
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
    const store = this.#o.stores.create(id, ({ event, events, bytes, ofRunningCalls }) => {
      if (event === 'event_store.near_limit') {
        notify({ name: 'near-limit', events: Number(events), bytes: Number(bytes) });
      }
      if (event === 'event_store.evicted') {
        notify({ name: 'evicted', events: Number(events), ofRunningCalls: Number(ofRunningCalls) });
      }
    });
    const onClosed = () => void this.#announced?.remove(id);
    void this.#announced?.add(id);
    const session = new BridgeSession({
      id,
      store,
      limits: { maxEvents, maxBytes },
      open,
      notify,
      now,
      onClosed,
    });
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
    const { url, headers } = server;
    return new HttpSide({ url, headers, replay, holdMs: limits.holdMs, sessions, onUnreachable });
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
