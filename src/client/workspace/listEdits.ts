/** What is done with the list of servers, as new lists. Pure. */
import {
  findNamed,
  freeName,
  settingsOf,
  type SavedServer,
  type ServerSettings,
} from '../settings/savedServer.ts';

type List = readonly SavedServer[];

/** @returns nothing where it stands at the end already */
export function moved(all: List, id: string, by: -1 | 1): List | undefined {
  const order = all.filter(({ forgottenAt }) => forgottenAt === undefined);
  const from = order.findIndex((record) => record.id === id);
  const other = order[from + by];
  const one = order[from];
  if (!one || !other) return undefined;
  return all.map((record) => (record.id === one.id ? other : record.id === other.id ? one : record));
}

export function hidden(all: List, id: string, now: number): List {
  return all.map((record) => (record.id === id ? { ...record, forgottenAt: now } : record));
}

/** Under its name, if that is still free. */
export function shownAgain(all: List, id: string): List {
  return all.map((record) => {
    if (record.id !== id) return record;
    const { forgottenAt: _, ...shown } = record;
    return { ...shown, name: freeName(record.name, all) };
  });
}

/** A server with another name, URL or other settings; throws, in words, where the name is taken. */
export function edited(
  all: List,
  id: string,
  { name, url, ...settings }: ServerSettings & Pick<SavedServer, 'name' | 'url'>,
): SavedServer {
  const before = all.find((record) => record.id === id);
  if (!before) throw noServer(id);
  const other = findNamed(all, name);
  if (other && other.id !== id) throw new Error(`Another server is named “${name}”.`);
  const { timeoutMs: _, revision: _r, keepSecrets: _k, ...rest } = before;
  return { ...rest, ...settingsOf(settings), name, url };
}

export function noServer(server: string): Error {
  return new Error(`No server named “${server}”.`);
}
