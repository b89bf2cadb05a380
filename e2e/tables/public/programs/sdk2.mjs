// TypeScript SDK v2: `events` or `plain` with sessions behind Express, `hono` and `fastify` with both protocol versions.
import { randomUUID } from 'node:crypto';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { countAndNotify, MODE, PORT } from './count.mjs';
import { EventStore } from './eventStore.mjs';

function newServer() {
  const server = new McpServer({ name: `sdk2-${MODE}`, version: '1.0.0' });
  server.registerTool('count', { description: 'Counts to ten' }, ({ mcpReq }) =>
    countAndNotify(mcpReq._meta?.progressToken, (notification) => mcpReq.notify(notification)),
  );
  return server;
}

const sessions = new Map();

async function newTransport() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    ...(MODE === 'events' && { eventStore: new EventStore() }),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await newServer().connect(transport);
  return transport;
}

async function serveSessions() {
  const { createMcpExpressApp } = await import('@modelcontextprotocol/express');
  const app = createMcpExpressApp();
  app.all('/mcp', async (request, response) => {
    const id = request.headers['mcp-session-id'];
    if (id !== undefined && !sessions.has(id)) {
      const error = { code: -32001, message: 'Session not found' };
      return void response.status(404).json({ jsonrpc: '2.0', error, id: null });
    }
    const transport = sessions.get(id) ?? (await newTransport());
    await transport.handleRequest(request, response, request.body);
  });
  app.listen(PORT, 'localhost');
}

async function serveHono() {
  const { serve } = await import('@hono/node-server');
  const { createMcpHonoApp } = await import('@modelcontextprotocol/hono');
  const { cors } = await import('hono/cors');
  const app = createMcpHonoApp();
  const handler = createMcpHandler(newServer);
  app.use('*', cors());
  app.all('/mcp', (context) => handler.fetch(context.req.raw, { parsedBody: context.get('parsedBody') }));
  serve({ fetch: app.fetch, port: PORT, hostname: 'localhost' });
}

async function serveFastify() {
  const { createMcpFastifyApp } = await import('@modelcontextprotocol/fastify');
  const app = createMcpFastifyApp();
  const handle = toNodeHandler(createMcpHandler(newServer));
  app.all('/mcp', async (request, reply) => {
    reply.hijack();
    await handle(request.raw, reply.raw, request.body);
  });
  await app.listen({ port: PORT, host: 'localhost' });
}

await (MODE === 'hono' ? serveHono() : MODE === 'fastify' ? serveFastify() : serveSessions());
