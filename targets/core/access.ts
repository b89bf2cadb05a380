/** Who may talk to a target: Host and Origin checks against DNS rebinding, and CORS for pages. */
import type { Handler } from './options.ts';
import { rpcError } from './messages.ts';

/**
 * As `full`, but with `hidden-session` a page cannot read the session id, and with `no-cursor` it cannot name an event
 * id. `post-only` allows POST and what that needs; a preflight that asks for anything else is allowed nothing, as some
 * middlewares do.
 */
export type CorsMode = 'full' | 'none' | 'hidden-session' | 'no-cursor' | 'post-only';

export interface AccessOptions {
  readonly cors?: CorsMode;
  /** Origins beside the loopback ones. */
  readonly allowedOrigins?: readonly string[];
  /** The only port in a Host header that is accepted. */
  readonly port?: () => number;
  /** Response headers that a page may read, beside those of MCP. */
  readonly exposes?: readonly string[];
  /** Whether responses with an error status have no CORS headers now. */
  readonly hidesErrors?: () => boolean;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const METHODS = 'GET, POST, DELETE, OPTIONS';
const REQUEST_HEADERS = [
  'accept',
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];
/** Without these a page gets the response and cannot read the header. */
const EXPOSED_HEADERS = [
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'www-authenticate',
  'retry-after',
];
/** Parameters that travel as headers too (2026-07-28, "x-mcp-header"): any tool may name new ones. */
const PARAMETER_HEADER = /^mcp-param-[\w-]+$/;

/** Puts the checks and the headers around a handler. */
export function withAccess(
  next: Handler,
  { cors = 'full', allowedOrigins = [], port, exposes = [], hidesErrors }: AccessOptions = {},
): Handler {
  return async (request) => {
    const origin = request.headers.get('origin');
    if (!isLoopbackHost(request.headers.get('host'), port?.())) return forbidden('Host');
    if (origin !== null && !isLoopbackOrigin(origin) && !allowedOrigins.includes(origin)) {
      return forbidden('Origin');
    }
    if (cors === 'none') return next(request);
    const isPreflight = request.method === 'OPTIONS';
    const response = isPreflight ? new Response(null, { status: 204 }) : await next(request);
    const isHidden = !response.ok && hidesErrors?.() === true;
    return origin === null || isHidden ? response : withCors(response, request, origin, cors, exposes);
  };
}

function withCors(
  response: Response,
  request: Request,
  origin: string,
  cors: CorsMode,
  exposes: readonly string[],
): Response {
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', origin);
  headers.append('vary', 'origin');
  if (request.method === 'OPTIONS') {
    if (cors === 'post-only') return postOnly(request, headers);
    headers.set('access-control-allow-methods', METHODS);
    const allowed = REQUEST_HEADERS.filter((name) => cors !== 'no-cursor' || name !== 'last-event-id');
    headers.set('access-control-allow-headers', [...allowed, ...askedParameters(request)].join(', '));
    // A page from a public address asks before it reaches a private one.
    headers.set('access-control-allow-private-network', 'true');
    headers.set('access-control-max-age', '600');
  } else {
    const exposed = EXPOSED_HEADERS.filter((name) => cors !== 'hidden-session' || name !== 'mcp-session-id');
    headers.set('access-control-expose-headers', [...exposed, ...exposes].join(', '));
  }
  return new Response(response.body, { status: response.status, headers });
}

const POST_ONLY_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'];

function postOnly(request: Request, headers: Headers): Response {
  const asked = namesIn(request, 'access-control-request-headers');
  headers.set('access-control-allow-methods', 'POST');
  if (asked.every((name) => POST_ONLY_HEADERS.includes(name))) {
    headers.set('access-control-allow-headers', POST_ONLY_HEADERS.join(', '));
  }
  return new Response(null, { status: 204, headers });
}

function namesIn({ headers }: Request, header: string): string[] {
  return (
    headers
      .get(header)
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? []
  );
}

function askedParameters(request: Request): string[] {
  return namesIn(request, 'access-control-request-headers').filter((name) => PARAMETER_HEADER.test(name));
}

function isLoopbackHost(host: string | null, port: number | undefined): boolean {
  const [, name = '', digits] = /^(.*?)(?::(\d+))?$/.exec(host ?? '') ?? [];
  return LOOPBACK.has(name.toLowerCase()) && (port === undefined || Number(digits ?? 80) === port);
}

function isLoopbackOrigin(origin: string): boolean {
  try {
    const { protocol, hostname } = new URL(origin);
    return (protocol === 'http:' || protocol === 'https:') && LOOPBACK.has(hostname);
  } catch {
    return false;
  }
}

const forbidden = (what: string) => rpcError(403, -32000, `Forbidden: ${what} is not allowed here`);
