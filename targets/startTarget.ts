/** Starts a target in this process, on a port of its own: for tests, fixtures and the command line. */
import { withAccess, type CorsMode } from './core/access.ts';
import { silent, type LogSink } from './core/log.ts';
import { rpcError } from './core/messages.ts';
import type { Handler, TargetOptions } from './core/options.ts';
import { CONTROL_ACTIONS, createTarget, restarts, type ControlAction, type Target } from './core/target.ts';
import type { Stats } from './core/stats.ts';
import { listen, LOOPBACK_ADDRESS } from './host.ts';
import { findProfile } from './profiles/index.ts';

const CONTROL_PATH = '/__control/';
/** A control of the HTTP side: from now on, errors of the MCP endpoint have no CORS headers. */
const BARE_ERRORS = 'bare-errors';

export interface StartOptions {
  /** A free one if left out. */
  readonly port?: number;
  readonly log?: LogSink;
  /** Origins beside the loopback ones. */
  readonly allowedOrigins?: readonly string[];
  /** Instead of the profile's own. */
  readonly cors?: CorsMode;
  /** Laid over the profile's own. */
  readonly overrides?: Partial<TargetOptions>;
}

export interface RunningTarget {
  readonly profile: string;
  /** The MCP endpoint. */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  /** A `ControlAction`, or one of the profile's own. */
  control(action: string): Promise<void>;
  stats(): ReturnType<Stats['toJSON']>;
  close(): Promise<void>;
}

export class UnknownProfile extends Error {
  override readonly name = 'UnknownProfile';
}

export async function startTarget(name: string, options: StartOptions = {}): Promise<RunningTarget> {
  const profile = findProfile(name);
  if (!profile) throw new UnknownProfile(`Unknown profile "${name}". See --list.`);
  const { log = silent, port = 0, allowedOrigins = [], overrides = {} } = options;
  const targetOptions = () => ({ name, log, ...profile.options(), ...overrides });
  const target = createTarget(targetOptions);
  const service = profile.service?.({ stats: target.stats, options: targetOptions });
  let hidesErrors = false;
  const access = {
    cors: options.cors ?? profile.cors ?? 'full',
    allowedOrigins,
    hidesErrors: () => hidesErrors,
  };
  const mcp = withAccess(async (request) => (await service?.guard(request)) ?? target.fetch(request), access);
  const beside = withAccess(async (request) => (await service?.fetch(request)) ?? notFound(), access);
  const control = async (action: string, asker?: Request) => {
    log({ event: 'target.control', action });
    service?.actions[action]?.();
    if (action === BARE_ERRORS || action === 'reset') hidesErrors = action === BARE_ERRORS;
    if (!isControlAction(action)) return;
    if (restarts(action)) host.resetConnections(asker);
    await target.control(action);
  };
  const actions = [
    ...new Set<string>([...CONTROL_ACTIONS, BARE_ERRORS, ...Object.keys(service?.actions ?? {})]),
  ];
  const controlled = withAccess((request) => answerControl(request, target, actions, control), {
    allowedOrigins,
  });
  const route: Handler = (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/mcp') return mcp(request);
    return pathname.startsWith(CONTROL_PATH) ? controlled(request) : beside(request);
  };
  const host = await listen(route, port, log).catch(async (error: unknown) => {
    await target.close();
    throw error;
  });
  const origin = `http://${LOOPBACK_ADDRESS}:${host.port}`;
  log({ event: 'target.ready', profile: name, port: host.port });
  return {
    profile: name,
    url: `${origin}/mcp`,
    origin,
    port: host.port,
    control: (action) => control(action),
    stats: () => target.stats.toJSON(),
    async close() {
      await target.close();
      await host.close();
    },
  };
}

const notFound = () => rpcError(404, -32000, 'Not found: the endpoint is /mcp');

function isControlAction(action: string): action is ControlAction {
  return CONTROL_ACTIONS.some((known) => known === action);
}

async function answerControl(
  request: Request,
  target: Target,
  actions: readonly string[],
  control: (action: string, asker: Request) => Promise<void>,
): Promise<Response> {
  const action = new URL(request.url).pathname.slice(CONTROL_PATH.length);
  if (action === 'stats' && request.method === 'GET') return Response.json(target.stats);
  if (!actions.includes(action) || request.method !== 'POST') {
    return Response.json({ error: `POST one of: ${actions.join(', ')}; or GET stats` }, { status: 404 });
  }
  await control(action, request);
  return Response.json({ action });
}
