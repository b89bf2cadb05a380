// One MCP session on the SDK's web transport, without a network: requests go in, responses come out.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';

export const URL_OF_SERVER = 'http://mcp.test/mcp';
const VERSION = '2025-11-25';

/**
 * @param {{ eventStore?: import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js').EventStore,
 *   addTools?: (server: McpServer) => void }} [options]
 */
export async function startServer({ eventStore, addTools } = {}) {
  const server = new McpServer({ name: 'upstream', version: '1.0.0' }, { capabilities: { logging: {} } });
  addTools?.(server);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => 'session-1',
    ...(eventStore && { eventStore }),
  });
  await server.connect(transport);

  /**
   * @param {string} method
   * @param {{ body?: object, lastEventId?: string | undefined }} [request]
   */
  const send = (method, { body, lastEventId } = {}) =>
    transport.handleRequest(
      new Request(URL_OF_SERVER, {
        method,
        headers: {
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
          'MCP-Protocol-Version': VERSION,
          ...(transport.sessionId !== undefined && { 'Mcp-Session-Id': transport.sessionId }),
          ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
        },
        ...(body && { body: JSON.stringify({ jsonrpc: '2.0', ...body }) }),
      }),
    );

  const clientInfo = { name: 'raw', version: '1.0.0' };
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo };
  await (await send('POST', { body: { id: 0, method: 'initialize', params } })).text();
  await send('POST', { body: { method: 'notifications/initialized' } });
  return { server, transport, send, sessionId: transport.sessionId ?? '' };
}

/**
 * Reads a stream until it has sent a text, or for so long, and returns what was read.
 *
 * @param {Response} response
 * @param {{ until: string, forMs?: number }} limit
 */
export async function read(response, { until, forMs = 500 }) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return '';
  const timeUp = new Promise((resolve) => setTimeout(resolve, forMs, { done: true }));
  let text = '';
  while (!text.includes(until)) {
    const { done, value = '' } = /** @type {{ done: boolean, value?: string }} */ (
      await Promise.race([reader.read(), timeUp])
    );
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text;
}

/**
 * Ends the script: 0 where the behavior is still as the report says.
 *
 * @param {boolean} isReproduced
 * @param {Record<string, unknown>} seen
 */
export function report(isReproduced, seen) {
  process.stdout.write(
    `${JSON.stringify(seen, null, 2)}\n${isReproduced ? 'reproduced' : 'not reproduced'}\n`,
  );
  process.exit(isReproduced ? 0 : 1);
}
