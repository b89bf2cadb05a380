/** The OAuth login for apps: loaded when the app has asked for OAuth. */
import { readCallback, withoutCallback } from '../../auth/callback.ts';
import type { LoginWay } from '../../auth/loginPlan.ts';
import { handOver, openLogin, takeLogins } from '../../auth/loginWindow.ts';
import { errorMessage } from '../../base/format.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
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
  takeLogins(async ({ parameters }) => client.handle.login.finish(parameters));
  const callback = readCallback(new URL(location.href));
  if (!callback || !(await client.handle.login.awaits(callback.state))) return;
  history.replaceState(history.state, '', withoutCallback(new URL(location.href)));
  // In a popup: the page that opened it takes the answer, if it's still there.
  if (await handOver(callback)) {
    close();
    return;
  }
  void client.handle.login.finish(callback.parameters).catch(() => undefined);
}

/** Leaves for the login page, or opens it in a window. With a redirect, the page is gone before this resolves. */
export async function login(
  tab: ServerHandle,
  connection: ConnectionWatch,
  { mode = 'redirect' }: LoginOptions,
): Promise<ConnectionState> {
  if (connection.state.name !== 'needs-login') return connection.settled();
  try {
    // The window is opened before anything is waited for, or the browser would block it.
    await openLogin(mode, () => beginLogin(tab, mode));
  } catch (error) {
    throw new ClientError('login-failed', errorMessage(error));
  }
  return connection.until((state) => state.name !== 'needs-login' && !isOnItsWay(state));
}

/** An app agrees to whatever authorization server its MCP server names: which one that is may take two looks. */
async function beginLogin(tab: ServerHandle, mode: LoginWay): Promise<URL> {
  for (let known: string | undefined; ;) {
    const host = (await tab.login.plan())?.host;
    if (host === undefined) throw new Error('The server has no OAuth metadata.');
    try {
      return await tab.login.begin(mode, { host });
    } catch (error) {
      const next = (await tab.login.plan())?.host;
      if (next === host || known !== undefined) throw error;
      known = host;
    }
  }
}
