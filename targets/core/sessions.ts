/** All sessions of a target: the branches of a POST, GET, DELETE, and the reaper. */
import { silent, type LogSink } from './log.ts';
import { asksToInitialize, rpcError, sessionNotFound } from './messages.ts';
import type { TargetOptions } from './options.ts';
import { referenceBranches, type PostBranches } from './postBranches.ts';
import { Session, type SessionContext } from './session.ts';
import { Stats } from './stats.ts';

const IDLE_MS = 10 * 60 * 1000;
const REAP_EVERY_MS = 60 * 1000;
const MAX_BODY_CHARS = 4 * 1024 * 1024;

export class SessionRegistry {
  readonly #options: TargetOptions;
  readonly #branches: PostBranches;
  readonly #stats: Stats;
  readonly #log: LogSink;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();
  readonly #reaper: ReturnType<typeof setInterval>;

  constructor(options: TargetOptions) {
    this.#options = options;
    this.#branches = { ...referenceBranches, ...options.branches };
    this.#stats = options.stats ?? new Stats();
    this.#log = options.log ?? silent;
    this.#now = options.now ?? Date.now;
    this.#reaper = setInterval(() => void this.reap(), options.reapEveryMs ?? REAP_EVERY_MS);
  }

  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  find(request: Request): Session | undefined {
    return this.#sessions.get(request.headers.get('mcp-session-id') ?? '');
  }

  async post(request: Request): Promise<Response> {
    const text = await request.text();
    if (text.length > MAX_BODY_CHARS) return rpcError(413, -32000, 'Request body too large');
    const body = parseJson(text);
    if (body === undefined) return rpcError(400, -32700, "Parse error: the body isn't JSON");
    const session = this.find(request);
    const initializes = asksToInitialize(body);
    if (session && initializes) return this.#branches.reconnect(request, body, session);
    if (session) return this.#branches.existing(request, body, session);
    if (initializes && !request.headers.has('mcp-session-id')) {
      return this.#branches.new(request, body, this);
    }
    return this.#branches.invalid(request, body, this);
  }

  async get(request: Request): Promise<Response> {
    return this.find(request)?.get(request) ?? this.refuse(request);
  }

  async delete(request: Request): Promise<Response> {
    return this.find(request)?.delete(request) ?? this.refuse(request);
  }

  /** No session id at all is 400, one that we do not know is 404 (2025-11-25, "Session Management"). */
  async refuse(request: Request): Promise<Response> {
    if (!request.headers.has('mcp-session-id')) {
      return rpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    }
    return this.#options.refuseUnknown?.(request, this) ?? sessionNotFound();
  }

  /** A session that is ready for its `initialize`; it is listed once that was accepted. */
  async create(): Promise<Session> {
    const id = crypto.randomUUID();
    const log: LogSink = (record) => this.#log({ session: id, ...record });
    const context: SessionContext = {
      options: this.#options,
      stats: this.#stats.session(id),
      log,
      now: this.#now,
      onInitialized: (initialized) => {
        const event = this.#sessions.has(id) ? 'session.reinitialized' : 'session.created';
        this.#sessions.set(id, initialized);
        log({ event });
      },
      onClosed: (_closed, why) => this.#forget(id, why),
    };
    try {
      const session = new Session(id, context);
      await session.open();
      return session;
    } catch (error) {
      this.#forget(id, 'not started');
      throw error;
    }
  }

  async endAll(why: string): Promise<void> {
    await Promise.all(this.all.map((session) => session.close(why)));
  }

  /** Ends what nobody has used for a while. A closed tab sends nothing: silence is the only sign. */
  async reap(): Promise<void> {
    const idleMs = this.#options.idleMs ?? IDLE_MS;
    for (const session of this.all) {
      await session.prune();
      if (session.idleMs < idleMs) continue;
      this.#log({ event: 'session.reaped', session: session.id });
      await session.close('idle');
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#reaper);
    await this.endAll('stopped');
  }

  #forget(id: string, why: string): void {
    this.#stats.end(id, why);
    const session = this.#sessions.get(id);
    if (!session) return;
    this.#sessions.delete(id);
    session.stop?.();
    this.#log({ event: 'session.ended', session: id, why });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
