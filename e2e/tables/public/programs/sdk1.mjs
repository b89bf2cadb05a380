// TypeScript SDK v1 with Express, as its documentation shows it: `events`, `plain`, `json` or `stateless`.
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import cors from 'cors';
import express from 'express';
import { countAndNotify, MODE, PORT } from './count.mjs';
import { EventStore } from './eventStore.mjs';

const sessions = new Map();

function newServer() {
  const server = new McpServer({ name: `sdk1-${MODE}`, version: '1.0.0' });
  server.registerTool('count', { description: 'Counts to ten' }, ({ _meta, sendNotification }) =>
    countAndNotify(_meta?.progressToken, sendNotification),
  );
  return server;
}

async function newTransport() {
  const isStateless = MODE === 'stateless';
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: isStateless ? undefined : () => randomUUID(),
    enableJsonResponse: MODE === 'json',
    ...(MODE === 'events' && { eventStore: new EventStore() }),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await newServer().connect(transport);
  return transport;
}

const app = express();
app.use(cors({ exposedHeaders: ['Mcp-Session-Id'] }));
app.use(express.json());
app.all('/mcp', async (request, response) => {
  const id = request.headers['mcp-session-id'];
  if (MODE === 'stateless' && request.method !== 'POST') return void response.status(405).end();
  if (id !== undefined && MODE !== 'stateless' && !sessions.has(id)) {
    const error = { code: -32001, message: 'Session not found' };
    return void response.status(404).json({ jsonrpc: '2.0', error, id: null });
  }
  const transport = sessions.get(id) ?? (await newTransport());
  await transport.handleRequest(request, response, request.body);
});
app.listen(PORT);
