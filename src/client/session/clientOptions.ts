/** What the client of one server is made from. */
import type { Implementation } from '@modelcontextprotocol/client';
import type { TokenSource } from '../../auth/tokenSource.ts';
import type { Clock } from '../../base/clock.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { Fetch } from '../../wire/recordingFetch.ts';
import type { Redactor } from '../../wire/redact.ts';
import type { Offers } from '../settings/offers.ts';
import type { Session } from '../link/session.ts';
import type { Credentials } from '../settings/credentials.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { AskSkills } from '../catalog/skills/skillTypes.ts';
import type { Revision } from '../settings/savedServer.ts';
import type { ServerPreferences } from '../settings/preferences.ts';

export interface BrowserMcpClientOptions {
  readonly url: string;
  readonly credentials: Credentials;
  /** Gives the tokens of one connection. */
  readonly tokens: () => Promise<TokenSource>;
  readonly redactor: Redactor;
  readonly session: Session | undefined;
  readonly revision: Revision;
  readonly lists: Catalog;
  readonly preferences: ServerPreferences;
  readonly log: ServerLog;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly budget: ConnectionBudget;
  readonly clientInfo: Implementation;
  readonly offers: Offers;
  /** What of it isn't declared to this server. */
  readonly withheld?: readonly string[] | undefined;
  readonly pageOrigin: string;
  readonly isOnline: () => boolean;
  /** Resolves while the page is not about to be left. */
  readonly whenStaying?: (() => Promise<void>) | undefined;
  /** Aborted as soon as the page is about to be left. */
  readonly untilLeaving?: (() => AbortSignal) | undefined;
  readonly saveSession: (session: Session | undefined) => Promise<void>;
  readonly saveLists: (lists: Catalog) => Promise<void>;
  /** The whole interface of the server was read: what it was before stays known. */
  readonly keepInterface: (lists: Catalog, session: Session) => Promise<void>;
  /** Without it, the server's skills are not asked for. */
  readonly askSkills?: AskSkills | undefined;
  readonly savePreferences: (preferences: ServerPreferences) => Promise<void>;
}
