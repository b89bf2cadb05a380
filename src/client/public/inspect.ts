/** What the client has seen on the wire, for developer tools. */
import type { RepriseClient } from './clientTypes.ts';
import { closedError } from './clientError.ts';
import type { Inspector } from './inspectTypes.ts';
import { LiveClient } from './liveClient.ts';

const ROLES = { undecided: 'undecided', leads: 'leading', follows: 'following' } as const;

/** What the client has seen on the wire, for developer tools. @experimental May change in a minor version. */
export function inspect(client: RepriseClient): Inspector {
  if (!(client instanceof LiveClient)) throw new TypeError('Not a client from openClient().');
  return {
    get tab() {
      return ROLES[client.handle.role];
    },
    // Few apps look at the wire: what reads it is loaded for those that do.
    async *entries(options = {}) {
      yield* (await import('./inspectLog.ts')).entriesOf(client, options);
    },
    async exportLog() {
      if (client.closed.aborted) throw closedError();
      return (await import('../console/exportLog.ts')).exportLog(client.handle);
    },
    stored: () => client.handle.source.flushed(),
  };
}
