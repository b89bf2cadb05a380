/**
 * What is written when a server is added or changed. The record and its credentials are one transaction: a page that
 * dies in between must not leave the credentials of one origin at another.
 */
import { hasUrlKeys, hideUrlKeys, restoreUrlKeys, withoutUrlKeys } from '../../base/urlKeys.ts';
import { CredentialPlace } from '../../storage/credentialPlace.ts';
import type { ServerEnvironment } from '../servers/serverEnvironment.ts';
import { originOf } from '../settings/address.ts';
import type { Credentials } from '../settings/credentials.ts';
import type { SavedServer } from '../settings/savedServer.ts';
import type { ListChange } from './serverDirectory.ts';

type Stores = Pick<ServerEnvironment, 'store' | 'tabTexts'>;

/**
 * @param record with the URL as it was given; on the list it has placeholders for its keys
 * @param given without it, the server keeps the credentials that it has for this origin
 */
export async function changeServer(
  stores: Stores,
  { url: givenUrl, ...record }: SavedServer,
  all: readonly SavedServer[],
  given?: Credentials,
): Promise<ListChange> {
  const before = all.find(({ id }) => id === record.id);
  const place = placeOfCredentials(stores, record.id);
  const kept = before && originOf(before.url) === originOf(givenUrl) ? await place.load(before) : undefined;
  const url = restoreUrlKeys(givenUrl, kept?.url);
  const listed = { ...record, url: hideUrlKeys(url) };
  const placed = before ? all.map((old) => (old.id === record.id ? listed : old)) : [...all, listed];
  const isPlaceKept = (before?.keepSecrets ?? 'browser') === (record.keepSecrets ?? 'browser');
  const isUrlKept = url === kept?.url || ![url, kept?.url ?? ''].some(hasUrlKeys);
  if (!given && kept && isPlaceKept && isUrlKept) return { all: placed };
  const change = await place.change(given ?? kept?.credentials ?? {}, { ...record, url });
  const login = isPlaceKept ? undefined : await loginMoved(stores, { ...record, url }, all);
  return {
    all: placed,
    set: [...change.set, ...(login?.set ?? [])],
    remove: [...change.remove, ...(login?.remove ?? [])],
  };
}

export function placeOfCredentials({ store, tabTexts }: Stores, id: string): CredentialPlace {
  return new CredentialPlace(store, tabTexts, id);
}

/** Those of the given options that are credentials. */
export function credentialsOf({ bearer, headers, clientId, clientSecret }: Credentials): Credentials {
  return {
    ...(bearer !== undefined && { bearer }),
    ...(headers && { headers }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
  };
}

async function loginMoved(
  { store, tabTexts }: Stores,
  { id, url, keepSecrets: to = 'browser' }: SavedServer,
  all: readonly SavedServer[],
) {
  const { moveLogin } = await import('./moveLogin.ts');
  const isShared = all.some((one) => one.id !== id && withoutUrlKeys(one.url) === withoutUrlKeys(url));
  return moveLogin(store, tabTexts, { id, url, to, isShared });
}
