/** A request from the server that a person must answer: it waits in the inbox, across reloads. */
import type { Reason } from '../reasons/reason.ts';

export interface Question {
  /** The server's JSON-RPC id, as text: what `reprise.answer` takes. */
  readonly id: string;
  /** The id as it was on the wire: a number must be answered with a number. */
  readonly rpcId: string | number;
  /** As in a call: the id, and the name in `window.reprise`. */
  readonly server: string;
  readonly method: string;
  readonly params: object;
  readonly callId?: string;
  readonly askedAt: number;
  /** Asked inside an answer, not by a request: how the answer goes back. */
  readonly via?:
    | { readonly kind: 'round'; readonly key: string }
    | { readonly kind: 'task'; readonly taskId: string; readonly key: string }
    /** Its call has ended for the want of it: nobody waits for an answer, and the call can be made again after it. */
    | { readonly kind: 'required' };
  /** The server asked for it as a task (MCP 2025-11-25): it polls for the answer until the task expires. */
  readonly task?: { readonly taskId: string; readonly expiresAt: number };
  /** An answer is on its way; `reason` as in the change that says so. */
  readonly answering?: { readonly reason?: Reason };
}

/** A question that ended otherwise than by an answer that a person gave it, and is done with. */
export interface ClosedQuestion {
  readonly question: Question;
  readonly at: number;
  readonly reason: Reason;
  /** The server says that what was begun at its address is done. */
  readonly completedAt?: number;
  /** A person has said so, not the server. */
  readonly completedBy?: 'you';
}

/** The requests that are shown to a person; all others are answered by the page. */
export const QUESTION_METHODS: ReadonlySet<string> = new Set([
  'elicitation/create',
  'sampling/createMessage',
]);

/** Answered by the page itself, from the roots that a person has named. */
export const ROOTS_METHOD = 'roots/list';
