/** Why a command could not be carried out: with a code that also reaches the tab that asked for it. */
import { isObject, numberField, stringField } from '../base/json.ts';
import { errorMessage } from '../base/format.ts';

export type CommandErrorCode =
  | 'not-connected'
  /** An open call has this key, with another tool or other arguments. */
  | 'key-in-use'
  | 'call-open'
  | 'no-such-question'
  /** The server answered with a JSON-RPC error. */
  | 'rpc'
  /** The tab that owns the connection does not respond. */
  | 'other-tab';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An error as it goes from tab to tab. */
export interface ToldError {
  readonly message: string;
  readonly code?: CommandErrorCode;
  readonly rpc?: RpcError;
}

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;
  readonly rpc: RpcError | undefined;

  constructor(code: CommandErrorCode, message: string, rpc?: RpcError) {
    super(message);
    this.code = code;
    this.rpc = rpc;
  }
}

/** What any error says to whoever gave the command. A JSON-RPC error has a number as its code. */
export function tellError(error: unknown): ToldError {
  const message = errorMessage(error);
  if (error instanceof CommandError)
    return { message, code: error.code, ...(error.rpc && { rpc: error.rpc }) };
  const code = numberField(error, 'code');
  if (!(error instanceof Error) || code === undefined) return { message };
  const data = (error as { readonly data?: unknown }).data;
  return { message, code: 'rpc', rpc: { code, message, ...(data !== undefined && { data }) } };
}

/** The error that another tab has told of. */
export function errorOf(told: unknown): Error {
  const message = stringField(told, 'message') ?? '';
  const { code, rpc } = (isObject(told) ? told : {}) as Partial<ToldError>;
  return code === undefined ? new Error(message) : new CommandError(code, message, rpc);
}
