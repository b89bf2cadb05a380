/** Which entries of a log wake those who wait for activity, and what they are told. Pure. */
import type { ConnectionState } from '../../log/state/connectionState.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { activityOf } from '../../log/entry/entryKinds.ts';
import type { NamedServer } from './withServer.ts';

/** Why a wait for activity is over. */
export type Trigger =
  /** There was something new since the cursor. */
  | { readonly type: 'immediate' }
  | { readonly type: 'timeout' }
  | (NamedServer & ServerTrigger)
  | (NamedServer & {
      readonly type: 'server_added' | 'server_removed' | 'server_renamed' | 'server_moved';
    });

export type ServerTrigger =
  /** `eventType`: the method of a message, `response`, `call` or `question`. */
  | { readonly type: 'event'; readonly eventType: string }
  /** The connection was lost, or ended. */
  | { readonly type: 'server_disconnected'; readonly state: DownState }
  | { readonly type: 'server_connected' | 'server_reconnected' | 'server_restarted' };

type StateName = ConnectionState['name'];
type DownState = Extract<StateName, 'reconnecting' | 'authorizing' | 'disconnected' | 'failed'>;

export interface Waking {
  readonly entry: Entry;
  readonly trigger: ServerTrigger;
}

/** @param before the state before the first of them, if it is known: another attempt to reconnect is no news */
export function wakingAmong(entries: readonly Entry[], before: StateName | undefined): readonly Waking[] {
  const found: Waking[] = [];
  let state = before;
  for (const entry of entries) {
    const trigger = triggerOf(entry, state);
    if (entry.kind === 'state') state = entry.state.name;
    if (trigger) found.push({ entry, trigger });
  }
  return found;
}

/** Log messages and bookkeeping do not wake anybody: they are read on demand. */
function triggerOf(entry: Entry, before: StateName | undefined): ServerTrigger | undefined {
  if (entry.kind === 'state') return entry.state.name === before ? undefined : triggerOfState(entry.state);
  const eventType = activityOf(entry);
  return eventType === undefined ? undefined : { type: 'event', eventType };
}

function triggerOfState(state: ConnectionState): ServerTrigger | undefined {
  switch (state.name) {
    case 'idle':
    case 'connecting':
      return undefined;
    case 'connected':
      return { type: CONNECTED[state.how] };
    case 'reconnecting':
    case 'authorizing':
    case 'disconnected':
    case 'failed':
      return { type: 'server_disconnected', state: state.name };
  }
}

const CONNECTED = {
  fresh: 'server_connected',
  resumed: 'server_reconnected',
  restarted: 'server_restarted',
} as const;
