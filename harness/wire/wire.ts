/** The recording proxy between pages and MCP servers: a URL for each server, or the proxy of the browser. */
import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { messageIn } from './classify.ts';
import { allowOrigin, isPreflight, preflightHeaders } from './cors.ts';
import { ActiveFault, type FaultEffect, type FaultFilter } from './faults.ts';
import { Gate } from './gate.ts';
import { flatten, HOP_BY_HOP, listen, originOf, readBody, without } from './http.ts';
import type { WireExchange } from './model.ts';
import { passOn, tunnel, type ParentProxy } from './passThrough.ts';
import { Recorder } from './recorder.ts';
import { relayBody, relayStream } from './relay.ts';

export interface WireOptions {
  /** By name. */
  readonly servers: Readonly<Record<string, string>>;
  /** Which requests of the browser are MCP, if the wire is its proxy. */
  readonly endpoint?: ((url: URL) => boolean) | undefined;
  /** Sent to the servers with each request. */
  readonly headers?: ((server: URL) => Promise<Readonly<Record<string, string>>>) | undefined;
  readonly parent?: ParentProxy | undefined;
}

/** Where one server of a wire is. */
interface Route {
  readonly name: string;
  readonly target: URL;
}

export class Wire {
  readonly recorder = new Recorder();
  readonly #options: WireOptions;
  readonly #servers = new Map<string, { readonly server: Server; readonly url: string }>();
  #proxy: { readonly server: Server; readonly url: string } | undefined;
  readonly #gates = new Map<Gate, { readonly closeUpstream: () => void }>();
  readonly #faults: ActiveFault[] = [];
  readonly #ended = new Set<string>();
  #isHeld = false;
  #isOffline = false;
  #parking: Promise<void> | undefined;
  /** HTTPS hosts that the browser reached through the proxy. */
  readonly tunnels = new Set<string>();

