// The tool of the soak as a stdio program, for the bridge: node stdioWork.mjs <ledger file>. Each line of the file is a fact.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const file = process.argv[2] ?? '';
const tell = (/** @type {object} */ fact) =>
  appendFileSync(file, `${JSON.stringify({ ...fact, at: Date.now() })}\n`);
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const mcp = new McpServer({ name: 'soak', version: '1.0.0' });
mcp.registerTool(
  'work',
  { inputSchema: { key: z.string(), ticks: z.number(), everyMs: z.number(), asks: z.boolean() } },
  async ({ key, ticks, everyMs }, { _meta, sendNotification, signal }) => {
    const run = randomUUID().slice(0, 4);
    tell({ kind: 'started', run, key });
    for (let tick = 1; tick <= ticks; tick += 1) {
      await pause(everyMs);
      if (signal.aborted) {
        tell({ kind: 'stopped', run, text: 'Cancelled' });
        throw new Error('Cancelled');
      }
      const message = `${key}/${run}/${tick} é進𝄞`;
      const progressToken = _meta?.progressToken ?? '';
      const params = { progressToken, progress: tick, total: ticks, message };
      await sendNotification({ method: 'notifications/progress', params });
      tell({ kind: 'sent', run, text: message });
    }
    const text = `${key}/${run}/done  é進𝄞`;
    tell({ kind: 'done', run, text });
    return { content: [{ type: /** @type {const} */ ('text'), text }] };
  },
);
await mcp.connect(new StdioServerTransport());
