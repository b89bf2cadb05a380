/** A way over HTTP: what carries the messages, and what records them. The older one is in oldSse/oldSseWire.ts. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Reason } from '../../log/reasons/reason.ts';
import type { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { RecordingFetch } from '../../wire/recordingFetch.ts';
import type { Recording } from '../exchange/streamExchange.ts';
import type { ProtocolDriver } from '../protocol/driver.ts';
import { SessionDriver } from '../protocol/sessionDriver.ts';
import type { EmitLinkEvent } from '../streams/linkEvent.ts';
import type { Streams } from '../streams/streams.ts';
import { ExchangeRouter, type Router } from './exchangeRouter.ts';
import type { Session } from './session.ts';
import { StreamableHttpTransport } from './streamableHttpTransport.ts';

export interface WireTransport {
  readonly sessionId: string | undefined;
  readonly protocolVersion: string | undefined;
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  start(): Promise<void>;
  /** Resolves when the server has taken the message. @throws RequestRefused */
  send(message: JSONRPCMessage, options?: SendOptions): Promise<void>;
  setProtocolVersion(version: string): void;
  /** Resolves when the response has begun, whatever it is: the exchange tells the rest. */
  openStream(key: string): Promise<void>;
  terminateSession(): Promise<void>;
  close(): Promise<void>;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestSignal?: AbortSignal;
  /** No more messages come on the connection of this request. */
  readonly onRequestStreamEnd?: () => void;
}

export interface WireTransportOptions {
  readonly url: string;
  readonly fetch: RecordingFetch;
  readonly token: () => Promise<string | undefined>;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly session: Session | undefined;
}

export interface WireRouterOptions {
  readonly recording: Recording;
  readonly streams: Streams;
  readonly budget: ConnectionBudget;
  readonly emit: EmitLinkEvent;
  /** The one stream of the connection is over, and the session with it. */
  readonly onEnded: (reason: Reason) => void;
}

export interface Wire {
  /** What a session is stored with, so that the next page finds the same way. */
  readonly stored: Pick<Session, 'transport'>;
  /** May the server speak 2026-07-28 here? */
  readonly mayDiscover: boolean;
  /** Does an answer come on the connection of its POST? Then it holds a place of the budget. */
  readonly answersOnPost: boolean;
  driver(capabilities?: ConstructorParameters<typeof SessionDriver>[0]): ProtocolDriver;
  makeTransport(options: WireTransportOptions): WireTransport;
  makeRouter(options: WireRouterOptions): Router;
}

export const STREAMABLE_HTTP: Wire = {
  stored: {},
  mayDiscover: true,
  answersOnPost: true,
  driver: (capabilities = {}) => new SessionDriver(capabilities),
  makeTransport: (options) => new StreamableHttpTransport(options),
  makeRouter: ({ recording, streams }) => new ExchangeRouter(recording, streams),
};
