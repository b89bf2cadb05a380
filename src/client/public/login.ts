/** The OAuth login for apps: loaded when the app has asked for OAuth. */
import { readCallback, withoutCallback } from '../../auth/callback.ts';
import { openLogin, takeLogins } from '../../auth/loginWindow.ts';
import { reason } from '../../base/words.ts';
import type { ServerTab } from '../serverTab.ts';
import { ClientError } from './clientError.ts';
import type { ConnectionWatch } from './connectionWatch.ts';
import { isPage } from './environment.ts';
import type { LiveClient } from './liveClient.ts';
import type { LoginOptions } from './loginTypes.ts';
import { isOnItsWay } from './publicState.ts';
import type { ConnectionState } from './stateTypes.ts';

/** Takes the answer of the authorization server out of the address, if this server waits for it. */
export async function takeCallback(client: LiveClient): Promise<void> {
  if (!isPage()) return;
  takeLogins(async ({ parameters }) => client.tab.login.finish(parameters));
  const callback = readCallback(new URL(location.href));
  if (!callback || !(await client.tab.login.awaits(callback.state))) return;
  history.replaceState(history.state, '', withoutCallback(new URL(location.href)));
  void client.tab.login.finish(callback.parameters).catch(() => undefined);
}

/** Leaves for the login page, or opens it in a window. With a redirect, the page is gone before this resolves. */
export async function login(
  tab: ServerTab,
  connection: ConnectionWatch,
  { mode = 'redirect' }: LoginOptions,
): Promise<ConnectionState> {
  if (connection.state.name !== 'needs-login') return connection.settled();
  try {
    const plan = await tab.login.plan();
    if (!plan) throw new Error('The server has no OAuth metadata.');
    await openLogin(mode, () => tab.login.begin(mode, { host: plan.host }));
  } catch (error) {
    throw new ClientError('login-failed', reason(error));
  }
  return connection.until((state) => state.name !== 'needs-login' && !isOnItsWay(state));
}
