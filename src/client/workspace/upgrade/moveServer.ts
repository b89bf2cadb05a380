/** Moves one server from keys with its name to keys with its ID. It can be begun again after it was broken off. */
import { ulid } from '../../../base/ulid.ts';
import { exclusive } from '../../../base/exclusive.ts';
import { isObject } from '../../../base/json.ts';
import { credentialOwner } from '../../../storage/credentialPlace.ts';
import { damagedKey, logIndexKey, segmentKey, serverPrefix } from '../../../storage/records.ts';
import type { Store } from '../../../storage/store.ts';
import { secretKey, Vault } from '../../../storage/vault.ts';
import { LIST_LOCK, LIST_RECORD } from '../serverDirectory.ts';
import { freeName, parseSavedServers, type SavedServer } from '../../settings/savedServer.ts';
import { OLD_LIST, type UpgradeEnvironment } from './oldStorage.ts';

/** Cloning more than this in one go would hold up the page. */
const SEGMENTS_AT_ONCE = 16;

type Moves = readonly (readonly [from: string, to: string])[];

/** @param order of the servers as the earlier version had them */
export async function moveServer(
  { disk, locks }: UpgradeEnvironment,
  oldId: string,
  order: readonly string[],
): Promise<void> {
  const old = parseSavedServers(await disk.get(OLD_LIST)).find(({ id }) => id === oldId);
  // Another tab was quicker.
  if (!old) return;
  const planKey = `upgrade/${encodeURIComponent(oldId)}`;
  const id = await plannedId(disk, planKey);
  const keys = await disk.keys();
  const segments = segmentMoves(oldId, id, keys);
  // A segment that no index knows of does not exist yet: it can be copied before everything else is moved at once.
  for (let i = 0; i < segments.length; i += SEGMENTS_AT_ONCE) {
    await disk.write(await copies(disk, segments.slice(i, i + SEGMENTS_AT_ONCE)));
  }
  const rest = otherMoves(oldId, id, keys);
  const session = await sessionMove(disk, old, id);
  const secret = await secretMove(disk, old, id);
  await exclusive(locks, LIST_LOCK, async () => {
    const all = parseSavedServers(await disk.get(LIST_RECORD));
    const record: SavedServer = { ...old, id, name: freeName(old.name, all), formerId: oldId };
    const list = await oldListWithout(disk, oldId);
    await disk.write(
      [
        ...(await copies(disk, rest)),
        ...session.set,
        ...secret.set,
        [LIST_RECORD, placed(all, record, order)],
        ...(list.length > 0 ? [[OLD_LIST, list] as const] : []),
      ],
      [
        ...[...segments, ...rest].map(([from]) => from),
        ...session.remove,
        ...secret.remove,
        planKey,
        ...(list.length > 0 ? [] : [OLD_LIST]),
      ],
    );
  });
}

/** Stored before anything is copied: a second try must not leave the copies of the first behind. */
async function plannedId(disk: Store, planKey: string): Promise<string> {
  const planned = await disk.get(planKey);
  if (typeof planned === 'string') return planned;
  const id = ulid();
  await disk.write([[planKey, id]]);
  return id;
}

/** Before the servers that came after it, if they were moved first. */
function placed(
  all: readonly SavedServer[],
  record: SavedServer,
  order: readonly string[],
): readonly SavedServer[] {
  const later = new Set<string | undefined>(order.slice(order.indexOf(record.formerId ?? '') + 1));
  const at = all.findIndex(({ formerId }) => later.has(formerId));
  return at < 0 ? [...all, record] : [...all.slice(0, at), record, ...all.slice(at)];
}

function segmentMoves(oldId: string, id: string, keys: readonly string[]): Moves {
  const prefix = `log/${oldId}/segment/`;
  return keys.flatMap((key) => {
    const n = key.startsWith(prefix) ? key.slice(prefix.length) : '';
    return /^\d+$/.test(n) ? [[key, segmentKey(id, Number(n))] as const] : [];
  });
}

/** By their whole keys: by its beginning, a key may belong to another server. */
function otherMoves(oldId: string, id: string, keys: readonly string[]): Moves {
  const damaged = keys.flatMap((key) => {
    const name = key.startsWith(`damaged/${oldId}/`) ? key.slice(`damaged/${oldId}/`.length) : '';
    return /^(head|segment-\d+)$/.test(name) ? [[key, damagedKey(id, name)] as const] : [];
  });
  const beside = ['lists', 'wishes'].map(
    (name) => [`server/${oldId}/${name}`, `${serverPrefix(id)}${name}`] as const,
  );
  return [[`log/${oldId}/head`, logIndexKey(id)] as const, ...damaged, ...beside].filter(([from]) =>
    keys.includes(from),
  );
}

async function copies(disk: Store, moves: Moves): Promise<readonly (readonly [string, unknown])[]> {
  const values = await disk.getMany(moves.map(([from]) => from));
  return moves.map(([, to], i) => [to, values[i]] as const);
}

/** The session was stored without its URL: it is the one that the server has. */
async function sessionMove(disk: Store, { id: oldId, url }: SavedServer, id: string) {
  const from = `server/${oldId}/session`;
  const session = await disk.get(from);
  const set = isObject(session) ? [[`${serverPrefix(id)}session`, { url, session }] as const] : [];
  return { set, remove: [from] };
}

/** Credentials are bound to their owner, and now to an origin as well: they are sealed anew. */
async function secretMove(disk: Store, { id: oldId, url }: SavedServer, id: string) {
  const vault = new Vault(disk);
  const from = secretKey(oldId);
  const [credentials, origin] = [await vault.get(oldId), URL.parse(url)?.origin];
  // What can't be opened is left where it is.
  if (credentials === undefined || origin === undefined) return { set: [], remove: [] };
  const owner = credentialOwner(id);
  const sealed = await vault.seal(owner, credentials, origin);
  return { set: [[secretKey(owner), sealed] as const], remove: [from] };
}

/** Entries that can't be read stay on it. */
async function oldListWithout(disk: Store, oldId: string): Promise<readonly unknown[]> {
  const list = await disk.get(OLD_LIST);
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.filter((entry) => !isObject(entry) || entry['id'] !== oldId);
}
