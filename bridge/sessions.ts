/** The sessions of one bridged server: which of them a request means, and the end of those without a page. */
import { asksToInitialize, rpcError, sessionNotFound } from '../targets/core/messages.ts';
import type { BridgeSession } from './session.ts';
import { isJsonRecord, type OpenUpstream } from './upstream.ts';

export interface SessionsOptions {
  readonly create: (id: string, open: OpenUpstream) => BridgeSession;
  /** What the IDs are recognized by, after the end of their sessions and of the bridge, too. */
  readonly idSuffix: string;
  readonly idleMs: number;
  readonly maxSessions: number;
  readonly maxBodyBytes: number;
  readonly reapEveryMs?: number;
}

const MAX_REAP_EVERY_MS = 10_000;

export class BridgeSessions {
  readonly #o: SessionsOptions;
  readonly #sessions = new Map<string, BridgeSession>();
  /** No page can use them any more, and their processes haven't ended yet. */
  readonly #ending = new Set<BridgeSession>();
  readonly #reaper: ReturnType<typeof setInterval>;

  constructor(options: SessionsOptions) {
    this.#o = options;
    const every = options.reapEveryMs ?? Math.min(MAX_REAP_EVERY_MS, Math.max(10, options.idleMs / 4));
    this.#reaper = setInterval(() => void this.#reap(), every);
    this.#reaper.unref();
  }

  find(headers: Headers): BridgeSession | undefined {
    return this.#sessions.get(headers.get('mcp-session-id') ?? '');
  }

  /** Whether the request is for a session of the bridge, be it there or over, and not for one of the server. */
  owns(headers: Headers): boolean {
    return headers.get('mcp-session-id')?.endsWith(this.#o.idSuffix) ?? false;
  }

  /** `open`: how a new session gets its server; without it none begins here. */
  async fetch(request: Request, open?: OpenUpstream): Promise<Response> {
    const session = this.find(request.headers);
    switch (request.method) {
      case 'POST':
        return this.#post(request, session, open);
      case 'GET':
        return session ? session.get(request.headers) : refuse(request);
      case 'DELETE':
        if (!session) return refuse(request);
        // A process may take seconds for its end, and no page should wait for that.
        void this.#end(session, 'the page disconnected');
        return new Response(null, { status: 200 });
      default:
        return rpcError(405, -32000, 'Method not allowed', { allow: 'GET, POST, DELETE' });
    }
  }

  async close(now = false): Promise<void> {
    clearInterval(this.#reaper);
    const all = [...this.#sessions.values(), ...this.#ending];
    await Promise.all(all.map((session) => session.close('the bridge ended', now)));
  }

  /** Begins a session with the `initialize` in this body. */
  async begin(headers: Headers, body: unknown, text: string, open: OpenUpstream): Promise<Response> {
    const running = [...this.#sessions.values()].filter(({ isOpen }) => isOpen).length;
    if (running >= this.#o.maxSessions) {
      return rpcError(
        503,
        -32000,
        `The bridge already runs ${running} sessions, the limit of --max-sessions`,
      );
    }
    const session = this.#o.create(`${crypto.randomUUID()}${this.#o.idSuffix}`, open);
    this.#sessions.set(session.id, session);
    const response = await session.post(headers, body, text);
    if (!response.ok) void this.#end(session, 'rejected by the server');
    return response;
  }

  async #post(request: Request, session: BridgeSession | undefined, open?: OpenUpstream): Promise<Response> {
    const text = await request.text();
    if (text.length > this.#o.maxBodyBytes) return rpcError(413, -32000, 'Request body too large');
    const body = parseBody(text);
    if (body === undefined) return rpcError(400, -32700, "Parse error: the body isn't JSON-RPC");
    if (session && asksToInitialize(body)) {
      return rpcError(400, -32600, 'Invalid Request: this session is already initialized');
    }
    if (session) return session.post(request.headers, body, text);
    if (!open || !asksToInitialize(body) || request.headers.has('mcp-session-id')) return refuse(request);
    return this.begin(request.headers, body, text, open);
  }

  async #reap(): Promise<void> {
    for (const session of [...this.#sessions.values()]) {
      if (session.idleMs < this.#o.idleMs) continue;
      await this.#end(session, 'no page connected within --idle');
    }
  }

  async #end(session: BridgeSession, why: string): Promise<void> {
    this.#sessions.delete(session.id);
    this.#ending.add(session);
    await session.close(why);
    this.#ending.delete(session);
  }
}

/** No session ID at all is 400, one that isn't known is 404 (2025-11-25, "Session Management"). */
function refuse(request: Request): Response {
  return request.headers.has('mcp-session-id')
    ? sessionNotFound()
    : rpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required');
}

/** One message or a batch of them; `undefined` if it is neither. */
export function parseBody(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    const messages: unknown[] = Array.isArray(body) ? body : [body];
    return messages.length > 0 && messages.every(isJsonRecord) ? body : undefined;
  } catch {
    return undefined;
  }
}
