/** The body of a POST, read into what is sent on and what is waited for. */
import { createHash } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isRequestId, requestIdOf } from './calls.ts';
import { isJsonRecord, type JsonRecord, type Outgoing } from './upstream.ts';

export interface Incoming {
  readonly outgoing: Outgoing;
  readonly requests: readonly JsonRecord[];
  readonly ids: readonly RequestId[];
  /** Stands for the whole body. */
  readonly digest: string;
}

export function readIncoming(headers: Headers, body: unknown, text: string): Incoming {
  const messages = (Array.isArray(body) ? body : [body]).filter(isJsonRecord);
  const requests = messages.filter((message) => requestIdOf(message) !== undefined);
  return {
    outgoing: { messages, texts: textsOf(messages, body, text), headers },
    requests,
    ids: requests.flatMap((request) => requestIdOf(request) ?? []),
    digest: createHash('sha256').update(text).digest('base64'),
  };
}

/** One message passes as it was written, if that is one line. */
function textsOf(messages: readonly JsonRecord[], body: unknown, text: string): readonly string[] {
  if (Array.isArray(body) || /[\r\n]/.test(text)) return messages.map((message) => JSON.stringify(message));
  return [text];
}

/** The `initialize` among the requests, and the version that it asks for. */
export function initializeIn(
  requests: readonly JsonRecord[],
): { readonly id: RequestId | undefined; readonly version: string } | undefined {
  const initialize = requests.find(({ method }) => method === 'initialize');
  if (!initialize) return undefined;
  const version = isJsonRecord(initialize['params']) ? initialize['params']['protocolVersion'] : undefined;
  return { id: requestIdOf(initialize), version: typeof version === 'string' ? version : '' };
}

/** The error of `initialize`, with the versions that a server of 2026-07-28 names. */
export function readRejection(error: unknown): {
  readonly message: string;
  readonly versions: readonly string[];
} {
  const { message, data } = isJsonRecord(error) ? error : {};
  const supported = isJsonRecord(data) ? data['supported'] : undefined;
  return {
    message: typeof message === 'string' ? message : 'no reason given',
    versions: Array.isArray(supported) ? supported.filter((one) => typeof one === 'string') : [],
  };
}

/** The request that a notification cancels. */
export function cancelledBy({ method, params }: JsonRecord): RequestId | undefined {
  if (method !== 'notifications/cancelled' || !isJsonRecord(params)) return undefined;
  const id = params['requestId'];
  return isRequestId(id) ? id : undefined;
}
