/** A way over HTTP: what carries the messages, and what records them. The older one is in oldSse/oldSseWire.ts. */
import {
  StreamableHTTPClientTransport,
  type AuthProvider,
  type FetchLike,
} from '@modelcontextprotocol/client';
import type { Reason } from '../../log/reasons/reason.ts';
import type { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { Recording } from '../exchange/streamExchange.ts';
import type { ProtocolDriver } from '../protocol/driver.ts';
import { SessionDriver } from '../protocol/sessionDriver.ts';
import type { EmitLinkEvent } from '../streams/linkEvent.ts';
import type { Streams } from '../streams/streams.ts';
import { ExchangeRouter, type Router } from './exchangeRouter.ts';
import type { Session } from './session.ts';

export type WireTransport = Pick<
  StreamableHTTPClientTransport,
  | 'start'
  | 'send'
  | 'close'
  | 'setProtocolVersion'
  | 'sessionId'
  | 'protocolVersion'
  | 'resumeStream'
  | 'terminateSession'
  | 'onclose'
  | 'onerror'
  | 'onmessage'
>;

export type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

export interface WireTransportOptions {
  readonly url: string;
  readonly fetch: FetchLike;
  readonly authProvider: AuthProvider;
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

/** Reconnection belongs to `Streams`: the SDK would give up after two tries and forget which stream it was. */
const NO_RECONNECTION = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
};

export const STREAMABLE_HTTP: Wire = {
  stored: {},
  mayDiscover: true,
  answersOnPost: true,
  driver: (capabilities = {}) => new SessionDriver(capabilities),
  makeTransport: ({ url, fetch, authProvider, headers, session }) =>
    new StreamableHTTPClientTransport(new URL(url), {
      fetch,
      authProvider,
      ...(headers && { requestInit: { headers: { ...headers } } }),
      reconnectionOptions: NO_RECONNECTION,
      ...(session?.sessionId !== undefined && { sessionId: session.sessionId }),
      ...(session && { protocolVersion: session.protocolVersion }),
    }),
  makeRouter: ({ recording, streams }) => new ExchangeRouter(recording, streams),
};
