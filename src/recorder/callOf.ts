/** Which call a message belongs to. */
import { asText } from '../base/asText.ts';
import { objectField, type JsonObject } from '../base/json.ts';
import { parseWireId } from '../log/protocol/wireId.ts';
import { isOpen } from '../log/state/call.ts';
import type { FrameContext } from './frameContext.ts';

/**
 * Progress names its call by its token, wherever it comes (some servers send it on the standalone stream), and an
 * answer by its id; anything else belongs to the call of the stream that it came on, while that is open.
 */
export function callOf(message: JsonObject, context: FrameContext): string | undefined {
  const { callId, calls } = context;
  const token = objectField(message, 'params')?.['progressToken'];
  if (token !== undefined) return typeof token === 'string' && calls.has(token) ? token : undefined;
  const { id } = message;
  if (!isAnswer(message)) {
    const isOwn = id === undefined ? isOfStream(asText(message['method']), context) : !mayBeForeign(context);
    if (!isOwn) return undefined;
    return isOpen(calls.get(callId ?? '') ?? { name: 'lost' }) ? callId : undefined;
  }
  const own = typeof id === 'string' ? parseWireId(id).callId : undefined;
  return own !== undefined && calls.has(own) ? own : undefined;
}

/**
 * A server that mixes streams may bring a notification by GET on any of them. There it belongs to the stream only if the
 * POST of that stream has brought the like. An input request would end with the wrong call, so it gets none.
 */
function isOfStream(method: string, context: FrameContext): boolean {
  const { stream, listens, seen } = context;
  if (!listens) seen.noteOwn(stream, method);
  return !mayBeForeign(context) || seen.hasOwn(stream, method);
}

export function mayBeForeign({ listens, seen }: FrameContext): boolean {
  return listens && seen.mixesStreams;
}

export function isAnswer(message: JsonObject): boolean {
  return message['method'] === undefined && ('result' in message || 'error' in message);
}

/** Did the stream of a POST bring what is of another request, by its own words? A repeated request can be answered with a replay. */
export function isForeign(message: JsonObject | undefined, context: FrameContext): boolean {
  const { stream, callId, listens } = context;
  if (listens || !message) return false;
  const named = namedCall(message);
  return named !== undefined && named !== (callId ?? parseWireId(stream).callId);
}

/** The call that a message names by itself, wherever it comes. */
export function namedCall(message: JsonObject): string | undefined {
  const token = objectField(message, 'params')?.['progressToken'] ?? (isAnswer(message) && message['id']);
  return typeof token === 'string' ? parseWireId(token).callId : undefined;
}
