/** Upgrades what an earlier version stored, when a page starts. */
import { reason } from '../../base/words.ts';
import { OLD_LIST, type UpgradeEnvironment } from './oldStorage.ts';

/** @returns what could not be upgraded now, in words */
export async function upgradeIfNeeded(env: UpgradeEnvironment): Promise<readonly string[]> {
  if (!(await hasOldList(env))) return [];
  try {
    const { upgradeStorage } = await import('./upgradeStorage.ts');
    return await upgradeStorage(env);
  } catch (error) {
    return [`Servers of an earlier version can’t be read: ${reason(error)}. They are still stored.`];
  }
}

/** Where the disk can't be read there is nothing to upgrade, and the page says so by itself. */
async function hasOldList({ disk }: UpgradeEnvironment): Promise<boolean> {
  try {
    return (await disk.get(OLD_LIST)) !== undefined;
  } catch {
    return false;
  }
}
