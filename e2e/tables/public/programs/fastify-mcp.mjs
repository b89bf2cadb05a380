// fastify-mcp: `stateful` or `stateless`.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { fastify } from 'fastify';
import { Sessions, streamableHttp } from 'fastify-mcp';
import { countAndNotify, MODE, PORT } from './count.mjs';

function createServer() {
  const server = new McpServer({ name: `fastify-mcp-${MODE}`, version: '1.0.0' });
  server.registerTool('count', { description: 'Counts to ten' }, ({ _meta, sendNotification }) =>
    countAndNotify(_meta?.progressToken, sendNotification),
  );
  return server.server;
}

const app = fastify();
app.register(streamableHttp, {
  stateful: MODE === 'stateful',
  mcpEndpoint: '/mcp',
  sessions: new Sessions(),
  createServer,
});
await app.listen({ port: PORT });
