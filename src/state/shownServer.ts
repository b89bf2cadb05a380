/** What the views of one server are drawn from: the tab of a live server, or a log that is played. */
import type { Login } from '../client/serverLogin.ts';
import type { ServerTab } from '../client/serverTab.ts';

type OfTab =
  | 'id'
  | 'name'
  | 'log'
  | 'source'
  | 'changed'
  | 'role'
  | 'state'
  | 'session'
  | 'lists'
  | 'wishes'
  | 'url'
  | 'settings'
  | 'isImported'
  | 'execute'
  | 'interfaces'
  | 'credentials'
  | 'hasSecrets'
  | 'entries'
  | 'newestEntries'
  | 'sharedEntries'
  | 'shared'
  | 'loadResult'
  | 'loadViews'
  | 'saveViews';

type OfLogin = 'grant' | 'plan' | 'begin' | 'refresh' | 'expire' | 'logOut' | 'decline';

export type ShownServer = Pick<ServerTab, OfTab> & {
  readonly login: Pick<Login, OfLogin>;
  /** Where bars end that have no end yet: the clock's time, unless a log is played. */
  readonly now?: () => number;
};
