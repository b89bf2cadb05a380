/** Starts a bridge in this process: for the command line and for tests. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BRIDGE_HEADER, BRIDGE_RESOURCE_HEADER } from '../src/base/bridgeContract.ts';
import { serveStatic } from '../scripts/lib/staticServer.mjs';
import { withAccess } from '../targets/core/access.ts';
import { DEFAULT_LOG_LIMITS } from '../targets/core/eventLog.ts';
import { silent } from '../targets/core/log.ts';
import { rpcError } from '../targets/core/messages.ts';
import type { Handler } from '../targets/core/options.ts';
import { answerInNode } from '../targets/host.ts';
import { BridgedEndpoint } from './endpoint.ts';
import { withToken } from './guard.ts';
import type { NoticeSink } from './notices.ts';
import { digestOf, type BridgedServer } from './servers.ts';
import { openStores } from './stores.ts';

export interface BridgeLimits {
  readonly idleMs: number;
  readonly holdMs: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly maxMessageBytes: number;
  readonly maxSessions: number;
}

export const DEFAULT_BRIDGE_LIMITS: BridgeLimits = {
  idleMs: 10 * 60 * 1000,
  holdMs: 60 * 1000,
  ...DEFAULT_LOG_LIMITS,
  maxMessageBytes: 64 * 1024 * 1024,
  maxSessions: 20,
};

export interface BridgeOptions extends Partial<BridgeLimits> {
  readonly servers: readonly BridgedServer[];
  /** Each program has a path of its own, `/mcp/<name>`, even if there is one only. */
  readonly isNamed?: boolean;
  /** A free one if left out. */
  readonly port?: number;
  /** Random if left out. */
  readonly token?: string;
  /** Origins beside the loopback ones. */
  readonly origins?: readonly string[];
  /** The folder of the built app; without one, only the servers are there. */
  readonly site?: string;
  /** `memory:` or `redis://…` */
  readonly store?: string;
  /** Who replays for an HTTP server that sends event IDs. */
  readonly replay?: 'auto' | 'bridge';
  readonly notify?: NoticeSink;
  readonly now?: () => number;
  /** How often sessions without a page are looked for. */
  readonly reapEveryMs?: number;
}

export interface RunningBridge {
  readonly port: number;
  readonly token: string;
  /** Opens the app with every server added. */
  readonly link: string;
  /** In the order of the options, each with its MCP URL, token included. */
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  /** A link to the app that works once and doesn't show the token. */
  onceLink(): string;
  /** Ends every session and its process. `now`: they get no time for it. */
  close(now?: boolean): Promise<void>;
}

const MCP_PATH = '/mcp';
const ONCE_PATH = '/open/';

export async function startBridge(options: BridgeOptions): Promise<RunningBridge> {
  const {
    servers,
    isNamed = false,
    site,
    notify = () => undefined,
    now = Date.now,
    reapEveryMs,
    replay = 'auto',
  } = options;
  const limits = { ...DEFAULT_BRIDGE_LIMITS, ...withoutUndefined(options) };
  const token = options.token ?? randomBytes(32).toString('base64url');
  let port = 0;
  const stores = await openStores(options.store ?? 'memory:', { ...limits, maxAgeMs: limits.idleMs * 2 });
  const endpoints = pathsOf(servers, isNamed).map(({ server, path }) => ({
    path,
    endpoint: new BridgedEndpoint({
      ...(reapEveryMs !== undefined && { reapEveryMs }),
      server,
      limits,
      notify,
      now,
      replay,
      stores,
      origin: () => `http://localhost:${port}`,
    }),
  }));
  const access = {
    port: () => port,
    allowedOrigins: options.origins ?? [],
    exposes: [BRIDGE_HEADER, BRIDGE_RESOURCE_HEADER],
  };
  const mcp: Handler = withAccess(
    withToken(token, async (request) => {
      const { pathname } = new URL(request.url);
      const found = endpoints.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
      return found?.endpoint.fetch(request, pathname.slice(found.path.length)) ?? notFound();
    }),
    access,
  );
  const once = new Set<string>();
  const open: Handler = withAccess(async (request) => {
    const isKnown = once.delete(new URL(request.url).pathname.slice(ONCE_PATH.length));
    if (!isKnown)
      return new Response('This link was already used. Use the link in the terminal.\n', { status: 410 });
    return new Response(null, { status: 302, headers: { location: link(), 'cache-control': 'no-store' } });
  }, access);

  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    const path = (incoming.url ?? '').replace(/[?#].*$/s, '');
    const isMcp = path === MCP_PATH || path.startsWith(`${MCP_PATH}/`);
    if (!isMcp && !path.startsWith(ONCE_PATH)) {
      if (site === undefined) outgoing.writeHead(404).end();
      return site === undefined;
    }
    try {
      answerInNode(isMcp ? mcp : open, incoming, outgoing, silent);
    } catch {
      outgoing.writeHead(403).end();
    }
    return true;
  };
  const closeServers = async (immediately = false) => {
    await Promise.all(endpoints.map(({ endpoint }) => endpoint.close(immediately)));
    await stores.close();
  };
  const host = await serveStatic({
    folder: site ?? '',
    apps: site !== undefined,
    handle,
    ...(options.port !== undefined && { port: options.port }),
  }).catch(async (error: unknown) => {
    await closeServers();
    throw error;
  });
  port = Number(new URL(host.url).port);
  const origin = `http://localhost:${port}`;
  const urls = endpoints.map(({ path, endpoint }) => ({
    name: endpoint.name,
    url: `${origin}${path}?token=${token}`,
  }));
  const link = () => `${origin}/#${new URLSearchParams(urls.map(({ url }) => ['server', url])).toString()}`;
  return {
    port,
    token,
    link: link(),
    servers: urls,
    onceLink() {
      const key = randomBytes(16).toString('base64url');
      once.add(key);
      return `${origin}${ONCE_PATH}${key}`;
    },
    async close(immediately = false) {
      await closeServers(immediately);
      await host.close();
    },
  };
}

/**
 * `/mcp` for a program alone, else `/mcp/<name>`, each of them once. The path of an HTTP server also has a digest of its
 * URL: a page keeps logins by the path, and must not send the token of one server to the next one at the same port.
 */
function pathsOf(
  servers: readonly BridgedServer[],
  isNamed: boolean,
): readonly { readonly server: BridgedServer; readonly path: string }[] {
  const taken = new Set<string>();
  return servers.map((server) => {
    const isProgram = server.transport === 'stdio';
    if (isProgram && !isNamed && servers.length === 1) return { server, path: MCP_PATH };
    const slug = server.name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+|-+$/g, '') || 'server';
    const base = `${MCP_PATH}/${slug}${isProgram ? '' : `-${digestOf(server)}`}`;
    let path = base;
    for (let number = 2; taken.has(path); number += 1) path = `${base}-${number}`;
    taken.add(path);
    return { server, path };
  });
}

function withoutUndefined(options: Partial<BridgeLimits>): Partial<BridgeLimits> {
  const { idleMs, holdMs, maxEvents, maxBytes, maxMessageBytes, maxSessions } = options;
  const given = { idleMs, holdMs, maxEvents, maxBytes, maxMessageBytes, maxSessions };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const notFound = () => rpcError(404, -32000, 'Not found: no server of this bridge has this path');
