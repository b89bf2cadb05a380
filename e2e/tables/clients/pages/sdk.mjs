// A page on the SDK as its documentation shows it: it connects when it loads, and keeps nothing.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { button, serverUrl, show } from './page.mjs';

const client = new Client({ name: 'sdk-page', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl)));
button.disabled = false;
button.addEventListener('click', async () => {
  await client.callTool({ name: 'report', arguments: {} }, undefined, {
    onprogress: ({ progress }) => show(`Step ${progress}`),
  });
  show('Report ready');
});