  static async start(options: WireOptions): Promise<Wire> {
    const wire = new Wire(options);
    for (const [name, address] of Object.entries(options.servers)) {
      const target = new URL(address);
      const server = await listen((request, response) => wire.#accept(request, response, { name, target }));
      wire.#servers.set(name, { server, url: `${originOf(server)}${target.pathname}${target.search}` });
    }
    if (options.endpoint) {
      const server = await listen((request, response) => wire.#acceptProxied(request, response));
      server.on('connect', (request: IncomingMessage, client, head: Buffer) => {
        wire.tunnels.add(request.url ?? '');
        tunnel(request, client, head, options.parent);
      });
      wire.#proxy = { server, url: originOf(server) };
    }
    return wire;
  }

  private constructor(options: WireOptions) {
    this.#options = options;
  }

  get names(): readonly string[] {
    return [...this.#servers.keys()];
  }

  urlOf(name: string): string | undefined {
    return this.#servers.get(name)?.url;
  }

  /** For the `proxy` option of a browser context. */
  get proxyUrl(): string | undefined {
    return this.#proxy?.url;
  }

  get faults(): readonly ActiveFault[] {
    return this.#faults;
  }

  addFault(effect: FaultEffect, filter: FaultFilter): ActiveFault {
    const fault = new ActiveFault(effect, filter);
    this.#faults.push(fault);
    return fault;
  }

  openGates(server?: string): readonly Gate[] {
    return [...this.#gates.keys()].filter(
      (gate) => gate.isOpen && (server === undefined || gate.exchange.server === server),
    );
  }

  /** From now on, pages get nothing of any response. The connections stay open. */
  hold(): void {
    this.#isHeld = true;
    for (const gate of this.#gates.keys()) gate.hold();
  }

  release(): void {
    this.#isHeld = false;
    for (const gate of this.#gates.keys()) gate.release();
  }

  /** New requests wait until the returned function is called: it isn't known yet which page has sent them. */
  park(): () => void {
    let release = (): void => undefined;
    this.#parking = new Promise((resolve) => (release = resolve));
    return () => {
      this.#parking = undefined;
      release();
    };
  }

  /** Breaks every connection of the pages, and refuses new ones. The servers don't notice until the returned function is called. */
  goOffline(): () => void {
    this.#isOffline = true;
    for (const gate of this.#gates.keys()) {
      this.recorder.end(gate.exchange, 'wire');
      gate.abandon();
      gate.cut();
    }
    const kept = [...this.#gates.values()];
    return () => {
      this.#isOffline = false;
      for (const { closeUpstream } of kept) closeUpstream();
    };
  }

  /** Every session so far gets 404 from now on. */
  endSessions(server?: string): void {
    for (const exchange of this.recorder.exchanges) {
      if (server !== undefined && exchange.server !== server) continue;
      const id = exchange.responseHeaders['mcp-session-id'];
      if (id !== undefined) this.#ended.add(id);
    }
  }

  async close(): Promise<void> {
    for (const fault of this.#faults) fault.end();
    const servers = [...this.#servers.values(), ...(this.#proxy ? [this.#proxy] : [])];
    for (const { closeUpstream } of this.#gates.values()) closeUpstream();
    await Promise.all(
      servers.map(async ({ server }) => {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
  }

  #accept(request: IncomingMessage, response: ServerResponse, route: Route): void {
    const url = new URL(request.url ?? '/', route.target);
    // Not `//host/path`: the wire leads to one server.
    const target = new URL(`${url.pathname}${url.search}`, route.target);
    const isMcp = target.pathname === route.target.pathname;
    const shown = `http://${request.headers.host ?? ''}${request.url ?? ''}`;
    if (isMcp) void this.#exchange(request, response, { ...route, target }, shown);
    else if (this.#isOffline) request.socket.destroy();
    else passOn(request, response, target, { addCors: true });
  }

  #acceptProxied(request: IncomingMessage, response: ServerResponse): void {
    const { endpoint, servers, parent } = this.#options;
    const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
    if (!url) return void response.writeHead(400).end();
    if (endpoint?.(url) !== true) return passOn(request, response, url, { parent });
    const [name = 'default'] = Object.keys(servers);
    const given = Object.values(servers)[0];
    const target = given === undefined ? url : new URL(given);
    void this.#exchange(request, response, { name, target }, url.href);
  }

  async #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    { name, target }: Route,
    shown: string,
  ): Promise<void> {
    const method = request.method ?? 'GET';
    const headers = flatten(request.headers);
    const parking = this.#parking;
    const body = await readBody(request);
    if (body === undefined) return;
    const message = method === 'POST' ? messageIn(body.toString()) : undefined;
    const exchange = this.recorder.begin({
      server: name,
      method,
      url: shown,
      requestHeaders: headers,
      message,
    });
    const gate = new Gate(exchange, response, this.recorder);
    response.on('close', () => {
      if (!response.writableFinished) this.recorder.end(exchange, 'page');
    });
    if (parking) await this.#wait(exchange, response, parking);
    if (response.destroyed) return;
    if (this.#isOffline) return void request.socket.destroy();
    if (await this.#refused(exchange, response, headers)) return;
    await this.#forward(exchange, gate, response, { method, headers, body, target });
  }

  /** Waits until it's known whether the old page or the new one has sent a request. */
  async #wait(exchange: WireExchange, response: ServerResponse, parking: Promise<void>): Promise<void> {
    const asksFor = exchange.requestHeaders['access-control-request-method'];
    const isGoodbye = exchange.kind === 'delete' || exchange.kind === 'cancel' || asksFor === 'DELETE';
    exchange.onLeave = isGoodbye;
    await Promise.race([parking, once(response, 'close')]);
    // What the browser gives up was sent by the page that closed.
    if (response.destroyed) exchange.onLeave = true;
  }

  async #refused(
    exchange: WireExchange,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const respond = (status: number, extra: Record<string, string> = {}): true => {
      this.#answer(exchange, response, { status, extra, message: `HTTP ${status}, sent by mcpWire` });
      return true;
    };
    const session = headers['mcp-session-id'];
    if (session !== undefined && this.#ended.has(session)) return respond(404);
    const fault = this.#faults.find((one) => one.effect.name === 'refuse' && one.concerns(exchange));
    if (fault?.effect.name !== 'refuse') return false;
    fault.hits += 1;
    const { status, retryAfter } = fault.effect;
    if (status !== undefined)
      return respond(status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
    this.recorder.end(exchange, 'wire');
    response.socket?.resetAndDestroy();
    return true;
  }

  async #addedHeaders(target: URL): Promise<Readonly<Record<string, string>> | Error> {
    try {
      return (await this.#options.headers?.(target)) ?? {};
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Responds in the place of the server. */
  #answer(
    exchange: WireExchange,
    response: ServerResponse,
    { status, message, extra = {} }: { status: number; message: string; extra?: Record<string, string> },
  ): void {
    const headers = { 'content-type': 'application/json', ...allowOrigin(exchange.requestHeaders), ...extra };
    this.recorder.head(exchange, status, headers);
    this.recorder.end(exchange, 'wire');
    const text = { jsonrpc: '2.0', id: null, error: { code: -32000, message } };
    response.writeHead(status, headers).end(JSON.stringify(text));
  }

  async #forward(
    exchange: WireExchange,
    gate: Gate,
    response: ServerResponse,
    {
      method,
      headers,
      body,
      target,
    }: { method: string; headers: Record<string, string>; body: Buffer; target: URL },
  ): Promise<void> {
    const added = method === 'OPTIONS' ? {} : await this.#addedHeaders(target);
    if (added instanceof Error) {
      this.recorder.note(`The wire can't log in to the server, so it sent nothing. ${added.message}`);
      return this.#answer(exchange, response, { status: 502, message: added.message });
    }
    if (response.destroyed) return;
    const onward = {
      ...without(headers, [...HOP_BY_HOP, 'host', 'accept-encoding', 'content-length']),
      ...added,
    };
    const upstream = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
      method,
      headers: { ...onward, ...(body.length > 0 && { 'content-length': String(body.length) }) },
      agent: false,
    });
    exchange.isForwarded = true;
    this.#gates.set(gate, { closeUpstream: () => upstream.destroy() });
    upstream.on('close', () => {
      if (response.destroyed || response.writableEnded) this.#gates.delete(gate);
    });
    response.on('close', () => {
      // The server must not notice that a page is offline, until the network is back.
      if (!this.#isOffline) {
        upstream.destroy();
        this.#gates.delete(gate);
      }
    });
    upstream.on('error', () => {
      this.recorder.end(exchange, 'server');
      if (!response.headersSent && exchange.status === 0) response.socket?.destroy();
      else response.destroy();
    });
    upstream.on('response', (answer) => void this.#respond(exchange, gate, response, answer, headers));
    upstream.end(body);
  }

  async #respond(
    exchange: WireExchange,
    gate: Gate,
    response: ServerResponse,
    answer: IncomingMessage,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const given = flatten(answer.headers);
    const hasCors = given['access-control-allow-origin'] !== undefined;
    const added = hasCors ? {} : isPreflight(exchange) ? preflightHeaders(headers) : allowOrigin(headers);
    if (Object.keys(added).length > 0)
      this.recorder.note(
        'The server sends no CORS headers, and the wire adds them. Without the wire, the browser blocks your page.',
      );
    const status = !hasCors && isPreflight(exchange) ? 204 : (answer.statusCode ?? 502);
    const isStream = given['content-type']?.includes('text/event-stream') ?? false;
    this.recorder.head(exchange, status, given);
    answer.on('error', () => undefined);
    answer.on('close', () => this.recorder.end(exchange, 'server'));
    await this.#spoil(exchange, gate);
    if (this.#isHeld) gate.hold();
    const sent = { ...without(given, [...HOP_BY_HOP, 'content-length']), ...added };
    if (!response.destroyed) {
      response.writeHead(status, sent);
      if (isStream) response.flushHeaders();
    }
    try {
      if (isStream) await relayStream(answer, exchange, gate, this.recorder);
      else await relayBody(answer, exchange, gate, this.recorder);
      gate.end();
    } catch {
      // The server, or the page, has broken it off.
      response.destroy();
    }
  }

  #hasCut(fault: ActiveFault): void {
    fault.hits += 1;
    const at = this.recorder.now();
    this.recorder.interruptions.push({ kind: 'cut', at, backAt: at });
  }

  async #spoil(exchange: WireExchange, gate: Gate): Promise<void> {
    for (const fault of this.#faults.filter(
      (one) => one.effect.name !== 'refuse' && one.concerns(exchange),
    )) {
      const { effect } = fault;
      if (effect.name === 'cut') gate.cutAfter(effect.afterMessages, () => this.#hasCut(fault));
      else fault.hits += 1;
      if (effect.name === 'holdHead') await fault.ended;
      if (effect.name === 'delay' && effect.part === 'events') gate.delay(effect.ms);
      if (effect.name === 'delay' && effect.part === 'head')
        await new Promise((resolve) => setTimeout(resolve, effect.ms));
    }
    if (this.#faults.length > 0) this.recorder.changed();
  }
}
