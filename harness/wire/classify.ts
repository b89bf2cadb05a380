/** Which kind of request a page has sent. Pure. */
import { isObject, objectField, stringField, type JsonObject } from '../../src/base/json.ts';
import type { WireExchange } from './model.ts';
import type { RequestKind } from './names.ts';

const KINDS: Readonly<Record<string, RequestKind>> = {
  initialize: 'initialize',
  'server/discover': 'discover',
  'tools/call': 'call',
  'subscriptions/listen': 'listen',
  'notifications/cancelled': 'cancel',
};

export function kindOf(
  method: string,
  headers: Readonly<Record<string, string>>,
  message: JsonObject | undefined,
): RequestKind {
  if (method === 'OPTIONS') return 'preflight';
  if (method === 'DELETE') return 'delete';
  if (method === 'GET') return headers['last-event-id'] === undefined ? 'listen' : 'resume';
  const name = stringField(message, 'method');
  if (name === undefined)
    return message && ('result' in message || 'error' in message) ? 'answer' : 'request';
  const known = KINDS[name];
  if (known) return known;
  if (name.startsWith('tasks/')) return 'task';
  return message && 'id' in message ? 'request' : 'notification';
}

/** The first message of a body: clients may send several at once in old protocol versions. */
export function messageIn(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return isObject(first) ? first : undefined;
  } catch {
    return undefined;
  }
}

export const sessionOf = ({ requestHeaders, responseHeaders }: WireExchange): string | undefined =>
  requestHeaders['mcp-session-id'] ?? responseHeaders['mcp-session-id'];

export type RequestId = string | number;

export function requestIdOf(message: JsonObject | undefined): RequestId | undefined {
  const id = message?.['id'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

export const isResponseTo = (message: JsonObject | undefined, id: RequestId | undefined): boolean =>
  message !== undefined && message['method'] === undefined && id !== undefined && message['id'] === id;

/** A request of the server to its client. */
export const isServerRequest = (message: JsonObject | undefined): boolean =>
  stringField(message, 'method') !== undefined && requestIdOf(message) !== undefined;

export const metaOf = (message: JsonObject | undefined): JsonObject | undefined =>
  objectField(objectField(message, 'params'), '_meta');

const META_VERSION = 'io.modelcontextprotocol/protocolVersion';

export const metaVersionOf = (message: JsonObject | undefined): string | undefined =>
  stringField(metaOf(message), META_VERSION);

/** The protocol version that the server chose in its response to `initialize`. */
export function negotiatedVersion({ message, events }: WireExchange): string | undefined {
  const response = events.find((event) => isResponseTo(event.message, requestIdOf(message)))?.message;
  return stringField(objectField(response, 'result'), 'protocolVersion');
}
