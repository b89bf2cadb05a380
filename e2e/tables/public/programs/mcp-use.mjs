// mcp-use as it listens by itself.
import { MCPServer } from 'mcp-use';
import { z } from 'zod';
import { count, PORT, STEPS } from './count.mjs';

const server = new MCPServer({ name: 'mcp-use', version: '1.0.0' });
server.tool({ name: 'count', description: 'Counts to ten', inputSchema: z.object({}) }, (_args, context) =>
  count((step) => context.reportProgress?.(step, STEPS)),
);
await server.listen(PORT);
