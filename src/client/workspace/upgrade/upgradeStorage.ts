/**
 * Moves the servers that an earlier version stored by name to keys of their own IDs. Each server is moved by itself, and
 * only while no page of that version holds its lock: such a page goes on to write under the old keys.
 */
import { exclusive } from '../../../base/exclusive.ts';
import { errorMessage } from '../../../base/format.ts';
import { LIST_LOCK } from '../serverDirectory.ts';
import { parseSavedServers, type SavedServer } from '../../settings/savedServer.ts';
import { moveServer } from './moveServer.ts';
import { sealStored } from './sealStored.ts';
import { OLD_LIST, type UpgradeEnvironment } from './oldStorage.ts';

const OLD_LIST_LOCK = 'reprise/servers';
/** After an update all tabs reload together: the locks of the pages before are free within moments. */
const WAIT_MS = 3000;

export async function upgradeStorage(env: UpgradeEnvironment): Promise<readonly string[]> {
  const servers = parseSavedServers(await env.disk.get(OLD_LIST));
  const order = servers.map(({ id }) => id);
  const problems: (string | undefined)[] = [];
  const run = async (server: SavedServer) => {
    problems.push(await moveWhenFree(env, server, order));
  };
  if (env.locks) await Promise.all(servers.map(run));
  // Without locks only the order keeps two moves apart.
  else for (const server of servers) await run(server);
  return problems.filter((problem) => problem !== undefined);
}

/** Goes on waiting for the locks when it has answered: the server appears when it is moved. */
function moveWhenFree(
  env: UpgradeEnvironment,
  { id: oldId, name }: SavedServer,
  order: readonly string[],
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const stopWaiting = env.clock.after(WAIT_MS, () => {
      resolve(
        `“${name}” is open in a tab with an earlier version of Reprise. Close or reload that tab to see it here.`,
      );
    });
    const fail = (error: unknown): void => {
      resolve(`“${name}” can’t be upgraded: ${errorMessage(error)}. Its data is still stored.`);
    };
    // A server could be named so that its lock was the list's.
    const locks = [...new Set([`reprise/${oldId}`, OLD_LIST_LOCK])];
    underLocks(env, locks, async () => {
      stopWaiting();
      await moveServer(env, oldId, order);
      await sealStored(env);
      tellTabs();
      resolve(undefined);
    }).catch(fail);
  });
}

function underLocks(
  env: UpgradeEnvironment,
  [first, ...rest]: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  if (first === undefined) return work();
  return exclusive(env.locks, first, () => underLocks(env, rest, work));
}

function tellTabs(): void {
  const channel = new BroadcastChannel(LIST_LOCK);
  channel.postMessage('changed');
  channel.close();
}
