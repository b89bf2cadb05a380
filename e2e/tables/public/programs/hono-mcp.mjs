// @hono/mcp: one transport for all clients (`shared`), as its documentation shows it, or one for each session.
import { randomUUID } from 'node:crypto';
import { StreamableHTTPTransport } from '@hono/mcp';
import { serve } from '@hono/node-server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { countAndNotify, MODE, PORT } from './count.mjs';
import { EventStore } from './eventStore.mjs';

const sessions = new Map();

async function newTransport() {
  const server = new McpServer({ name: `hono-mcp-${MODE}`, version: '1.0.0' });
  server.registerTool('count', { description: 'Counts to ten' }, ({ _meta, sendNotification }) =>
    countAndNotify(_meta?.progressToken, sendNotification),
  );
  const transport = new StreamableHTTPTransport(
    MODE === 'shared'
      ? {}
      : {
          sessionIdGenerator: () => randomUUID(),
          ...(MODE === 'events' && { eventStore: new EventStore() }),
          onsessioninitialized: (id) => void sessions.set(id, transport),
          onsessionclosed: (id) => void sessions.delete(id),
        },
  );
  await server.connect(transport);
  return transport;
}

const shared = MODE === 'shared' ? await newTransport() : undefined;
const app = new Hono();
app.use(
  '*',
  cors({
    origin: '*',
    allowMethods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
    exposeHeaders: ['Mcp-Session-Id'],
  }),
);
app.all('/mcp', async (context) => {
  const id = context.req.header('mcp-session-id');
  if (!shared && id !== undefined && !sessions.has(id)) {
    const error = { code: -32001, message: 'Session not found' };
    return context.json({ jsonrpc: '2.0', error, id: null }, 404);
  }
  const transport = shared ?? sessions.get(id) ?? (await newTransport());
  return transport.handleRequest(context);
});
serve({ fetch: app.fetch, port: PORT });
