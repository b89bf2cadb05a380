/** A server as `reprise.servers()` shows it. */
import type { BridgeMark } from '../../base/bridgeContract.ts';
import { hideUrlKeys } from '../../base/urlKeys.ts';
import type { ConnectionError } from '../../log/state/lastConnection.ts';
import { tellState, type ToldState } from '../../log/reasons/told.ts';
import type { SavedServer } from '../settings/savedServer.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { withServer, type NamedServer } from './withServer.ts';

export interface ServerInfo extends NamedServer, Pick<SavedServer, 'addedAt' | 'addedBy'> {
  /** Without its secrets. */
  readonly url: string;
  readonly isSelected: boolean;
  readonly state: ToldState;
  /** Of the session that is stored, if there is one. */
  readonly protocolVersion?: string;
  /** When a connection was last established. */
  readonly lastConnectedAt?: number;
  readonly lastError?: ConnectionError;
  /** Behind a bridge: what the bridge gives isn't the server's own. */
  readonly bridge?: BridgeMark;
}

export function describeServer(
  tab: ServerHandle,
  isSelected: boolean,
  added: Pick<SavedServer, 'addedAt' | 'addedBy'>,
): ServerInfo {
  const protocolVersion = tab.session?.protocolVersion;
  const { lastConnectedAt, lastError } = tab.log.state.lastConnection;
  const { bridge } = tab.log.state;
  return withServer(tab, {
    url: hideUrlKeys(tab.url),
    isSelected,
    state: tellState(tab.state),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...added,
    ...(lastConnectedAt !== undefined && { lastConnectedAt }),
    ...(lastError && { lastError }),
    ...(bridge && { bridge }),
  });
}
