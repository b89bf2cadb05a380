/** What the views of one server are drawn from: the tab of a live server, or a log that is played. */
import type { ServerHandle } from '../client/inspector/index.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { LogView } from '../log/logView.ts';

type OfTab =
  | 'id'
  | 'name'
  | 'source'
  | 'changed'
  | 'role'
  | 'state'
  | 'session'
  | 'lists'
  | 'preferences'
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

export type ShownServer = Pick<ServerHandle, OfTab> & {
  readonly log: LogView;
  /** The number of the first entry that the page didn't find; none of a log that is played. */
  readonly firstNewSeq?: number;
  readonly login: Pick<ServerHandle['login'], OfLogin>;
  /** Where bars end that have no end yet: the clock's time, unless a log is played. */
  readonly now?: () => number;
};

/** What the page has added before somebody looks at the log: a page that comes back doesn't wait for its views. */
export function newEntries({ log, firstNewSeq = Infinity }: ShownServer): readonly Entry[] {
  return log.tail.filter(({ seq }) => seq >= firstNewSeq);
}
