/** Says which stream an exchange of the SDK's belongs to, before it is made. */
import { isObject, type JsonObject } from '../base/json.ts';
import { STANDALONE } from '../log/entry.ts';
import { parseWireId, type WireId } from '../log/wireId.ts';
import type { ExchangeListener, StreamHandle } from '../wire/exchange.ts';
import type { FailedRequest } from './classifyFailure.ts';
import { OUTGOING, StreamExchange, type Recording } from './streamExchange.ts';
import type { Streams } from './streams.ts';

export class ExchangeRouter {
  readonly #recording: Recording;
  readonly #streams: Streams;

  constructor(recording: Recording, streams: Streams) {
    this.#recording = recording;
    this.#streams = streams;
  }

  listen(method: string, headers: Headers, body: string | undefined): ExchangeListener {
    if (method === 'GET') return this.#listenToGet(headers);
    const message = body === undefined ? {} : parseObject(body);
    const { id, method: name } = message;
    const key = typeof name === 'string' && typeof id === 'string' ? id : OUTGOING;
    const wireId = parseWireId(key);
    const callId = this.#recording.log.head.calls.has(wireId.callId) ? wireId.callId : undefined;
    if (body !== undefined) this.#recordSent(key, callId, name, body, message);
    // What becomes of a request about a task is not what becomes of its call.
    const stream = this.#streams.posting(key, makesCall(wireId) ? callId : undefined);
    return new StreamExchange(this.#recording, this.#streams, stream, requestKind(name));
  }

  attach(listener: ExchangeListener, handle: StreamHandle): void {
    if (listener instanceof StreamExchange) this.#streams.attach(listener.stream, handle);
  }

  /**
   * `Streams` asks for a stream by its key in the place of a position, so that two streams whose server gives them the
   * same event ids are never mistaken for each other. The SDK's own GET, after the handshake, has neither.
   */
  #listenToGet(headers: Headers): ExchangeListener {
    const stream = this.#streams.listening(headers.get('last-event-id') ?? STANDALONE);
    return new StreamExchange(this.#recording, this.#streams, stream, 'stream');
  }

  #recordSent(
    stream: string,
    callId: string | undefined,
    method: unknown,
    body: string,
    message: JsonObject,
  ): void {
    this.#recording.log.append({
      body: {
        kind: 'sent',
        stream,
        ...(callId !== undefined && { callId }),
        ...(typeof method === 'string' && { method }),
        raw: this.#recording.redactor.text(body),
      },
      message,
    });
  }
}

function makesCall({ followUp }: WireId): boolean {
  return followUp === undefined || followUp === 'round' || followUp === 'retry';
}

function requestKind(method: unknown): FailedRequest {
  if (method === 'initialize') return 'initialize';
  if (method === 'server/discover') return 'probe';
  if (method === 'notifications/initialized') return 'initialized';
  return method === 'ping' ? 'ping' : 'post';
}

/** What the SDK sends is an object; a batch would be none of ours. */
function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}
