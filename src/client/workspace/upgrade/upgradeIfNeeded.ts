/** Upgrades what an earlier version stored, when a page starts. */
import { loadPart } from '../../../base/loadPart.ts';
import { hasUrlKeys } from '../../../base/urlKeys.ts';
import { errorMessage } from '../../../base/format.ts';
import { isPlain, sessionKey } from '../../../storage/sessionPlace.ts';
import type { Store } from '../../../storage/store.ts';
import { canSeal } from '../../../storage/vault.ts';
import { LIST_RECORD } from '../serverDirectory.ts';
import { parseSavedServers } from '../../settings/savedServer.ts';
import { OLD_LIST, type UpgradeEnvironment } from './oldStorage.ts';

/** @returns what could not be upgraded now, in words */
export async function upgradeIfNeeded(env: UpgradeEnvironment): Promise<readonly string[]> {
  const [hasOldList, hasUnsealed] = await Promise.all([isThere(env.disk), isUnsealed(env.disk)]);
  return [...(hasUnsealed ? await seal(env) : []), ...(hasOldList ? await move(env) : [])];
}

async function move(env: UpgradeEnvironment): Promise<readonly string[]> {
  try {
    const { upgradeStorage } = await loadPart(() => import('./upgradeStorage.ts'));
    return await upgradeStorage(env);
  } catch (error) {
    return [`Servers of an earlier version can’t be read: ${errorMessage(error)}. They are still stored.`];
  }
}

async function seal(env: UpgradeEnvironment): Promise<readonly string[]> {
  try {
    const { sealStored } = await loadPart(() => import('./sealStored.ts'));
    await sealStored(env);
    return [];
  } catch (error) {
    return [`Stored keys and sessions can’t be encrypted: ${errorMessage(error)}. They are still stored.`];
  }
}

/** Where the disk can't be read there is nothing to upgrade, and the page says so by itself. */
async function isThere(disk: Store): Promise<boolean> {
  try {
    return (await disk.get(OLD_LIST)) !== undefined;
  } catch {
    return false;
  }
}

async function isUnsealed(disk: Store): Promise<boolean> {
  try {
    if (!canSeal()) return false;
    const all = parseSavedServers(await disk.get(LIST_RECORD));
    if (all.some(({ url }) => hasUrlKeys(url))) return true;
    return (await disk.getMany(all.map(({ id }) => sessionKey(id)))).some(isPlain);
  } catch {
    return false;
  }
}
