/** Says which stream an exchange of the SDK's belongs to, before it is made. */
import type { ExchangeListener, StreamHandle } from '../../wire/exchange.ts';
import { recordSent } from '../exchange/sentMessages.ts';
import { StreamExchange, type Recording } from '../exchange/streamExchange.ts';
import type { Streams } from '../streams/streams.ts';

export interface Router {
  /** @returns nothing for a request that is not to be sent */
  listen(method: string, headers: Headers, body: string | undefined): ExchangeListener | undefined;
  attach(listener: ExchangeListener, handle: StreamHandle): void;
}

export class ExchangeRouter implements Router {
  readonly #recording: Recording;
  readonly #streams: Streams;

  constructor(recording: Recording, streams: Streams) {
    this.#recording = recording;
    this.#streams = streams;
  }

  listen(method: string, headers: Headers, body: string | undefined): ExchangeListener | undefined {
    if (method === 'GET') return this.#listenToGet(headers);
    const { key, callId, request, responseTo } = recordSent(this.#recording, body);
    const connection = this.#streams.posting(key, callId);
    return new StreamExchange(this.#recording, this.#streams, connection, request, responseTo);
  }

  attach(listener: ExchangeListener, handle: StreamHandle): void {
    if (listener instanceof StreamExchange) this.#streams.attach(listener.connection, handle);
  }

  /**
   * `Streams` asks for a stream by its key in the place of a position, so that two streams whose server gives them the
   * same event ids are never mistaken for each other. The SDK's own GET, after the handshake, has neither: it is not sent,
   * because it would not wait for a free connection. `Streams` opens that stream instead.
   */
  #listenToGet(headers: Headers): ExchangeListener | undefined {
    const key = headers.get('last-event-id');
    if (key === null) {
      this.#streams.listen();
      return undefined;
    }
    const connection = this.#streams.listening(key);
    return new StreamExchange(this.#recording, this.#streams, connection, 'stream');
  }
}
