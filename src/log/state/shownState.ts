/** The state of a connection as it's shown: a session that was resumed says what that has recovered. */
import type { ConnectionState } from './connectionState.ts';
import type { HeadView } from './headView.ts';

export function shownState({ state, recovered }: Pick<HeadView, 'state' | 'recovered'>): ConnectionState {
  return state.name === 'connected' && state.how === 'resumed' ? { ...state, recovered } : state;
}
