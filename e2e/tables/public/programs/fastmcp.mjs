// FastMCP for TypeScript over HTTP streaming: `stateful` or `stateless`.
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { count, MODE, PORT, STEPS } from './count.mjs';

const server = new FastMCP({ name: `fastmcp-${MODE}`, version: '1.0.0' });
server.addTool({
  name: 'count',
  description: 'Counts to ten',
  parameters: z.object({}),
  execute: (_args, { reportProgress }) => count((step) => reportProgress({ progress: step, total: STEPS })),
});
await server.start({
  transportType: 'httpStream',
  httpStream: { port: PORT, stateless: MODE === 'stateless' },
});
