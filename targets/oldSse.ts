/** Sessions of the old HTTP+SSE transport, on the SDK's own server side of it. */
import type { ServerResponse } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { rpcError } from './core/messages.ts';
import { createServer } from './core/server.ts';
import { touchWatched } from './core/watched.ts';
import { CountedTransport } from './countedTransport.ts';
import { HALF_A_FRAME, takeOver } from './host.ts';
import type { ServiceContext } from './profiles/profile.ts';

const STREAM_PATHS = new Set(['/mcp', '/sse']);
const POST_PATH = '/messages';

interface OldSession {
  readonly http: SSEServerTransport;
  readonly server: McpServer;
  readonly outgoing: ServerResponse;
}

export class OldSseSessions {
  readonly #context: ServiceContext;
  readonly #sessions = new Map<string, OldSession>();
  #announced = 0;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async answer(request: Request): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === POST_PATH && request.method === 'POST') {
      return this.#post(request, searchParams.get('sessionId') ?? '');
    }
    if (!STREAM_PATHS.has(pathname)) return undefined;
    if (request.method !== 'GET') return rpcError(405, -32000, 'Method not allowed', { allow: 'GET' });
    return takeOver(request, (_incoming, outgoing) => this.#open(outgoing));
  }

  dropStreams(): void {
    for (const { outgoing } of this.#sessions.values()) {
      outgoing.write(HALF_A_FRAME, () => outgoing.socket?.resetAndDestroy());
    }
  }

  endAll(): void {
    for (const { server } of [...this.#sessions.values()]) void server.close();
  }

  announce(): void {
    this.#announced += 1;
    const data = { number: this.#announced };
    for (const { server } of this.#sessions.values()) {
      void server.sendLoggingMessage({ level: 'notice', logger: 'announce', data });
    }
  }

  touch(): void {
    for (const { server } of this.#sessions.values()) void touchWatched(server);
  }

  async #open(outgoing: ServerResponse): Promise<void> {
    const http = new SSEServerTransport(POST_PATH, outgoing);
    const id = http.sessionId;
    const stats = this.#context.stats.session(id);
    const server = createServer(this.#context.options());
    stats.gets += 1;
    stats.openStreams += 1;
    this.#sessions.set(id, { http, server, outgoing });
    outgoing.once('close', () => {
      stats.openStreams -= 1;
      this.#sessions.delete(id);
      this.#context.stats.end(id, 'stream closed');
    });
    await server.connect(new CountedTransport(http, stats));
  }

  #post(request: Request, sessionId: string): Response {
    const session = this.#sessions.get(sessionId);
    if (!session) return rpcError(404, -32000, 'Session not found');
    this.#context.stats.session(sessionId).posts += 1;
    return takeOver(request, async (incoming, outgoing) =>
      session.http.handlePostMessage(incoming, outgoing, await request.json()),
    );
  }
}
