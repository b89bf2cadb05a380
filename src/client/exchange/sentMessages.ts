/** What is about to leave in a POST: recorded, and told whose it is. */
import { isObject, type JsonObject } from '../../base/json.ts';
import { makesCall, parseWireId } from '../../log/protocol/wireId.ts';
import type { FailedRequest } from './classifyFailure.ts';
import { hideInput } from './hideInput.ts';
import { OUTGOING, type Recording } from './streamExchange.ts';

export interface SentMessage {
  /** The stream that its answer comes on, where it has one of its own. */
  readonly key: string;
  /** The call that this request makes. A request about a task is not its call. */
  readonly callId: string | undefined;
  readonly request: FailedRequest;
  /** The request of the server that this is the response to. */
  readonly responseTo: string | undefined;
}

export function recordSent(recording: Recording, body: string | undefined): SentMessage {
  const { log, redactor } = recording;
  const message = body === undefined ? {} : parseObject(body);
  const { id, method } = message;
  const key = typeof method === 'string' && typeof id === 'string' ? id : OUTGOING;
  const wireId = parseWireId(key);
  const callId = log.state.calls.has(wireId.callId) ? wireId.callId : undefined;
  if (body !== undefined) {
    const bare = hideInput(message, recording);
    const safe = redactor.message(bare, bare === message ? body : JSON.stringify(bare));
    log.append({
      body: {
        kind: 'sent',
        stream: key,
        ...(callId !== undefined && { callId }),
        ...(typeof method === 'string' && { method }),
        raw: safe.raw,
      },
      message: safe.message,
    });
  }
  const isResponse = method === undefined && (typeof id === 'string' || typeof id === 'number');
  return {
    key,
    callId: makesCall(wireId) ? callId : undefined,
    request: requestKind(method),
    responseTo: isResponse ? String(id) : undefined,
  };
}

function requestKind(method: unknown): FailedRequest {
  if (method === 'initialize') return 'initialize';
  if (method === 'server/discover') return 'probe';
  if (method === 'notifications/initialized') return 'initialized';
  return method === 'ping' ? 'ping' : 'post';
}

/** What is sent is an object; a batch would be none of ours. */
function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}
