/** A server whose tools need no arguments, so that a call is one click in every inspector. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { end, read, serveHere, stream } from '../bench/burstServer.ts';

export interface PeerServer {
  readonly url: string;
  close(): Promise<void>;
}

export const SERVER_NAME = 'peers';
export const MANY_TOOLS = 5000;
const BIG_BYTES = 10_000_000;
/** How a result begins: an inspector may show only the beginning of a large one. */
export const BIG_RESULT = 'begins with digits';

type Reply = (id: unknown) => string;

const CALLS: Readonly<Record<string, Reply>> = {
  burst_1000: (id) => burst(id, 1000),
  burst_10000: (id) => burst(id, 10_000),
  big_result: (id) => result(id, `${BIG_RESULT} ${'0123456789'.repeat(BIG_BYTES / 10)}`),
};

export async function startPeerServer(tools: 'few' | 'many'): Promise<PeerServer> {
  const names = [...Object.keys(CALLS), ...(tools === 'many' ? moreNames() : [])];
  const list = names.map((name) => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object', properties: {} },
  }));
  const { origin, close } = await serveHere((request, response) => answer(request, response, list));
  return { url: `${origin}/mcp`, close };
}

function moreNames(): readonly string[] {
  const rest = MANY_TOOLS - Object.keys(CALLS).length;
  return Array.from({ length: rest }, (_, n) => `tool_${String(n).padStart(4, '0')}`);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  tools: readonly object[],
): Promise<void> {
  if (request.method === 'OPTIONS') return end(response, 204);
  if (request.method === 'GET') return end(response, 405);
  if (request.method === 'DELETE') return end(response, 200);
  const text = await read(request);
  if (text === '') return end(response, 400);
  const { id, method, params } = JSON.parse(text) as {
    id?: unknown;
    method?: string;
    params?: { name?: string };
  };
  if (id === undefined) return end(response, 202);
  const replies: Readonly<Record<string, () => string>> = {
    initialize: () =>
      message({
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {}, logging: {} },
          serverInfo: { name: SERVER_NAME, version: '1' },
        },
      }),
    ping: () => message({ id, result: {} }),
    'logging/setLevel': () => message({ id, result: {} }),
    'tools/list': () => message({ id, result: { tools } }),
    'tools/call': () => CALLS[params?.name ?? '']?.(id) ?? result(id, 'done'),
  };
  const reply = replies[method ?? ''];
  const body = reply?.() ?? message({ id, error: { code: -32601, message: 'Method not found' } });
  stream(response, body);
}

/** Log messages, because not every inspector asks for progress. */
function burst(id: unknown, count: number): string {
  const messages: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const params = { level: 'info', logger: 'burst', data: { step: n, of: count } };
    messages.push(message({ method: 'notifications/message', params }));
  }
  return messages.join('') + result(id, `${count} notifications were sent`);
}

function result(id: unknown, text: string): string {
  return message({ id, result: { content: [{ type: 'text', text }] } });
}

function message(fields: object): string {
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n\n`;
}
