// A client that takes up a session has no documented way to open the standalone stream.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { report, startServer, URL_OF_SERVER } from './server.mjs';

const { transport: serverTransport, sessionId } = await startServer();
/** @type {string[]} */
const sent = [];
const transport = new StreamableHTTPClientTransport(new URL(URL_OF_SERVER), {
  sessionId,
  fetch: (url, init) => {
    sent.push(init?.method ?? 'GET');
    return serverTransport.handleRequest(new Request(url, init));
  },
});
transport.setProtocolVersion('2025-11-25');
const client = new Client({ name: 'second', version: '1.0.0' });
await client.connect(transport);
const afterConnect = [...sent];

// There's only this: an empty event ID isn't sent, so a plain GET is what remains.
await transport.resumeStream('');

report(afterConnect.length === 0 && sent.join() === 'GET', {
  'requests of connect()': afterConnect,
  "requests of resumeStream('')": sent,
});
