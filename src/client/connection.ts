/** One connection to a server, made of the SDK's public parts; the next page load, or a restart, makes another. */
import './withoutEval.ts';
import {
  Client,
  StreamableHTTPClientTransport,
  type InitializeResult,
  type JSONRPCMessage,
  type Result,
} from '@modelcontextprotocol/client';
import { createAuthFetch } from '../auth/authFetch.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import type { KnownClient } from '../auth/oauthProvider.ts';
import { createRecordingFetch, type Fetch } from '../wire/recordingFetch.ts';
import { ExchangeRouter } from './exchangeRouter.ts';
import { ResumableTransport } from './resumableTransport.ts';
import { Streams, type StreamsOptions } from './streams.ts';

export interface Session {
  /** Servers without sessions give none. */
  readonly sessionId?: string;
  readonly protocolVersion: string;
  /** The stored answer to `initialize`, from which the handshake is replayed. */
  readonly handshake: InitializeResult;
}

export interface Credentials extends KnownClient {
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ConnectionOptions extends Omit<StreamsOptions, 'awaits' | 'open' | 'hasSession'> {
  readonly url: string;
  readonly credentials: Credentials;
  /** Gives tokens, and renews them; a bearer token that was typed in is sent as it is. */
  readonly auth: Authorizer;
  readonly fetch: Fetch;
  readonly version: string;
  readonly newId: () => string;
  /** The session to take up; without one a new session is begun. */
  readonly session?: Session;
}

const HANDSHAKE_TIMEOUT_MS = 30_000;

/** Reconnection belongs to `Streams`: the SDK would give up after two tries and forget which stream it was. */
const NO_RECONNECTION = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
};

/** MCP 2025-11-25, Sampling, "Error Handling": the user rejected the request. */
const USER_DECLINED = -1;

export class Connection {
  readonly client: Client;
  readonly streams: Streams;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #transport: ResumableTransport;

  constructor(options: ConnectionOptions) {
    const { url, credentials, session, newId, version, auth } = options;
    const { bearer, headers } = credentials;
    const fetch = createRecordingFetch({
      fetch: bearer === undefined ? createAuthFetch(options.fetch, auth) : options.fetch,
      now: () => options.clock.now(),
      listen: (method, headers, body) => router.listen(method, headers, body),
      onStream: (listener, handle) => {
        router.attach(listener, handle);
      },
    });
    this.#inner = new StreamableHTTPClientTransport(new URL(url), {
      fetch,
      reconnectionOptions: NO_RECONNECTION,
      ...(headers && { requestInit: { headers: { ...headers } } }),
      authProvider: { token: () => (bearer === undefined ? auth.token() : Promise.resolve(bearer)) },
      ...(session?.sessionId !== undefined && { sessionId: session.sessionId }),
      ...(session && { protocolVersion: session.protocolVersion }),
    });
    this.#transport = new ResumableTransport({
      inner: this.#inner,
      newId,
      ...(session && { handshake: session.handshake }),
    });
    const recording = { ...options, awaits: (id: string | number) => this.#transport.awaits(id) };
    this.streams = new Streams({
      ...recording,
      open: (key) => this.#inner.resumeStream(key),
      hasSession: () => this.#inner.sessionId !== undefined,
    });
    const router = new ExchangeRouter(recording, this.streams);
    this.client = new Client(
      { name: 'reprise', title: 'Reprise', version },
      { capabilities: { elicitation: { form: {} }, sampling: {} } },
    );
  }

  /** Shakes hands: on the wire, or with the stored answer. */
  async open(): Promise<Session> {
    await this.client.connect(this.#transport, { timeout: HANDSHAKE_TIMEOUT_MS });
    return this.session;
  }

  get session(): Session {
    const { sessionId, protocolVersion = '' } = this.#inner;
    const instructions = this.client.getInstructions();
    return {
      ...(sessionId !== undefined && { sessionId }),
      protocolVersion,
      handshake: {
        protocolVersion,
        capabilities: this.client.getServerCapabilities() ?? {},
        serverInfo: this.client.getServerVersion() ?? { name: 'unknown', version: '' },
        ...(instructions !== undefined && { instructions }),
      },
    };
  }

  /**
   * A call does not go through the Client: its answer may come to another page than this one, so every call is
   * settled by the log, and the SDK need not parse what it would only hand on. Its id is its progress token as well.
   */
  callTool(callId: string, tool: string, args: object): Promise<void> {
    return this.streams.post(callId, () =>
      this.send({
        jsonrpc: '2.0',
        id: callId,
        method: 'tools/call',
        params: { name: tool, arguments: { ...args }, _meta: { progressToken: callId } },
      }),
    );
  }

  cancel(callId: string, reason: string): Promise<void> {
    return this.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: callId, reason },
    });
  }

  decline(id: string | number, message: string): Promise<void> {
    return this.send({ jsonrpc: '2.0', id, error: { code: USER_DECLINED, message } });
  }

  answer(id: string | number, result: Result): Promise<void> {
    return this.send({ jsonrpc: '2.0', id, result });
  }

  /** Ends the session on the server: for a person who leaves for good, never for a page that is reloaded. */
  terminate(): Promise<void> {
    return this.#inner.terminateSession();
  }

  async close(): Promise<void> {
    this.streams.close();
    await this.client.close();
  }

  private send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message);
  }
}
