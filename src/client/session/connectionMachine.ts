/** How the connection moves from state to state. Pure: the client performs the effects. */
import { assertNever } from '../../base/assertNever.ts';
import type { ConnectionState, Failure, ReturnCost } from '../../log/state/connectionState.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export type ConnectionEvent =
  | { readonly type: 'connect'; readonly url: string }
  | { readonly type: 'handshake-done' }
  /** A new page load takes up a session, or a new session replaces one that is gone. */
  | { readonly type: 'come-back'; readonly now: number; readonly reason: Reason }
  | { readonly type: 'came-back'; readonly reason?: Reason }
  | { readonly type: 'restarted'; readonly reason: Reason; readonly cost: ReturnCost }
  | {
      readonly type: 'trouble';
      readonly attempt: number;
      readonly retryAt: number;
      readonly reason: Reason;
    }
  | { readonly type: 'authorize'; readonly ask: 'login' | 'client'; readonly reason: Reason }
  | ({ readonly type: 'failed' } & Failure)
  | { readonly type: 'disconnected'; readonly reason: Reason };

export function next(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case 'connect':
      return { name: 'connecting', url: event.url };
    case 'handshake-done':
      return state.name === 'connecting' ? { name: 'connected', how: 'fresh' } : state;
    case 'come-back':
      return { name: 'reconnecting', attempt: 1, retryAt: event.now, reason: event.reason };
    case 'came-back':
      return state.name === 'reconnecting' ? cameBack(event) : state;
    case 'restarted':
      if (isEnded(state)) return state;
      return { name: 'connected', how: 'restarted', reason: event.reason, cost: event.cost };
    case 'trouble':
      // While a handshake is under way there is nothing to come back to yet.
      if (isEnded(state) || state.name === 'connecting' || state.name === 'idle') return state;
      // Nothing is tried again until the person has logged in.
      if (state.name === 'authorizing') return state;
      return {
        name: 'reconnecting',
        attempt: event.attempt,
        retryAt: event.retryAt,
        reason: event.reason,
      };
    case 'authorize':
      return isEnded(state) ? state : { name: 'authorizing', reason: event.reason, ask: event.ask };
    case 'failed':
      return { name: 'failed', ...failureOf(event) };
    case 'disconnected':
      return { name: 'disconnected', reason: event.reason };
    default:
      return assertNever(event);
  }
}

function failureOf({ reason, paste, elsewhere, isElsewhereOldSse }: Failure): Failure {
  return {
    reason,
    ...(paste !== undefined && { paste }),
    ...(elsewhere !== undefined && { elsewhere }),
    ...(isElsewhereOldSse !== undefined && { isElsewhereOldSse }),
  };
}

function cameBack({ reason }: ConnectionEvent & { type: 'came-back' }): ConnectionState {
  return { name: 'connected', how: 'resumed', ...(reason && { reason }) };
}

/** Nothing that a stream reports late brings an ended connection back. */
function isEnded(state: ConnectionState): boolean {
  return state.name === 'disconnected' || state.name === 'failed';
}
