/** A Client of the SDK over a connection that is open already, for the SDK's own clients of extensions. */
import {
  Client,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Transport,
} from '@modelcontextprotocol/client';
import { RpcError } from '../../link/peer.ts';
import type { SkillsConnection } from './skillTypes.ts';

/** Requests leave with the name and the capabilities of the connection. */
const UNSEEN = { name: 'reprise', version: '' };

export async function sdkClient(connection: SkillsConnection): Promise<Client> {
  const { discover } = connection.session;
  const client = new Client(UNSEEN);
  const prior = discover && ({ prior: { kind: 'modern', discover } } as const);
  await client.connect(new OpenTransport(connection), { ...prior });
  return client;
}

/** The handshake is answered with the one that the connection has had; requests are made by the connection. */
class OpenTransport implements Transport {
  onmessage?: Transport['onmessage'];
  readonly #connection: SkillsConnection;

  constructor(connection: SkillsConnection) {
    this.#connection = connection;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!isJSONRPCRequest(message)) return;
    const { id } = message;
    const answer = isInitializeRequest(message)
      ? { result: this.#connection.session.handshake }
      : await this.#ask(message);
    this.onmessage?.({ jsonrpc: '2.0', id, ...answer });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #ask({ method, params }: JSONRPCRequest) {
    try {
      return { result: await this.#connection.peer.request(method, params) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, data } = error;
      return { error: { code, message, data } };
    }
  }
}
