/** The one error that the public client throws, and how inner errors become it. */
import { tellError, type CommandErrorCode, type RpcError } from '../commandError.ts';

export type ClientErrorCode =
  | CommandErrorCode
  | 'closed'
  /** The connection broke before the server answered. */
  | 'no-answer'
  | 'login-failed';

/** The only error that the client throws, beside TypeError for wrong arguments and the reason of your own signal. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** For `rpc`: the server's JSON-RPC error. */
  readonly rpc: RpcError | undefined;

  constructor(code: ClientErrorCode, message: string, rpc?: RpcError) {
    super(message);
    this.code = code;
    this.rpc = rpc;
  }
}

export const closedError = (): ClientError => new ClientError('closed', 'This client is closed.');

/** What a command has failed with, for the app. What has no code of its own was not answered. */
export function clientErrorOf(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  const { code = 'no-answer', message, rpc } = tellError(error);
  return new ClientError(code, message, rpc);
}
