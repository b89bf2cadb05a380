/** A recorded request as something to paste elsewhere. Secrets were never recorded; placeholders stand for them. */
import { HIDDEN } from '../../base/hidden.ts';
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { hideUrlKeys } from '../../base/urlKeys.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { messageOf } from '../../log/entry/messageOf.ts';

export type CopyFormat = 'curl' | 'fetch' | 'sdk' | 'json-rpc';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Http = Extract<Entry, { kind: 'http' }>;
type Sent = Extract<Entry, { kind: 'sent' }>;

/** Headers that a browser adds by itself, or that mean nothing outside of it. */
const LEFT_OUT = new Set(['user-agent', 'referer', 'origin', 'host', 'content-length']);

/** The request of an HTTP exchange: a POST with what was sent, or a GET that opens a stream. */
export function requestOf(http: Http | undefined, sent: Sent | undefined, url: string): RecordedRequest {
  const headers = http?.requestHeaders ?? {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return {
    method: http?.method ?? 'POST',
    url: (http?.url ?? hideUrlKeys(url)).replace(HIDDEN_VALUE, placeholder),
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
        .map(([name, value]) => [name, withPlaceholder(name, value)]),
    ),
    body: http !== undefined && http.method !== 'POST' ? undefined : sent?.raw,
  };
}

function withPlaceholder(name: string, value: string): string {
  if (name.toLowerCase() === 'authorization') return `${value.split(' ')[0] ?? 'Bearer'} YOUR_TOKEN`;
  if (name.toLowerCase() === 'mcp-session-id') return 'YOUR_SESSION_ID';
  return value.includes(HIDDEN) ? placeholderFor(name) : value;
}

/** A key of the server URL that was hidden. */
const HIDDEN_VALUE = new RegExp(`([^?&=#]*)=[^&#]*${HIDDEN}[^&#]*`, 'g');

function placeholder(_: string, name: string): string {
  return `${name}=${placeholderFor(name)}`;
}

function placeholderFor(name: string): string {
  return `YOUR_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

export function copyAs(format: CopyFormat, request: RecordedRequest): string {
  switch (format) {
    case 'curl':
      return asCurl(request);
    case 'fetch':
      return asFetch(request);
    case 'sdk':
      return asSdk(request);
    case 'json-rpc':
      return request.body === undefined ? '' : JSON.stringify(parse(request.body), undefined, 2);
  }
}

/** RFC 9110, "Tokens": curl reads a header that begins with @ from a file, and such a name is none. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function asCurl({ method, url, headers, body }: RecordedRequest): string {
  const sent = Object.entries(headers).filter(([name]) => TOKEN.test(name));
  // Brackets and braces in a URL would be patterns.
  const literally = /[[\]{}]/.test(url) ? ' -g' : '';
  const verb = /^[A-Z]+$/.test(method) ? method : shellQuote(method);
  return [
    `curl -N${literally} -X ${verb} ${shellQuote(webUrl(url))}`,
    ...sent.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuote(body)}`]),
  ].join(' \\\n  ');
}

/** What begins otherwise would be an option of curl, or a file. */
function webUrl(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `http://${url}`;
}

/** For POSIX sh. No argument of a command can hold a NUL. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`;
}

function asFetch({ method, url, headers, body }: RecordedRequest): string {
  const init = [
    `  method: ${literal(method)},`,
    `  headers: ${indent(literal(headers))},`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(literal(parse(body)))}),`]),
  ];
  return `const response = await fetch(${literal(url)}, {\n${init.join('\n')}\n});\n`;
}

/** What the SDK has a method for. */
const SDK_CALLS: Readonly<Record<string, (params: JsonObject) => string>> = {
  'tools/call': (params) => `client.callTool(${literal(pick(params, ['name', 'arguments']))})`,
  'tools/list': (params) => `client.listTools(${cursorOf(params)})`,
  'resources/list': (params) => `client.listResources(${cursorOf(params)})`,
  'resources/templates/list': (params) => `client.listResourceTemplates(${cursorOf(params)})`,
  'resources/read': (params) => `client.readResource(${literal(pick(params, ['uri']))})`,
  'prompts/list': (params) => `client.listPrompts(${cursorOf(params)})`,
  'prompts/get': (params) => `client.getPrompt(${literal(pick(params, ['name', 'arguments']))})`,
  'completion/complete': (params) =>
    `client.complete(${literal(pick(params, ['ref', 'argument', 'context']))})`,
  'logging/setLevel': (params) =>
    `client.setLoggingLevel(${literal(stringField(params, 'level') ?? 'info')})`,
  ping: () => 'client.ping()',
};

function asSdk({ url, headers, body }: RecordedRequest): string {
  const message = body === undefined ? {} : parse(body);
  const method = stringField(message, 'method') ?? '';
  const params = objectField(message, 'params') ?? {};
  const call = Object.hasOwn(SDK_CALLS, method) ? SDK_CALLS[method]?.(params) : undefined;
  const authorization = Object.hasOwn(headers, 'authorization') ? headers['authorization'] : undefined;
  const options =
    authorization === undefined
      ? ''
      : `, {\n  requestInit: { headers: { authorization: ${literal(authorization)} } },\n}`;
  return [
    "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';",
    '',
    "const client = new Client({ name: 'example', version: '1.0.0' });",
    `const transport = new StreamableHTTPClientTransport(new URL(${literal(url)})${options});`,
    'await client.connect(transport);',
    call === undefined
      ? `// The SDK sends ${method === '' ? 'this request' : `“${literal(method).slice(1, -1)}”`} by itself.`
      : `const result = await ${call};`,
    'await client.close();',
    '',
  ].join('\n');
}

const pick = (params: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(params, name)).map((name) => [name, params[name]]));
const cursorOf = (params: JsonObject): string =>
  Object.hasOwn(params, 'cursor') ? literal(pick(params, ['cursor'])) : '';
const indent = (text: string): string => text.replaceAll('\n', '\n  ');

/** JSON is JavaScript, but for a member named __proto__. Two line separators end a comment, and once ended a string. */
function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
    .replace(/^( *)("__proto__"):/gm, '$1[$2]:')
    .replace(/[\u2028\u2029]/g, (char) => (char === '\u2028' ? '\\u2028' : '\\u2029'));
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export interface PastRequest {
  readonly method: string;
  readonly params: object;
}

/** What could be sent again; a handshake is not, because it would begin another session. */
export function pastRequest(entry: Entry): PastRequest | undefined {
  if (entry.kind === 'call' && entry.change.name === 'sending') {
    const { method = 'tools/call', tool: name, args } = entry.change;
    return { method, params: method === 'resources/read' ? { uri: name } : { name, arguments: args } };
  }
  if (entry.kind !== 'sent' || entry.method === undefined) return undefined;
  if (entry.method === 'initialize' || entry.method.startsWith('notifications/')) return undefined;
  // What goes with one request only, such as its progress token, is made anew; a state is the server's, and used up.
  const {
    _meta,
    requestState: _state,
    inputResponses: _answers,
    ...params
  } = objectField(messageOf(entry), 'params') ?? {};
  return { method: entry.method, params };
}
