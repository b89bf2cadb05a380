/** The SDK's two HTTP transports, made alike. */
import {
  StreamableHTTPClientTransport,
  type AuthProvider,
  type FetchLike,
} from '@modelcontextprotocol/client';
import type { Session } from './session.ts';
import { OldSseTransport } from './oldSse/oldSseTransport.ts';

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
  readonly isOldSse: boolean;
  readonly fetch: FetchLike;
  readonly authProvider: AuthProvider;
  readonly headers?: Readonly<Record<string, string>>;
  readonly session?: Session;
}

/** Reconnection belongs to `Streams`: the SDK would give up after two tries and forget which stream it was. */
const NO_RECONNECTION = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
};

export function makeTransport(options: WireTransportOptions): WireTransport {
  const { fetch, authProvider, headers, session } = options;
  const url = new URL(options.url);
  const common = { fetch, authProvider, ...(headers && { requestInit: { headers: { ...headers } } }) };
  if (options.isOldSse) return new OldSseTransport(url, common);
  return new StreamableHTTPClientTransport(url, {
    ...common,
    reconnectionOptions: NO_RECONNECTION,
    ...(session?.sessionId !== undefined && { sessionId: session.sessionId }),
    ...(session && { protocolVersion: session.protocolVersion }),
  });
}
