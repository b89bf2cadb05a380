/** A server with sessions whose answers to calls are written by the test, byte by byte: no library checks them. */
import type { IncomingMessage } from 'node:http';
import { closedAfter } from './closedAfter.ts';
import { test as base } from './inspector.ts';
import { respond, startOpenServer, stream, type OpenServer } from './openServer.ts';

interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly request: IncomingMessage;
}

interface RawOptions {
  readonly tools: readonly object[];
  readonly sessionId?: string;
  /** The body of the stream that answers a call; `end` closes it, else it stays open. */
  readonly answer: (call: RawCall) => { readonly text: string; readonly end: boolean };
  /** The answer to a GET with `Last-Event-ID`. */
  readonly resume?: (lastEventId: string) => string;
}

interface RawServer extends OpenServer {
  readonly resumedFrom: string[];
}

async function startRawServer(options: RawOptions): Promise<RawServer> {
  const { sessionId = '5e55101d-0000-4000-8000-0123456789ab', tools, answer, resume } = options;
  const resumedFrom: string[] = [];
  const server = await startOpenServer({
    get(request, response) {
      const lastEventId = request.headers['last-event-id'];
      if (typeof lastEventId !== 'string' || !resume) return false;
      resumedFrom.push(lastEventId);
      stream(response).write(resume(lastEventId));
      return true;
    },
    post({ id, method, params }, response, request) {
      if (method === 'tools/call') {
        const { name = '', arguments: args = {} } = params as CallParams;
        const { text, end } = answer({ id, name, args, request });
        stream(response).write(text);
        if (end) response.end();
        return;
      }
      const result = method === 'initialize' ? HANDSHAKE : method === 'tools/list' ? { tools } : {};
      respond(response, id, { result }, { 'mcp-session-id': sessionId });
    },
  });
  return { ...server, resumedFrom };
}

/** One event with an ID. `data` is JSON text, or a value to print. */
export function event(id: string, data: unknown): string {
  return `id: ${id}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

export const test = base.extend<{ raw: typeof startRawServer }>({ raw: closedAfter(startRawServer) });

interface CallParams {
  readonly name?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'raw', version: '1' },
};
