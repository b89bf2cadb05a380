/** The servers of this tab, and which of them the person is looking at. */
import { ulid } from 'ulid';
import type { Callback } from '../../auth/callback.ts';
import { Emitter } from '../../base/emitter.ts';
import { loadPart } from '../../base/loadPart.ts';
import { hasUrlKeys, hideUrlKeys, restoreUrlKeys, withoutUrlKeys } from '../../base/urlKeys.ts';
import { reason } from '../../base/words.ts';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import { CredentialPlace } from '../../storage/credentialPlace.ts';
import { DEFAULT_LIMIT_BYTES } from '../../storage/storageLimit.ts';
import { originOf, parseAddress } from '../settings/address.ts';
import type { Credentials } from '../settings/credentials.ts';
import type { LogFile } from './importLog.ts';
import {
  findNamed,
  freeName,
  settingsOf,
  type AddedBy,
  type SavedServer,
  type ServerSettings,
} from '../settings/savedServer.ts';
import { ServerDirectory, type ListChange } from './serverDirectory.ts';
import { ServerHandle } from '../servers/serverHandle.ts';
import type { ServerEnvironment } from '../servers/serverEnvironment.ts';
import { StorageKeeper } from './storageKeeper.ts';
import type { WorkspaceLog } from './workspaceLog.ts';

export interface ConnectOptions extends Credentials, ServerSettings {
  readonly name?: string;
}

/** A view belongs to its tab: two tabs may look at two servers. */
export interface Selection {
  /** The id of a server. */
  read(): string | undefined;
  write(id: string | undefined): void;
  /** The last start with this server failed: it isn't selected until `write` names it. */
  holdsBack(id: string): boolean;
}

/** A server of the list that isn't open. */
export interface HeldBack {
  readonly record: SavedServer;
  /** Why it can't be opened; without it, the last start with this server failed. */
  readonly why?: string;
}

/** How long somebody can change their mind about a server that was forgotten. */
export const UNDO_MS = 10_000;

export class Workspace {
  readonly changed = new Emitter<undefined>();
  /** A server is gone for good, whichever tab has taken it away. */
  readonly removed = new Emitter<string>();
  readonly storage: StorageKeeper;
  readonly #env: ServerEnvironment;
  readonly #selection: Selection;
  readonly #list: ServerDirectory;
  readonly #servers = new Map<string, ServerHandle>();
  /** Why these can't be opened, by id. */
  readonly #problems = new Map<string, string>();
  readonly #removals = new Map<string, () => void>();
  #opening: Promise<void> = Promise.resolve();

  static async open(env: ServerEnvironment, selection: Selection): Promise<Workspace> {
    const list = await ServerDirectory.open(env.store, env.locks, () => env.clock.now());
    const workspace = new Workspace(env, selection, list);
    await workspace.#openServers();
    workspace.storage.stored();
    return workspace;
  }

  private constructor(env: ServerEnvironment, selection: Selection, list: ServerDirectory) {
    this.#env = env;
    this.#selection = selection;
    this.#list = list;
    list.changed.on(() => void this.#openServers());
    const { clock, storageLimitBytes: limitBytes = () => DEFAULT_LIMIT_BYTES } = env;
    this.storage = new StorageKeeper({
      clock,
      limitBytes,
      servers: () => [...this.#servers.values()],
      selected: () => this.selected?.id,
    });
  }

  /** In the order that the person gave them. */
  get servers(): readonly ServerHandle[] {
    return this.#list.all.flatMap(({ id, forgottenAt }) => {
      const tab = forgottenAt === undefined ? this.#servers.get(id) : undefined;
      return tab ? [tab] : [];
    });
  }

  /** What was done with the list of servers, in any tab. */
  get log(): WorkspaceLog {
    return this.#list.log;
  }

  /** When a server was added, and how. */
  addedOf(id: string): Pick<SavedServer, 'addedAt' | 'addedBy'> {
    const { addedAt, addedBy } = this.#list.find(id) ?? {};
    return { ...(addedAt !== undefined && { addedAt }), ...(addedBy && { addedBy }) };
  }

  /** The id of each server by the name that an earlier version stored it by. */
  get formerIds(): ReadonlyMap<string, string> {
    return new Map(
      this.#list.all.flatMap(({ id, formerId }) => (formerId === undefined ? [] : [[formerId, id]])),
    );
  }

