/** How the connection moves from state to state. Pure: the client performs the effects. */
import { assertNever } from '../base/assertNever.ts';
import type { ConnectionState, Failure, ReturnCost } from '../log/connectionState.ts';
import type { Cause, ReasonCode } from '../log/reason.ts';

export type ConnectionEvent =
  | { readonly type: 'connect'; readonly url: string }
  | { readonly type: 'handshake-done' }
  /** A new page load takes up a session, or a new session replaces one that is gone. */
  | ({ readonly type: 'come-back'; readonly now: number } & Cause)
  | { readonly type: 'came-back'; readonly note?: string; readonly reason?: ReasonCode }
  | {
      readonly type: 'restarted';
      readonly note: string;
      readonly reason: ReasonCode;
      readonly cost: ReturnCost;
    }
  | ({ readonly type: 'trouble'; readonly attempt: number; readonly retryAt: number } & Cause)
  | ({ readonly type: 'authorize'; readonly ask: 'login' | 'client' } & Cause)
  | ({ readonly type: 'failed' } & Failure)
  | ({ readonly type: 'disconnected' } & Cause);

export function next(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case 'connect':
      return { name: 'connecting', url: event.url };
    case 'handshake-done':
      return state.name === 'connecting' ? { name: 'connected', how: 'fresh' } : state;
    case 'come-back':
      return { name: 'reconnecting', attempt: 1, retryAt: event.now, ...causeOf(event) };
    case 'came-back':
      return state.name === 'reconnecting' ? cameBack(event) : state;
    case 'restarted':
      if (isEnded(state)) return state;
      return {
        name: 'connected',
        how: 'restarted',
        note: event.note,
        reason: event.reason,
        cost: event.cost,
      };
    case 'trouble':
      // While a handshake is under way there is nothing to come back to yet.
      if (isEnded(state) || state.name === 'connecting' || state.name === 'idle') return state;
      // Nothing is tried again until the person has logged in.
      if (state.name === 'authorizing') return state;
      return {
        name: 'reconnecting',
        attempt: event.attempt,
        retryAt: event.retryAt,
        ...causeOf(event),
      };
    case 'authorize':
      return isEnded(state) ? state : { name: 'authorizing', ...causeOf(event), ask: event.ask };
    case 'failed':
      return { name: 'failed', ...failureOf(event) };
    case 'disconnected':
      return { name: 'disconnected', ...causeOf(event) };
    default:
      return assertNever(event);
  }
}

const causeOf = ({ why, reason }: Cause): Cause => ({ why, reason });

function failureOf({ why, reason, fix, paste, elsewhere }: Failure): Failure {
  return {
    why,
    ...(reason !== undefined && { reason }),
    fix,
    ...(paste !== undefined && { paste }),
    ...(elsewhere !== undefined && { elsewhere }),
  };
}

function cameBack({ note, reason }: ConnectionEvent & { type: 'came-back' }): ConnectionState {
  return {
    name: 'connected',
    how: 'resumed',
    ...(note !== undefined && { note }),
    ...(reason !== undefined && { reason }),
  };
}

/** Nothing that a stream reports late brings an ended connection back. */
function isEnded(state: ConnectionState): boolean {
  return state.name === 'disconnected' || state.name === 'failed';
}
