/** Seals what an earlier version stored unencrypted: keys in server URLs, also in the names of records, and sessions. */
import { authOwner } from '../../../auth/authOwner.ts';
import { exclusive } from '../../../base/exclusive.ts';
import { isObject } from '../../../base/json.ts';
import { hasUrlKeys, hideUrlKeys, withoutUrlKeys } from '../../../base/urlKeys.ts';
import { CredentialPlace, type StoreChange } from '../../../storage/credentialPlace.ts';
import { isPlain, SessionPlace, sessionKey } from '../../../storage/sessionPlace.ts';
import type { Store } from '../../../storage/store.ts';
import { canSeal, secretKey, Vault } from '../../../storage/vault.ts';
import { LIST_LOCK, LIST_RECORD } from '../serverDirectory.ts';
import { parseSavedServers, type SavedServer } from '../../settings/savedServer.ts';
import type { UpgradeEnvironment } from './oldStorage.ts';

/** One transaction: a page that dies on the way leaves everything as it was. */
export async function sealStored({ disk, locks, tabTexts }: UpgradeEnvironment): Promise<void> {
  if (!canSeal()) return;
  await exclusive(locks, LIST_LOCK, async () => {
    const list = await disk.get(LIST_RECORD);
    const servers = parseSavedServers(list);
    const changes: StoreChange[] = [];
    for (const server of servers) {
      changes.push(await sealSession(disk, server));
      if (!hasUrlKeys(server.url)) continue;
      const place = new CredentialPlace(disk, tabTexts, server.id);
      changes.push(await place.change((await place.load(server)).credentials, server));
      changes.push(await renameLogin(disk, server.url));
    }
    const set = changes.flatMap((change) => change.set);
    const remove = changes.flatMap((change) => change.remove);
    const isListed = servers.some(({ url }) => hasUrlKeys(url));
    if (set.length + remove.length === 0 && !isListed) return;
    await disk.write([...set, ...(isListed ? [[LIST_RECORD, withoutKeys(list)] as const] : [])], remove);
  });
}

/** Entries that can't be read stay as they are. */
function withoutKeys(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((entry: unknown) =>
    isObject(entry) && typeof entry['url'] === 'string'
      ? { ...entry, url: hideUrlKeys(entry['url']) }
      : entry,
  );
}

async function sealSession(disk: Store, { id }: SavedServer): Promise<StoreChange> {
  const stored = await disk.get(sessionKey(id));
  if (!isPlain(stored)) return { set: [], remove: [] };
  return { set: [[sessionKey(id), await new SessionPlace(disk, id).seal(stored)]], remove: [] };
}

/** A login was stored by the whole URL. What can't be opened is of no use, and its name holds the key. */
async function renameLogin(disk: Store, url: string): Promise<StoreChange> {
  const vault = new Vault(disk);
  const [from, to] = [authOwner(url), authOwner(withoutUrlKeys(url))];
  const names = (await disk.keys()).filter((key) => key.startsWith(secretKey(from)));
  const set: (readonly [string, unknown])[] = [];
  for (const name of names) {
    const slot = name.slice(secretKey(from).length);
    const secret = await vault.get(`${from}${slot}`);
    if (secret === undefined) continue;
    set.push([secretKey(`${to}${slot}`), await vault.seal(`${to}${slot}`, secret)]);
  }
  return { set, remove: names };
}