  get selected(): ServerHandle | undefined {
    const id = this.#selection.read();
    const servers = this.servers.filter((tab) => !this.#selection.holdsBack(tab.id));
    return servers.find((tab) => tab.id === id) ?? servers.at(-1);
  }

  get heldBack(): readonly HeldBack[] {
    return this.#list.all.flatMap((record): readonly HeldBack[] => {
      if (record.forgottenAt !== undefined) return [];
      const why = this.#problems.get(record.id);
      if (why !== undefined) return [{ record, why }];
      return this.#selection.holdsBack(record.id) ? [{ record }] : [];
    });
  }

  /** Resolves when every server of the last page load was restored, and reconnected to if it was connected. */
  async ready(): Promise<void> {
    // One server that can't come back must not keep the others, or those who wait for them.
    await Promise.allSettled(this.servers.map((tab) => tab.ready));
  }

  /** @param server its id, or its name */
  select(server: string): void {
    const { servers } = this;
    const tab = servers.find(({ id }) => id === server) ?? servers.find(({ name }) => name === server);
    if (!tab) throw noServer(server);
    this.#selection.write(tab.id);
    this.changed.emit(undefined);
  }

  /**
   * Without new credentials, a server of this name keeps those that it has for this origin.
   * @param by how it is added, if it is new
   */
  async connect(
    address: string,
    options: ConnectOptions = {},
    by: AddedBy = 'script',
  ): Promise<ConnectionState> {
    const url = parseAddress(address);
    const name = options.name ?? defaultName(url);
    const given = credentialsOf(options);
    const id = await this.#save(
      (all) => ({
        ...(findNamed(all, name) ?? this.#born(by)),
        ...settingsOf(options),
        name,
        url: url.href,
      }),
      Object.keys(given).length > 0 ? given : undefined,
    );
    this.select(id);
    return this.connectTo(id);
  }

  /** Puts a new server on the list, under a name that is free, without connecting to it. @returns its id */
  add(address: string, options: ConnectOptions = {}, by: AddedBy = 'script'): Promise<string> {
    const url = parseAddress(address);
    const name = options.name ?? defaultName(url);
    return this.#save(
      (all) => ({ ...this.#born(by), ...settingsOf(options), name: freeName(name, all), url: url.href }),
      credentialsOf(options),
    );
  }

  async connectTo(id: string): Promise<ConnectionState> {
    const tab = this.#require(id);
    await tab.execute({ name: 'connect', url: tab.url, settings: tab.settings });
    return tab.state;
  }

  async disconnectFrom(id: string): Promise<void> {
    await this.#require(id).execute({ name: 'disconnect' });
  }

  /** Without new credentials, those of this origin stay; another origin never gets them. */
  async edit(
    id: string,
    address: string,
    { name, ...settings }: ServerSettings & { readonly name: string },
    credentials?: Credentials,
  ): Promise<void> {
    const url = parseAddress(address);
    await this.#save(
      (all) => {
        const before = all.find((record) => record.id === id);
        if (!before) throw noServer(id);
        const other = findNamed(all, name);
        if (other && other.id !== id) throw new Error(`Another server is named “${name}”.`);
        const { timeoutMs: _, revision: _r, keepSecrets: _k, ...rest } = before;
        return { ...rest, ...settingsOf(settings), name, url: url.href };
      },
      credentials && credentialsOf(credentials),
    );
  }

  async move(id: string, by: -1 | 1): Promise<void> {
    await this.#list.update((all) => {
      const order = all.filter(({ forgottenAt }) => forgottenAt === undefined);
      const from = order.findIndex((record) => record.id === id);
      const other = order[from + by];
      const one = order[from];
      if (!one || !other) return { all };
      const place = (record: SavedServer) =>
        record.id === one.id ? other : record.id === other.id ? one : record;
      return { all: all.map(place), moved: id };
    });
    this.changed.emit(undefined);
  }

  /** Hides a server; it is removed for good when the time to take that back is over, in whichever tab is left. */
  async hide(id: string): Promise<void> {
    const { clock } = this.#env;
    await this.#list.update((all) => ({
      all: all.map((record) => (record.id === id ? { ...record, forgottenAt: clock.now() } : record)),
    }));
    if (this.#selection.read() === id) this.#selection.write(undefined);
    this.#planRemovals();
    this.changed.emit(undefined);
  }

  async restore(id: string): Promise<void> {
    await this.#list.update((all) => ({
      all: all.map((record) => {
        if (record.id !== id) return record;
        const { forgottenAt: _, ...shown } = record;
        return { ...shown, name: freeName(record.name, all) };
      }),
    }));
    await this.#openServers();
    this.#selection.write(id);
    this.changed.emit(undefined);
  }

  /** Takes a server away at once, with its log and its secrets. */
  async remove(id: string): Promise<void> {
    const tab = this.#servers.get(id);
    const record = this.#list.find(id);
    const { remove } = this.#credentialsOf(id).forget();
    // Before other tabs hear of it: the one that owns the connection closes it then, and the server would not be told.
    await tab?.execute({ name: 'disconnect' }).catch(() => undefined);
    await this.#list.update((all) => ({ all: all.filter((one) => one.id !== id), remove }));
    this.#servers.delete(id);
    this.#problems.delete(id);
    this.#planRemovals();
    if (this.#selection.read() === id) this.#selection.write(undefined);
    this.changed.emit(undefined);
    this.removed.emit(id);
    if (tab) {
      const loginUrl = withoutUrlKeys(tab.url);
      await tab.forget({ keepsLogin: this.#list.all.some(({ url }) => withoutUrlKeys(url) === loginUrl) });
    } else if (record) {
      const { Rescue } = await loadPart(() => import('./rescue.ts'));
      await new Rescue(this.#env).remove(record);
    }
  }

  /** Takes the answer of an authorization server to the server whose login it is. @returns what went wrong */
  async finishLogin({ state, parameters }: Callback): Promise<string | undefined> {
    for (const tab of this.servers) {
      if (!(await tab.login.awaits(state))) continue;
      this.select(tab.id);
      await tab.login.finish(parameters);
      return undefined;
    }
    return 'Ignored a login response that doesn’t match any login started here.';
  }

  async disconnect(options: { forget?: boolean } = {}): Promise<void> {
    const tab = this.requireSelected();
    await tab.execute({ name: 'disconnect' });
    if (options.forget === true) await this.remove(tab.id);
  }

  /** Opens a log that was exported elsewhere, beside the others; throws, in words, if the file cannot be used. */
  async importLog(file: LogFile): Promise<void> {
    const { checkLogFile, storeLogFile } = await loadPart(() => import('./importLog.ts'));
    const { server, url } = await checkLogFile(file);
    const born = this.#born('file');
    await storeLogFile(this.#env.store, born.id, file, this.#env.clock.now());
    await this.#save((all) => ({ ...born, name: freeName(`${server} (imported)`, all), url }));
    this.select(born.id);
    this.storage.stored();
  }

  /** The network is back, or somebody looks at the page again: do not wait for the end of a pause. */
  retryNow(): void {
    for (const tab of this.servers) tab.retryNow();
  }

  requireSelected(): ServerHandle {
    const tab = this.selected;
    if (!tab) throw new Error('No servers yet. Connect to one first.');
    return tab;
  }

  #born(addedBy: AddedBy): Pick<SavedServer, 'id' | 'addedAt' | 'addedBy'> {
    return { id: ulid(), addedAt: this.#env.clock.now(), addedBy };
  }

  #require(id: string): ServerHandle {
    const tab = this.#servers.get(id);
    const why = this.#problems.get(id);
    if (!tab)
      throw why === undefined ? noServer(id) : new Error(cantOpen(this.#list.find(id)?.name ?? id, why));
    return tab;
  }

  #credentialsOf(id: string): CredentialPlace {
    return new CredentialPlace(this.#env.store, this.#env.tabTexts, id);
  }

  /**
   * In its place, or at the end; and its tab is open when this resolves. The record and its credentials are one
   * transaction: a page that dies in between must not leave the credentials of one origin at another.
   * @returns its id
   */
  async #save(make: (all: readonly SavedServer[]) => SavedServer, given?: Credentials): Promise<string> {
    let id = '';
    await this.#list.update(
      async (all) => {
        const record = make(all);
        id = record.id;
        return this.#changeTo(record, all, given);
      },
      // Asks for the lock of a new server first, or a tab in the background would lead it.
      () => this.#openServers(),
    );
    await this.#require(id).ready;
    return id;
  }

  /** @param record with the URL as it was given; on the list it has placeholders for its keys */
  async #changeTo(
    { url: givenUrl, ...record }: SavedServer,
    all: readonly SavedServer[],
    given?: Credentials,
  ): Promise<ListChange> {
    const before = all.find(({ id }) => id === record.id);
    const place = this.#credentialsOf(record.id);
    const kept = before && originOf(before.url) === originOf(givenUrl) ? await place.load(before) : undefined;
    const url = restoreUrlKeys(givenUrl, kept?.url);
    const placed = (one: Omit<SavedServer, 'url'>) => {
      const listed = { ...one, url: hideUrlKeys(url) };
      return before ? all.map((old) => (old.id === one.id ? listed : old)) : [...all, listed];
    };
    const isPlaceKept = (before?.keepSecrets ?? 'browser') === (record.keepSecrets ?? 'browser');
    const isUrlKept = url === kept?.url || ![url, kept?.url ?? ''].some(hasUrlKeys);
    if (!given && kept && isPlaceKept && isUrlKept) return { all: placed(record) };
    const change = await place.change(given ?? kept?.credentials ?? {}, { ...record, url });
    const login = isPlaceKept ? undefined : await this.#moveLogin({ ...record, url }, all);
    return {
      all: placed(record),
      set: [...change.set, ...(login?.set ?? [])],
      remove: [...change.remove, ...(login?.remove ?? [])],
    };
  }

  async #moveLogin({ id, url, keepSecrets: to = 'browser' }: SavedServer, all: readonly SavedServer[]) {
    const { moveLogin } = await import('./moveLogin.ts');
    const isShared = all.some((one) => one.id !== id && withoutUrlKeys(one.url) === withoutUrlKeys(url));
    return moveLogin(this.#env.store, this.#env.tabTexts, { id, url, to, isShared });
  }

  /** One after the other: a server that two of them opened would be led twice. */
  #openServers(): Promise<void> {
    this.#opening = this.#opening.then(() => this.#openMissingServers());
    return this.#opening;
  }

  /** As many tabs as there are servers on the list, each with the address and the settings that it has there. */
  async #openMissingServers(): Promise<void> {
    const open = async (record: SavedServer) => {
      try {
        const tab = this.#servers.get(record.id);
        if (tab) await tab.configure(record);
        else this.#servers.set(record.id, await this.#openServer(record));
        this.#problems.delete(record.id);
      } catch (error) {
        // The others must open. This one is offered for export and removal.
        this.#problems.set(record.id, reason(error));
      }
    };
    await Promise.all(this.#list.all.map(open));
    for (const [id, tab] of this.#servers) {
      if (this.#list.find(id)) continue;
      this.#servers.delete(id);
      this.removed.emit(id);
      void tab.close();
    }
    this.#planRemovals();
    this.changed.emit(undefined);
  }

  async #openServer(record: SavedServer): Promise<ServerHandle> {
    const { id } = record;
    const tab = await ServerHandle.open(this.#env, record);
    tab.stored.on(() => this.storage.stored());
    tab.moved.on((url) => {
      void this.#list.update((all) => {
        const now = all.find((one) => one.id === id);
        return now ? this.#changeTo({ ...now, url }, all) : { all };
      });
    });
    return tab;
  }

  #planRemovals(): void {
    const { clock } = this.#env;
    for (const cancel of this.#removals.values()) cancel();
    this.#removals.clear();
    for (const { id, forgottenAt } of this.#list.all) {
      if (forgottenAt === undefined) continue;
      const leftMs = Math.max(0, forgottenAt + UNDO_MS - clock.now());
      this.#removals.set(
        id,
        clock.after(leftMs, () => void this.#removeIfHidden(id)),
      );
    }
  }

  /** It may have been taken back in another tab. */
  async #removeIfHidden(id: string): Promise<void> {
    if (this.#list.find(id)?.forgottenAt !== undefined) await this.remove(id);
  }
}

const cantOpen = (name: string, why: string): string => `“${name}” can’t be opened: ${why}`;

function credentialsOf({ bearer, headers, clientId, clientSecret }: Credentials): Credentials {
  return {
    ...(bearer !== undefined && { bearer }),
    ...(headers && { headers }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
  };
}

function noServer(server: string): Error {
  return new Error(`No server named “${server}”.`);
}

function defaultName(url: URL): string {
  return `${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}
