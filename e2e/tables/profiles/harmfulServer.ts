/** A server whose tools must not be called unasked: none is marked as read-only. It fails if one was called. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';
import { withAccess } from '../../../targets/core/access.ts';
import { silent } from '../../../targets/core/log.ts';
import { listen, LOOPBACK_ADDRESS } from '../../../targets/host.ts';

const TOOLS = ['execute_command', 'run_shell', 'reboot_host', 'transfer_funds', 'git_push', 'fetch_url'];

export async function startHarmful(): Promise<{ url: string; close(): Promise<void> }> {
  const called: string[] = [];
  const handler = withAccess(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const server = new McpServer({ name: 'harmful', version: '1' });
    for (const name of TOOLS) {
      // A retry-delay says nothing about how long a call takes.
      server.registerTool(
        name,
        {
          inputSchema: {
            command: z.string(),
            'retry-delay': z.number().optional(),
            seconds: z.number().optional(),
          },
        },
        () => {
          called.push(name);
          return { content: [] };
        },
      );
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return transport.handleRequest(request);
  });
  const host = await listen(handler, 0, silent);
  return {
    url: `http://${LOOPBACK_ADDRESS}:${host.port}/mcp`,
    async close() {
      await host.close();
      if (called.length > 0) throw new Error(`A harmful tool was called: ${called.join(', ')}.`);
    },
  };
}
