/** A server that answers each method with whatever it is told to, however odd: no library checks it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base } from './inspector.ts';

type Answers = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>>;

/** An answer that is a stream of these messages and does not end. */
export class Messages {
  readonly all: readonly object[];

  constructor(...all: readonly object[]) {
    this.all = all;
  }
}

interface OddServer {
  readonly url: string;
  /** How often each method was asked. */
  readonly asked: Map<string, number>;
  close(): Promise<void>;
}

async function startOddServer(answers: Answers): Promise<OddServer> {
  const asked = new Map<string, number>();
  const all: Answers = { initialize: () => HANDSHAKE, ping: () => ({}), ...answers };
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    response.setHeader('access-control-expose-headers', '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { id, method, params = {} } = JSON.parse(body) as Message;
      if (id === undefined || method === undefined) return void response.writeHead(202).end();
      asked.set(method, (asked.get(method) ?? 0) + 1);
      const outcome = outcomeOf(all[method], params);
      if ('result' in outcome && outcome.result instanceof Messages) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const message of outcome.result.all) response.write(`data: ${JSON.stringify(message)}\n\n`);
        return;
      }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const test = base.extend<{ odd: (answers: Answers) => Promise<OddServer> }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  odd: async ({}, use) => {
    const running: OddServer[] = [];
    await use(async (answers) => {
      const server = await startOddServer(answers);
      running.push(server);
      return server;
    });
    await Promise.all(running.map((server) => server.close()));
  },
});

function outcomeOf(answer: Answers[string] | undefined, params: Message['params'] = {}): object {
  if (!answer) return { error: { code: -32601, message: 'There is no such method here.' } };
  try {
    return { result: answer(params) };
  } catch (error) {
    return { error: { code: -32002, message: error instanceof Error ? error.message : 'Something is odd.' } };
  }
}

interface Message {
  readonly id?: string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: {} },
  serverInfo: { name: 'odd', version: '1' },
};
