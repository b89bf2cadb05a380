/** Starts the wire of a test when something needs it: the proxy of the browser before the page, or the test itself. */
import { secretsOf } from '../access/clientCredentials.ts';
import { PageWire } from '../wire/pageWire.ts';
import type { ParentProxy } from '../wire/passThrough.ts';
import { endpointMatcher } from './endpoint.ts';
import { wireBearer } from './wireBearer.ts';
import type { McpOptions } from './wireTypes.ts';

const TIMEOUT_MS = 10_000;
/** Firefox sends a second GET to the URL of an open stream up to 20 s late. */
const FIREFOX_TIMEOUT_MS = 30_000;
const SETTLE_MS = 100;

export class WireHolder {
  readonly #options: McpOptions | undefined;
  readonly #isFirefox: boolean;
  #wire: Promise<PageWire> | undefined;
  readonly secrets: string[] = [];

  constructor(options: McpOptions | undefined, browserName: string) {
    this.#options = options;
    this.#isFirefox = browserName === 'firefox';
  }

  start(parent?: ParentProxy): Promise<PageWire> {
    this.#wire ??= this.#start(parent);
    return this.#wire;
  }

  async close(): Promise<void> {
    await (await this.#wire)?.wire.close();
  }

  #start(parent: ParentProxy | undefined): Promise<PageWire> {
    const options = this.#options ?? {};
    const { server, endpoint, timeout, settle, headers = {}, clientCredentials } = options;
    if (server === undefined && endpoint === undefined)
      throw new Error(
        "Missing MCP server for mcpWire. Set use: { mcp: { server: 'http://localhost:3000/mcp' } }.",
      );
    this.secrets.push(...Object.values(headers), ...secretsOf(clientCredentials));
    const bearer = wireBearer(options, process.env);
    return PageWire.start({
      servers: typeof server === 'string' ? { default: server } : (server ?? {}),
      endpoint: endpoint === undefined ? undefined : endpointMatcher(endpoint),
      headers: async (url) => {
        const token = await bearer(url);
        if (token === undefined) return headers;
        if (!this.secrets.includes(token)) this.secrets.push(token);
        return { ...headers, authorization: `Bearer ${token}` };
      },
      parent,
      timeoutMs: timeout ?? (this.#isFirefox ? FIREFOX_TIMEOUT_MS : TIMEOUT_MS),
      settleMs: settle ?? SETTLE_MS,
    });
  }
}
