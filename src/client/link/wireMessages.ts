/** What both transports do with headers and messages. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../base/json.ts';
import type { WireTransportOptions } from './wires.ts';

/** A person's headers first: what the protocol sets stands above them. */
export async function requestHeaders(
  { headers: given, token }: Pick<WireTransportOptions, 'headers' | 'token'>,
  own: Readonly<Record<string, string>>,
): Promise<Headers> {
  const headers = new Headers({ ...given });
  const bearer = await token();
  if (bearer) headers.set('authorization', `Bearer ${bearer}`);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return headers;
}

/** @returns nothing for what is not JSON-RPC */
export function readMessage(text: string): JSONRPCMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Its members are checked where they are read. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return isObject(value) && value['jsonrpc'] === '2.0';
}
