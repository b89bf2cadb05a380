/** The state of a connection as it's shown: a session that was resumed says what that has recovered. */
import type { ConnectionState } from './connectionState.ts';
import type { ServerState } from './serverState.ts';

export function shownState({
  connection: state,
  recovered,
}: Pick<ServerState, 'connection' | 'recovered'>): ConnectionState {
  return state.name === 'connected' && state.how === 'resumed' ? { ...state, recovered } : state;
}
