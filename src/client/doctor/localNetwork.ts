/** Whether this page may reach local addresses. */
import { isLoopback } from '../../base/localNetwork.ts';

export type AskPermission = (target: URL) => Promise<PermissionState | 'unknown'>;

/** Chrome first had one name for both, then one for each; other browsers know none. */
export const askBrowser: AskPermission = async (target) => {
  for (const name of [isLoopback(target) ? 'loopback-network' : 'local-network', 'local-network-access']) {
    try {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      return state;
    } catch {
      // This browser does not know the permission by that name.
    }
  }
  return 'unknown';
};
