/** Small readings of JSON-RPC messages that several parts share. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** The stream id under which the SDK's transport stores what belongs to no request: the standalone GET stream. */
export const STANDALONE_STREAM_ID = '_GET_stream';

/** From this revision on, a stream starts with an event that has an id and no data. */
export const PRIMING_SINCE = '2025-11-25';

export function isResponse(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return 'result' in message || 'error' in message;
}

export function isRequest(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { id: RequestId; method: string } {
  return 'method' in message && 'id' in message;
}

/** Whether a parsed POST body asks for a session. */
export function asksToInitialize(body: unknown): boolean {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.some((message) => isRecord(message) && message['method'] === 'initialize');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

export const sessionNotFound = () => rpcError(404, -32001, 'Session not found');
