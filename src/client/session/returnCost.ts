/** What coming back to a server with a new session has cost. Pure. */
import type { InitializeResult } from '@modelcontextprotocol/client';
import type { ReturnCost } from '../../log/state/connectionState.ts';
import type { EraVerdict } from '../../log/protocol/era.ts';
import { NOTHING_GIVEN_UP } from '../../log/state/givenUp.ts';
import type { ServerState } from '../../log/state/serverState.ts';
import { eraChange } from '../protocol/eraChange.ts';
import { listChanges, type Catalog } from '../catalog/catalog.ts';

/** Of the session that is over. */
export interface Before {
  readonly lists?: Catalog;
  readonly era?: EraVerdict | undefined;
  readonly handshake?: InitializeResult;
}

interface After {
  readonly state: Pick<ServerState, 'era' | 'recovery'>;
  readonly lists: Catalog;
  readonly areRead: boolean;
}

export function returnCost(before: Before, { state, lists, areRead }: After): ReturnCost {
  const era = eraChange(before.era, state.era);
  const changes = before.lists ? listChanges(before.lists, lists) : [];
  // From the log: the page before may have given them up.
  const { calls, questions } = state.recovery.givenUp ?? NOTHING_GIVEN_UP;
  return {
    callsLost: calls.length,
    questionsExpired: questions.length,
    hasLists: areRead,
    ...(era && { era }),
    ...(changes.length > 0 && { changes }),
  };
}
