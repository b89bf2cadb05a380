/** A request from the server that a person must answer: it waits in the inbox, across reloads. */
export interface Question {
  /** The server's JSON-RPC id, as text: what `reprise.answer` takes. */
  readonly id: string;
  /** The id as it was on the wire: a number must be answered with a number. */
  readonly rpcId: string | number;
  readonly server: string;
  readonly method: string;
  readonly params: object;
  readonly callId?: string;
  readonly askedAt: number;
}

/** The requests that are shown to a person; all others are answered by the SDK. */
export const QUESTION_METHODS: ReadonlySet<string> = new Set([
  'elicitation/create',
  'sampling/createMessage',
]);
