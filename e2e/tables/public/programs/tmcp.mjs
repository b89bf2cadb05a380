// tmcp with its HTTP transport and CORS switched on.
import { HttpTransport } from '@tmcp/transport-http';
import { serve } from 'srvx';
import { McpServer } from 'tmcp';
import { count, PORT, STEPS } from './count.mjs';

const server = new McpServer(
  { name: 'tmcp', version: '1.0.0', description: 'Counts' },
  { capabilities: { tools: { listChanged: true } } },
);
server.tool({ name: 'count', description: 'Counts to ten' }, () =>
  count((step) => server.progress(step, STEPS)),
);
const transport = new HttpTransport(server, { path: '/mcp', cors: true });
serve({
  port: PORT,
  fetch: async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
});
