/** Says which stream an exchange belongs to, before it is made. */
import type { ExchangeListener, StreamHandle } from '../../wire/exchange.ts';
import type { WireRequest } from '../../wire/recordingFetch.ts';
import { recordSent } from '../exchange/sentMessages.ts';
import { StreamExchange, type Recording } from '../exchange/streamExchange.ts';
import type { Streams } from '../streams/streams.ts';

export interface Router {
  listen(request: WireRequest): ExchangeListener;
  attach(listener: ExchangeListener, handle: StreamHandle): void;
}

export class ExchangeRouter implements Router {
  readonly #recording: Recording;
  readonly #streams: Streams;

  constructor(recording: Recording, streams: Streams) {
    this.#recording = recording;
    this.#streams = streams;
  }

  listen({ stream, body }: WireRequest): ExchangeListener {
    if (stream !== undefined) {
      const connection = this.#streams.listening(stream);
      return new StreamExchange(this.#recording, this.#streams, connection, 'stream');
    }
    const { key, callId, request, responseTo } = recordSent(this.#recording, body);
    const connection = this.#streams.posting(key, callId);
    return new StreamExchange(this.#recording, this.#streams, connection, request, responseTo);
  }

  attach(listener: ExchangeListener, handle: StreamHandle): void {
    if (listener instanceof StreamExchange) this.#streams.attach(listener.connection, handle);
  }
}
