// mcp-handler, mounted in Hono.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createMcpHandler } from 'mcp-handler';
import { countAndNotify, PORT } from './count.mjs';

const handler = createMcpHandler((server) => {
  server.registerTool('count', { description: 'Counts to ten' }, ({ mcpReq }) =>
    countAndNotify(mcpReq._meta?.progressToken, (notification) => mcpReq.notify(notification)),
  );
});
const app = new Hono();
app.all('/mcp', (context) => handler(context.req.raw));
serve({ fetch: app.fetch, port: PORT });
