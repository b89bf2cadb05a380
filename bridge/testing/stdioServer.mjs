// A stdio server for tests, on the SDK: node stdioServer.mjs [--stubborn] [--greets] [--version-file]
import { spawn } from 'node:child_process';
import process from 'node:process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const has = (/** @type {string} */ flag) => process.argv.includes(flag);
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
const text = (/** @type {unknown} */ value) => ({
  content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(value) }],
});

// Ends neither with its stdin nor with SIGTERM.
if (has('--stubborn')) {
  process.on('SIGTERM', () => process.stderr.write('SIGTERM is ignored\n'));
  setInterval(() => undefined, 1000);
}
if (has('--greets')) process.stdout.write('Listening on port 3000\n\n{"not": "JSON-RPC"}\n');
if (has('--fails')) {
  process.stderr.write('Error: no license\n');
  process.exit(3);
}

const mcp = new McpServer({ name: 'stdio-test', version: '1.0.0' }, { capabilities: { logging: {} } });

mcp.registerTool(
  'countdown',
  { inputSchema: { ticks: z.number(), intervalMs: z.number() } },
  async ({ ticks, intervalMs }, { _meta, sendNotification, signal }) => {
    const seen = [];
    for (let tick = 1; tick <= ticks && !signal.aborted; tick += 1) {
      const progressToken = _meta?.progressToken;
      if (progressToken !== undefined) {
        const params = { progressToken, progress: tick, total: ticks };
        await sendNotification({ method: 'notifications/progress', params });
      }
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data: tick } });
      seen.push(tick);
      await pause(intervalMs);
    }
    return text(seen);
  },
);
mcp.registerTool('ask', { inputSchema: { question: z.string() } }, async ({ question }) =>
  text(
    await mcp.server.elicitInput({
      message: question,
      requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } },
    }),
  ),
);
mcp.registerTool('sample', { inputSchema: { prompt: z.string() } }, async ({ prompt }) =>
  text(
    await mcp.server.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
      maxTokens: 10,
    }),
  ),
);
mcp.registerTool('roots', {}, async () => text(await mcp.server.listRoots()));
mcp.registerTool('big', { inputSchema: { bytes: z.number() } }, async ({ bytes }) => text('x'.repeat(bytes)));
mcp.registerTool(
  'burst',
  { inputSchema: { count: z.number() } },
  async ({ count }, { _meta, sendNotification }) => {
    for (let at = 1; at <= count; at += 1) {
      const params = { progressToken: _meta?.progressToken ?? 'none', progress: at };
      await sendNotification({ method: 'notifications/progress', params });
    }
    return text(count);
  },
);
mcp.registerTool('crash', { inputSchema: { code: z.number() } }, async ({ code }) => {
  process.stderr.write("TypeError: Cannot read properties of undefined (reading 'rows')\n    at report\n");
  process.exit(code);
});
mcp.registerTool('garbage', { inputSchema: { lines: z.number() } }, async ({ lines }) => {
  for (let at = 0; at < lines; at += 1) process.stdout.write(`Query ${at} took ${at} ms\n`);
  return text(lines);
});
mcp.registerTool('stderr', { inputSchema: { lines: z.number() } }, async ({ lines }) => {
  for (let at = 0; at < lines; at += 1) process.stderr.write(`line ${at}\n`);
  return text(lines);
});
mcp.registerTool('environment', {}, async () => text({ env: process.env, cwd: process.cwd() }));
mcp.registerTool('pid', {}, async () => text(process.pid));
// A grandchild that holds the pipes open, and ignores SIGTERM.
mcp.registerTool('fork', {}, async () => {
  const script = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)";
  return text(spawn(process.execPath, ['-e', script], { stdio: 'inherit' }).pid);
});

await mcp.connect(new StdioServerTransport());
process.stderr.write('ready\n');
