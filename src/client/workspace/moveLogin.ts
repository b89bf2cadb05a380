/** Moves the login of a server between the browser and a tab. It stays sealed on the way: the key is the same. */
import { isLoginSecret } from '../../auth/authStore.ts';
import { withoutUrlKeys } from '../../base/urlKeys.ts';
import type { KeepSecrets, StoreChange, TabTexts } from '../../storage/credentialPlace.ts';
import type { Store } from '../../storage/store.ts';
import { TabSecrets } from '../../storage/tabSecrets.ts';
import { secretKey } from '../../storage/vault.ts';

export interface LoginMove {
  readonly id: string;
  readonly url: string;
  readonly to: KeepSecrets;
  /** Another server of the list uses the same login. */
  readonly isShared: boolean;
}

/** @returns what is to be written with the record of the server */
export async function moveLogin(
  store: Store,
  tabTexts: TabTexts,
  { id, url, to, isShared }: LoginMove,
): Promise<StoreChange> {
  const tab = new TabSecrets(tabTexts, id);
  const from = to === 'tab' ? store : tab;
  const loginUrl = withoutUrlKeys(url);
  const names = (await from.keys()).filter((key) => isLoginSecret(key.slice(secretKey('').length), loginUrl));
  const values = await from.getMany(names);
  const records = names.map((name, i) => [name, values[i]] as const);
  if (to === 'tab') {
    await tab.write(records);
    return { set: [], remove: isShared ? [] : names };
  }
  tab.text = undefined;
  return { set: records, remove: [] };
}
