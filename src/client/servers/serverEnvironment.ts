/** What a page gives to each of its servers. */
import type { Implementation } from '@modelcontextprotocol/client';
import type { TokenSource } from '../../auth/tokenSource.ts';
import type { OpenLog } from '../../recorder/serverLog.ts';
import type { LogWriterOptions } from '../../storage/logWriter.ts';
import type { TabTexts } from '../../storage/credentialPlace.ts';
import type { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { KeepInterface } from '../catalog/interface/keepInterface.ts';
import type { AskSkills } from '../catalog/skills/skillTypes.ts';
import type { Offers } from '../settings/offers.ts';
import type { Credentials } from '../settings/credentials.ts';
import type { ResultLimit } from './earlierResults.ts';
import type { Login, LoginEnvironment, ServerLoginOptions } from './serverLogin.ts';
import type { ServerPreferences } from '../settings/preferences.ts';

export interface ServerEnvironment extends LoginEnvironment, LogWriterOptions {
  /** The first part of the names of locks and channels: two apps on one origin must not share them. `reprise` if left out. */
  readonly scope?: string;
  /** Opens the log of a server. */
  readonly openLog: OpenLog;
  readonly makeLogin: (env: LoginEnvironment, options: ServerLoginOptions) => Login;
  /** Keeps the interfaces that a server had. Without it, none is kept. */
  readonly keepInterface?: KeepInterface;
  /** Asks a server for its skills. Without it, nobody can. */
  readonly askSkills?: AskSkills;
  /** What an app gives with each page load, in the place of what is stored. */
  readonly given?: GivenAccess;
  /** What an app wants of every server, in the place of what is stored. */
  readonly preset?: Partial<ServerPreferences>;
  /** How many results of earlier pages are read before the tab is open. One, if left out. */
  readonly resultsAtOpen?: ResultLimit;
  readonly budgetFor: (url: string) => ConnectionBudget;
  /** Opens the channel of a name that all tabs share; `BroadcastChannel` if left out. */
  readonly openChannel?: (name: string) => BroadcastChannel;
  /** What is kept for this tab alone. */
  readonly tabTexts: TabTexts;
  readonly clientInfo: Implementation;
  /** Everything, if left out. */
  readonly offers?: Offers;
  readonly pageOrigin: string;
  readonly isOnline: () => boolean;
  /** For the logs of all servers together. */
  readonly storageLimitBytes?: () => number;
  /** Resolves while the page is not about to be left. */
  readonly whenStaying?: () => Promise<void>;
  /** Aborted as soon as the page is about to be left. */
  readonly untilLeaving?: () => AbortSignal;
  /** When the page before this one was left, if this one is a reload. */
  readonly pageLeftAt?: number | undefined;
  /** Something may have to be ready before a server answers: the embedded demo is a service worker. */
  readonly prepare: (url: string) => Promise<void>;
}

/** Never stored. */
export interface GivenAccess extends Omit<Credentials, 'bearer'> {
  /** Without it, tokens come from the login. */
  readonly tokens?: TokenSource;
}

/** Names the lock and the channel of a server. */
export const placeOf = ({ scope = 'reprise' }: ServerEnvironment, id: string): string =>
  `${scope}/server/${encodeURIComponent(id)}`;
