// Mastra's MCP server on node:http.
import { createServer } from 'node:http';
import { createTool } from '@mastra/core/tools';
import { MCPServer } from '@mastra/mcp';
import { z } from 'zod';
import { count, PORT, STEPS } from './count.mjs';

const tool = createTool({
  id: 'count',
  description: 'Counts to ten',
  inputSchema: z.object({}),
  execute: async (_input, context) => {
    const { content } = await count((step) => context?.mcp?.progress?.({ progress: step, total: STEPS }));
    return content[0].text;
  },
});
const server = new MCPServer({ id: 'mastra', name: 'mastra', version: '1.0.0', tools: { count: tool } });
createServer((req, res) => {
  const url = new URL(req.url ?? '', `http://localhost:${PORT}`);
  void server.startHTTP({ url, httpPath: '/mcp', req, res });
}).listen(PORT);
