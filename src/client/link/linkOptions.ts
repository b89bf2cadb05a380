/** What the link to a server is made from. */
import type { Implementation, Tool } from '@modelcontextprotocol/client';
import type { TokenSource } from '../../auth/tokenSource.ts';
import type { Clock } from '../../base/clock.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { Fetch } from '../../wire/recordingFetch.ts';
import type { Redactor } from '../../wire/redact.ts';
import type { Credentials } from '../settings/credentials.ts';
import type { CurrentPreferences } from '../settings/currentPreferences.ts';
import type { Offers } from '../settings/offers.ts';
import type { Revision } from '../settings/savedServer.ts';

export interface LinkOptions {
  readonly url: string;
  readonly credentials: Credentials;
  /** Whether to find out how the server wants to be spoken to. */
  readonly revision: Revision;
  /** Gives the tokens of one connection, and renews them; a bearer token that was typed in is sent as it is. */
  readonly tokens: () => Promise<TokenSource>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: ServerLog;
  readonly budget: ConnectionBudget;
  readonly redactor: Redactor;
  readonly clientInfo: Implementation;
  readonly offers: Offers;
  /** What of it isn't declared. */
  readonly withheld?: readonly string[] | undefined;
  /** The roots, the log level and the subscriptions that a server is told of. */
  readonly preferences: Pick<CurrentPreferences, 'value'>;
  readonly toolOf: (name: string) => Tool | undefined;
  /** Resolves while the page is not about to be left. */
  readonly whenStaying?: (() => Promise<void>) | undefined;
  /** Aborted as soon as the page is about to be left. */
  readonly untilLeaving?: (() => AbortSignal) | undefined;
}
