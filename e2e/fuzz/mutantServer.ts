/** A server that plays a script: it answers as the standard asks, but for the edits. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { editedText } from './edit.ts';
import { ORIGIN, REQUEST_ID } from './samples.ts';
import { copiesOf, SAMPLE_NAMES, SAMPLES, type SampleName, type Script } from './script.ts';

export interface MutantServer {
  readonly origin: string;
  readonly url: string;
  /** The tools whose calls are answered with something odd, and whether the answer itself is good. */
  readonly calls: ReadonlyMap<string, { readonly isAnswerGood: boolean }>;
  close(): Promise<void>;
}

interface Asked {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: unknown; readonly uri?: unknown; readonly cursor?: unknown };
}

/** Messages that a call is answered with, or that come before its answer. */
const IN_CALLS = SAMPLE_NAMES.filter((name) => /^(result tools\/call|answer|message|frame|HTTP)/.test(name));
const LISTS = {
  'tools/list': ['tools', 'item tool', 'name'],
  'resources/list': ['resources', 'item resource', 'uri'],
  'resources/templates/list': ['resourceTemplates', 'item template', 'uriTemplate'],
  'prompts/list': ['prompts', 'item prompt', 'name'],
} as const;

export async function startMutant(script: Script): Promise<MutantServer> {
  const play = new Play(script);
  const server = createServer((request, response) => {
    play.answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  play.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: play.origin,
    url: `${play.origin}/mcp`,
    calls: new Map(
      [...play.calls].map(([tool, { message }]) => [tool, { isAnswerGood: message.startsWith('message') }]),
    ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Play {
  origin = '';
  /** By the name of the tool that is called for it. */
  readonly calls = new Map<string, { readonly message: SampleName; readonly copy: number }>();
  readonly #script: Script;
  #hasSpoken = false;

  constructor(script: Script) {
    this.#script = script;
    for (const message of IN_CALLS) {
      for (const copy of copiesOf(script.edits, message).keys()) {
        this.calls.set(`call-${this.calls.size}`, { message, copy });
      }
    }
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? '*',
    );
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate, retry-after');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (pathname !== '/mcp') return this.#authorize(pathname, searchParams, response);
    if (this.#script.kind === 'oauth' && request.headers.authorization === undefined) {
      const { header } = JSON.parse(this.#text('oauth challenge')) as { header?: unknown };
      return void response.writeHead(401, { 'www-authenticate': headerText(header) }).end('{}');
    }
    if (request.method === 'GET') return this.#listen(response);
    if (request.method !== 'POST') return void response.writeHead(200).end();
    this.#post(JSON.parse(body) as Asked, response);
  }

  #post(asked: Asked, response: ServerResponse): void {
    const { id, method = '' } = asked;
    if (id === undefined || method === '') return void response.writeHead(202).end();
    const isStateless = this.#script.kind === 'stateless';
    if (!isStateless) response.setHeader('mcp-session-id', 'fuzz-session');
    if (method === 'tools/call') return this.#call(asked, response);
    if (method === 'subscriptions/listen') return this.#listen(response, id);
    const result = this.#resultOf(asked);
    if (
      result === undefined ||
      ((method === 'server/discover') !== isStateless && /^(server|init)/.test(method))
    ) {
      return sendJson(response, answerText(id, '"error":{"code":-32601,"message":"Method not found"}'), 404);
    }
    sendJson(response, answerText(id, `"result":${result}`));
  }

  #resultOf({ method = '', params = {} }: Asked): string | undefined {
    switch (method) {
      case 'tools/list':
      case 'resources/list':
      case 'resources/templates/list':
      case 'prompts/list':
        return this.#list(method, params.cursor !== undefined);
      case 'resources/read':
      case 'prompts/get':
        return this.#text(`result ${method}`, copyIn(params.uri ?? params.name));
      case 'tasks/result':
        return this.#text('result tools/call');
      case 'initialize':
      case 'server/discover':
      case 'completion/complete':
      case 'tasks/list':
      case 'tasks/get':
        return this.#text(`result ${method}`, 0, true);
      default:
        return '{}';
    }
  }

  #list(method: keyof typeof LISTS, isLastPage: boolean): string {
    const [field, item, key] = LISTS[method];
    const page = this.#text(`result ${method}`, 0, true);
    if (isLastPage) return page.replace('"nextCursor":"page-2"', '"a":0');
    const items = [...copiesOf(this.#script.edits, item)].map(([copy, edits]) =>
      editedText({ ...SAMPLES[item], [key]: `file:///${item}-${copy}` }, edits),
    );
    const good = method === 'tools/list' ? [...this.calls.keys()] : this.#readable(method);
    const goods = good.map((name) => JSON.stringify({ ...GOOD[item], [key]: name }));
    return page.replace(`"${field}":[]`, `"${field}":[${[...items, ...goods].join(',')}]`);
  }

  /** What is read for the sake of its odd contents. */
  #readable(method: string): readonly string[] {
    const message = method === 'prompts/list' ? 'result prompts/get' : 'result resources/read';
    if (method === 'resources/templates/list') return [];
    return [...copiesOf(this.#script.edits, message).keys()].map((copy) => `file:///read-${copy}`);
  }

  #call({ id, params = {} }: Asked, response: ServerResponse): void {
    const { message, copy } = this.calls.get(String(params.name)) ?? {};
    if (message === 'HTTP error') return this.#fail(copy ?? 0, response);
    const events: string[] = [];
    const good = answerText(id, '"result":{"content":[{"type":"text","text":"good"}]}');
    if (message === 'frame') events.push(this.#frame(copy ?? 0), eventText('f', good));
    else if (message === 'result tools/call') {
      events.push(eventText('e1', answerText(id, `"result":${this.#text(message, copy)}`)));
    } else if (message?.startsWith('answer')) {
      events.push(eventText('e1', merged({ jsonrpc: '2.0', id }, this.#text(message, copy))));
    } else if (message) {
      // Without an answer to wait for: the question is asked on the standalone stream.
      if (!this.#text(message, copy).includes('"id":')) {
        events.push(eventText('e1', merged({ jsonrpc: '2.0' }, this.#text(message, copy), id)));
      }
      events.push(eventText('e2', good));
    } else events.push(eventText('e1', good));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
  }

  /** The standalone stream, or the one of `subscriptions/listen`: every odd message once. */
  #listen(response: ServerResponse, id?: unknown): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const acknowledged = merged({ jsonrpc: '2.0' }, this.#text('message acknowledged'), id);
    if (id !== undefined) response.write(eventText('a', acknowledged));
    if (this.#hasSpoken) return;
    this.#hasSpoken = true;
    for (const name of SAMPLE_NAMES.filter((one) => one.startsWith('message'))) {
      for (const copy of copiesOf(this.#script.edits, name).keys()) {
        response.write(eventText(`${name}-${copy}`, merged({ jsonrpc: '2.0' }, this.#text(name, copy), id)));
      }
    }
  }

  #fail(copy: number, response: ServerResponse): void {
    const { status, headers, body } = JSON.parse(this.#text('HTTP error', copy)) as Record<string, unknown>;
    const code =
      Number.isInteger(status) && Number(status) >= 200 && Number(status) < 600 ? Number(status) : 500;
    for (const [name, value] of Object.entries(headers ?? {})) {
      if (/^[\w-]+$/.test(name)) response.setHeader(name, headerText(value));
    }
    response.writeHead(code).end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  #frame(copy: number): string {
    const { comment, ...fields } = JSON.parse(this.#text('frame', copy)) as Record<string, unknown>;
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${plainText(value)}`);
    return `: ${plainText(comment)}\n${lines.join('\n')}\n\n`;
  }

  #authorize(path: string, asked: URLSearchParams, response: ServerResponse): void {
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return sendJson(response, this.#text('oauth resource'));
    if (path.startsWith('/.well-known/')) return sendJson(response, this.#text('oauth issuer'));
    if (path === '/register') return sendJson(response, this.#text('oauth registration'), 201);
    if (path === '/token') {
      const isRefused = copiesOf(this.#script.edits, 'oauth token error').size > 0;
      return isRefused
        ? sendJson(response, this.#text('oauth token error'), 400)
        : sendJson(response, this.#text('oauth token'));
    }
    if (path !== '/authorize') return void response.writeHead(404).end();
    const back = new URL(asked.get('redirect_uri') ?? this.origin);
    for (const [name, value] of Object.entries({
      code: 'a-code',
      state: asked.get('state'),
      iss: this.origin,
    })) {
      if (value !== null) back.searchParams.set(name, value);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  /** One copy of a message; where there's only one, all its edits are in it. */
  #text(message: SampleName, copy = 0, isOnly = false): string {
    const copies = copiesOf(this.#script.edits, message);
    const isAlone = isOnly || message.startsWith('oauth') || !copies.has(copy);
    const edits =
      isAlone && (isOnly || message.startsWith('oauth'))
        ? [...copies.values()].flat()
        : (copies.get(copy) ?? []);
    return editedText(SAMPLES[message], edits).replaceAll(ORIGIN, this.origin);
  }
}

const GOOD = {
  'item tool': { inputSchema: { type: 'object' } },
  'item resource': { name: 'read' },
  'item template': { name: 'read' },
  'item prompt': {},
} as const;

const answerText = (id: unknown, rest: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`;
const eventText = (id: string, data: string) => `id: ${id}\ndata: ${data}\n\n`;
const copyIn = (name: unknown) => Number(/-(\d+)$/.exec(typeof name === 'string' ? name : '')?.[1] ?? 0);

/** The fields of an odd message beside those that carry it; a message that's no object is sent as it is. */
function merged(fields: object, odd: string, id: unknown = ''): string {
  const whole = odd.startsWith('{')
    ? `${JSON.stringify(fields).slice(0, -1)}${odd === '{}' ? '' : ','}${odd.slice(1)}`
    : odd;
  return whole.replaceAll(REQUEST_ID, String(id));
}

function sendJson(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

/** Node refuses header values with other characters, before a client could see them. */
function headerText(value: unknown): string {
  return plainText(value)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 4000);
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
