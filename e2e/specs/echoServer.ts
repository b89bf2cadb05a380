/**
 * A server and its authorization server, at two origins. Wherever one of them can say something, it says every secret that
 * is in use, in every encoding. Both record what they are sent.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ENCODINGS } from './secretSearch.ts';

const TOOLS = ['echo', 'crash', 'refuse'].map((name) => ({
  name,
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: { word: { type: 'string', format: 'password' } } },
}));

interface Asked {
  readonly id?: string;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** An origin of its own. */
class Host {
  readonly received: string[] = [];
  origin = '';
  readonly #server: Server;

  constructor(answer: Answer) {
    this.#server = createServer((request, response) => void this.#take(request, response, answer));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    this.received.push(`${method} ${url} ${JSON.stringify(headers)} ${body}`);
    const { origin = '*', 'access-control-request-headers': wanted = '*' } = headers;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-headers', wanted);
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate, x-echo');
    if (method === 'OPTIONS') response.writeHead(204).end();
    else answer(request, body, response);
  }
}

export class EchoServer {
  /** All that must not be found anywhere, by name. */
  readonly secrets: Record<string, string>;
  /** The page can't know what it was never given, so that isn't said. */
  readonly #inUse = new Set<string>();
  readonly server = new Host((request, body, response) => this.#answer(request, body, response));
  readonly issuer = new Host((request, body, response) => this.#authorize(request, body, response));
  readonly #asksForLogin: boolean;
  #tokens = 1;

  constructor({ asksForLogin }: { readonly asksForLogin: boolean }) {
    this.#asksForLogin = asksForLogin;
    this.secrets = {
      'session ID': '5e55101d+1111/4222-8333-0123456789ab',
      ...(asksForLogin && {
        'access token': this.#accessToken,
        'refresh token': 'refresh+token/of-echo-1',
        'authorization code': 'code+of/echo-77',
      }),
    };
  }

  /** Secrets that the user types. */
  expect(typed: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(typed)) {
      this.secrets[name] = value;
      if (name !== 'argument') this.#inUse.add(name);
    }
  }

  /** A page that is loaded again knows only what it needs to go on. */
  pageIsReloaded(): void {
    for (const name of ['argument', 'authorization code', 'PKCE verifier', 'access token']) {
      this.#inUse.delete(name);
    }
  }

  get url(): string {
    return `${this.server.origin}/mcp`;
  }

  async start(): Promise<this> {
    await Promise.all([this.server.start(), this.issuer.start()]);
    return this;
  }

  async close(): Promise<void> {
    await Promise.all([this.server.close(), this.issuer.close()]);
  }

  /** The token that was given is no longer taken: the next request is refused, and a refresh is asked for. */
  expireToken(): void {
    this.#tokens += 1;
  }

  get #accessToken(): string {
    return `access+token/of-echo-${this.#tokens}`;
  }

  get #echo(): string {
    return [...this.#inUse]
      .flatMap((name) => Object.values(ENCODINGS).map((encode) => encode(this.secrets[name] ?? '')))
      .join(' | ');
  }

  #answer(request: IncomingMessage, body: string, response: ServerResponse): void {
    response.setHeader('x-echo', this.#echo);
    if (!request.url?.startsWith('/mcp')) {
      if (request.url === '/.well-known/oauth-protected-resource/mcp' && this.#asksForLogin) {
        sendJson(response, {
          resource: this.url,
          authorization_servers: [this.issuer.origin],
          echo: this.#echo,
        });
      } else sendJson(response, { error: 'not_found', error_description: this.#echo }, 404);
      return;
    }
    if (this.#asksForLogin && request.headers.authorization !== `Bearer ${this.#accessToken}`) {
      const said = this.#echo.replaceAll(/["\\]/g, '');
      response.setHeader('www-authenticate', `Bearer error="invalid_token", error_description="${said}"`);
      response.writeHead(401).end(this.#echo);
    } else if (request.method !== 'POST') response.writeHead(405).end(this.#echo);
    else this.#rpc(JSON.parse(body) as Asked, response);
  }

  #rpc({ id, method, params }: Asked, response: ServerResponse): void {
    if (id === undefined || method === undefined) return void response.writeHead(202).end();
    this.#inUse.add('session ID');
    response.setHeader('mcp-session-id', this.secrets['session ID'] ?? '');
    if (method === 'tools/call') return this.#call(id, params?.name ?? '', response);
    const description = `You sent ${this.#echo}`;
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'echo', version: '1', description },
        instructions: description,
      },
      'tools/list': { tools: TOOLS.map((tool) => ({ ...tool, description })) },
    };
    const result = results[method];
    const error = { code: -32601, message: description, data: { echo: this.#echo } };
    sendJson(response, { jsonrpc: '2.0', id, ...(result ? { result } : { error }) });
  }

  #call(id: string, tool: string, response: ServerResponse): void {
    this.#inUse.add('argument');
    const echo = this.#echo;
    if (tool === 'refuse') return void response.writeHead(400, { 'content-type': 'text/plain' }).end(echo);
    const error = { code: -32000, message: echo, data: { echo } };
    const content = [{ type: 'text', text: echo }];
    const result = { content, structuredContent: { echo, inner: JSON.stringify({ echo }) } };
    const messages = [
      { method: 'notifications/progress', params: { progressToken: id, progress: 1, message: echo } },
      { method: 'notifications/message', params: { level: 'error', logger: echo, data: { echo } } },
      tool === 'crash' ? { id, error } : { id, result },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: not JSON ${echo}\n\n`);
    response.end(
      messages.map((message) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`).join(''),
    );
  }

  #authorize(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { origin } = this.issuer;
    const url = new URL(request.url ?? '/', origin);
    const form = new URLSearchParams(body);
    const verifier = form.get('code_verifier');
    if (verifier !== null) this.secrets['PKCE verifier'] = verifier;
    if (verifier !== null) this.#inUse.add('PKCE verifier').add('authorization code');
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return sendJson(response, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['client_secret_basic'],
          authorization_response_iss_parameter_supported: true,
          op_policy_uri: this.#echo,
        });
      case '/authorize': {
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', this.secrets['authorization code'] ?? '');
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        back.searchParams.set('iss', origin);
        return void response.writeHead(302, { location: back.href }).end();
      }
      case '/token': {
        const name = this.#tokens === 1 ? 'access token' : 'second access token';
        this.secrets[name] = this.#accessToken;
        this.#inUse.add(name).add('refresh token');
        return sendJson(response, {
          access_token: this.#accessToken,
          refresh_token: this.secrets['refresh token'],
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'all',
          echo: { deep: [this.#echo] },
        });
      }
      default:
        return sendJson(response, { error: 'not_found', error_description: this.#echo }, 404);
    }
  }
}

function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
