/** How the connection moves from state to state. Pure: the client performs the effects. */
import { assertNever } from '../base/assertNever.ts';
import type { ConnectionState, Failure } from '../log/connectionState.ts';

export type ConnectionEvent =
  | { readonly type: 'connect'; readonly url: string }
  | { readonly type: 'handshake-done' }
  /** A new page load takes up a session, or a new session replaces one that is gone. */
  | { readonly type: 'come-back'; readonly why: string; readonly now: number }
  | { readonly type: 'came-back'; readonly note?: string }
  | { readonly type: 'restarted'; readonly note: string }
  | { readonly type: 'trouble'; readonly attempt: number; readonly retryAt: number; readonly why: string }
  | { readonly type: 'authorize'; readonly why: string; readonly ask: 'login' | 'client' }
  | ({ readonly type: 'failed' } & Failure)
  | { readonly type: 'disconnected'; readonly why: string };

export function next(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case 'connect':
      return { name: 'connecting', url: event.url };
    case 'handshake-done':
      return state.name === 'connecting' ? { name: 'connected', how: 'fresh' } : state;
    case 'come-back':
      return { name: 'reconnecting', attempt: 1, retryAt: event.now, why: event.why };
    case 'came-back':
      return state.name === 'reconnecting' ? cameBack(event.note) : state;
    case 'restarted':
      return isEnded(state) ? state : { name: 'connected', how: 'restarted', note: event.note };
    case 'trouble':
      // While a handshake is under way there is nothing to come back to yet.
      if (isEnded(state) || state.name === 'connecting' || state.name === 'idle') return state;
      // Nothing is tried again until the person has logged in.
      if (state.name === 'authorizing') return state;
      return {
        name: 'reconnecting',
        attempt: event.attempt,
        retryAt: event.retryAt,
        why: event.why,
      };
    case 'authorize':
      return isEnded(state) ? state : { name: 'authorizing', why: event.why, ask: event.ask };
    case 'failed':
      return { name: 'failed', ...failureOf(event) };
    case 'disconnected':
      return { name: 'disconnected', why: event.why };
    default:
      return assertNever(event);
  }
}

function failureOf({ why, fix, paste, elsewhere }: Failure): Failure {
  return {
    why,
    fix,
    ...(paste !== undefined && { paste }),
    ...(elsewhere !== undefined && { elsewhere }),
  };
}

function cameBack(note: string | undefined): ConnectionState {
  return { name: 'connected', how: 'resumed', ...(note !== undefined && { note }) };
}

/** Nothing that a stream reports late brings an ended connection back. */
function isEnded(state: ConnectionState): boolean {
  return state.name === 'disconnected' || state.name === 'failed';
}
