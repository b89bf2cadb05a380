/** Starts a target in this process, on a port of its own: for tests, fixtures and the command line. */
import { withAccess } from './core/access.ts';
import { silent, type LogSink } from './core/log.ts';
import { rpcError } from './core/messages.ts';
import type { Handler, TargetOptions } from './core/options.ts';
import { CONTROL_ACTIONS, createTarget, type ControlAction, type Target } from './core/target.ts';
import type { Stats } from './core/stats.ts';
import { listen, LOOPBACK_ADDRESS } from './host.ts';
import { findProfile } from './profiles/index.ts';

export interface StartOptions {
  /** A free one if left out. */
  readonly port?: number;
  readonly log?: LogSink;
  /** Origins beside the loopback ones. */
  readonly allowedOrigins?: readonly string[];
  /** Laid over the profile's own. */
  readonly overrides?: Partial<TargetOptions>;
}

export interface RunningTarget {
  readonly profile: string;
  /** The MCP endpoint. */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  control(action: ControlAction): Promise<void>;
  stats(): ReturnType<Stats['toJSON']>;
  close(): Promise<void>;
}

export class UnknownProfile extends Error {
  override readonly name = 'UnknownProfile';
}

export async function startTarget(name: string, options: StartOptions = {}): Promise<RunningTarget> {
  const profile = findProfile(name);
  if (!profile) throw new UnknownProfile(`There is no profile "${name}". "--list" shows all of them.`);
  const { log = silent, port = 0, allowedOrigins = [], overrides = {} } = options;
  const target = createTarget(() => ({ name, log, ...profile.options(), ...overrides }));
  const mcp = withAccess(target.fetch, { cors: profile.cors ?? 'full', allowedOrigins });
  const control = async (action: ControlAction) => {
    log({ level: 'info', event: 'target.control', action });
    if (action === 'restart') host.resetConnections();
    await target.control(action);
  };
  const controlled = withAccess((request) => answerControl(request, target, control), { allowedOrigins });
  const route: Handler = async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/mcp') return mcp(request);
    if (pathname.startsWith('/__control/')) return controlled(request);
    return rpcError(404, -32000, 'Not found: the endpoint is /mcp');
  };
  const host = await listen(route, port, log).catch(async (error: unknown) => {
    await target.close();
    throw error;
  });
  const origin = `http://${LOOPBACK_ADDRESS}:${host.port}`;
  log({ level: 'info', event: 'target.ready', profile: name, port: host.port });
  return {
    profile: name,
    url: `${origin}/mcp`,
    origin,
    port: host.port,
    control,
    stats: () => target.stats.toJSON(),
    async close() {
      await target.close();
      await host.close();
    },
  };
}

async function answerControl(
  request: Request,
  target: Target,
  control: (action: ControlAction) => Promise<void>,
): Promise<Response> {
  const name = new URL(request.url).pathname.slice('/__control/'.length);
  if (name === 'stats' && request.method === 'GET') return Response.json(target.stats);
  const action = CONTROL_ACTIONS.find((known) => known === name);
  if (!action || request.method !== 'POST') {
    return Response.json(
      { error: `POST one of: ${CONTROL_ACTIONS.join(', ')}; or GET stats` },
      { status: 404 },
    );
  }
  // The answer must be out before a restart resets the connection that asked for it.
  setTimeout(() => void control(action), 0);
  return Response.json({ action });
}
