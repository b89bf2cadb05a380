// mcp-lite in Hono: `stateless`, or `sessions` with its adapter in memory, which keeps events.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from 'mcp-lite';
import { count, MODE, PORT, STEPS } from './count.mjs';

const server = new McpServer({ name: `mcp-lite-${MODE}`, version: '1.0.0' });
server.tool('count', {
  description: 'Counts to ten',
  handler: (_args, context) => count((step) => context.progress?.({ progress: step, total: STEPS })),
});
const transport = new StreamableHttpTransport(
  MODE === 'sessions' ? { sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1024 }) } : {},
);
const handle = transport.bind(server);
const app = new Hono();
app.use('*', cors({ origin: '*', exposeHeaders: ['Mcp-Session-Id'] }));
app.all('/mcp', (context) => handle(context.req.raw));
serve({ fetch: app.fetch, port: PORT });
