/** Upgrades what an earlier version stored, when a page starts. */
import { loadPart } from '../../../base/loadPart.ts';
import { hasUrlKeys } from '../../../base/urlKeys.ts';
import { errorMessage } from '../../../base/format.ts';
import { isPlain, sessionKey } from '../../../storage/sessionPlace.ts';
import type { Store } from '../../../storage/store.ts';
import { canSeal } from '../../../storage/vault.ts';
import { LIST_RECORD } from '../serverDirectory.ts';
import { parseSavedServers, type SavedServer } from '../../settings/savedServer.ts';
import { OLD_LIST, type UpgradeEnvironment } from './oldStorage.ts';

/** @returns what could not be upgraded now, in words */
export async function upgradeIfNeeded(env: UpgradeEnvironment): Promise<readonly string[]> {
  const [hasOldList, hasUnsealed] = await find(env.disk);
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
async function find(disk: Store): Promise<readonly [hasOldList: boolean, hasUnsealed: boolean]> {
  try {
    const [old, list] = await disk.getMany([OLD_LIST, LIST_RECORD]);
    return [old !== undefined, canSeal() && (await isUnsealed(disk, parseSavedServers(list)))];
  } catch {
    return [false, false];
  }
}

async function isUnsealed(disk: Store, all: readonly SavedServer[]): Promise<boolean> {
  if (all.some(({ url }) => hasUrlKeys(url))) return true;
  return all.length > 0 && (await disk.getMany(all.map(({ id }) => sessionKey(id)))).some(isPlain);
}
