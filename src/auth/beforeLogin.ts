/** What may be asked on behalf of a server before the user has agreed to log in. Pure. */
import { isLocal } from '../base/localNetwork.ts';

/**
 * A server elsewhere must not use this page to reach this machine or its network. Public https is safe: a service there
 * would need a certificate for the name.
 */
export function mayAskBeforeLogin(server: URL, target: URL): boolean {
  if (target.origin === server.origin || isLocal(server)) return true;
  return target.protocol === 'https:' && !isLocal(target);
}
