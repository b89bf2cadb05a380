// The same page with the session ID and the last event ID in localStorage, and the resumption options of the SDK.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { button, serverUrl, show } from './page.mjs';

const sessionId = localStorage.getItem('session') ?? undefined;
const client = new Client({ name: 'sdk-storage-page', version: '1.0.0' });
const transport = new StreamableHTTPClientTransport(new URL(serverUrl), sessionId ? { sessionId } : {});
await client.connect(transport);
localStorage.setItem('session', transport.sessionId ?? '');
button.disabled = false;

async function call(resumptionToken) {
  const request = { method: 'tools/call', params: { name: 'report', arguments: {} } };
  await client.request(request, CallToolResultSchema, {
    ...(resumptionToken && { resumptionToken }),
    onresumptiontoken: (token) => localStorage.setItem('event', token),
    onprogress: ({ progress }) => show(`Step ${progress}`),
  });
  localStorage.removeItem('event');
  show('Report ready');
}
button.addEventListener('click', () => call());
const last = localStorage.getItem('event');
if (last) await call(last);
