/** The servers of this tab, and which of them the person is looking at. */
import { ulid } from '../../base/ulid.ts';
import type { Callback } from '../../auth/callback.ts';
import { Emitter } from '../../base/emitter.ts';
import { loadPart } from '../../base/loadPart.ts';
import { withoutUrlKeys } from '../../base/urlKeys.ts';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import { DEFAULT_LIMIT_BYTES } from '../../storage/storageLimit.ts';
import { defaultName, parseAddress } from '../settings/address.ts';
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
import { changeServer, credentialsOf, placeOfCredentials } from './changeServer.ts';
import { edited, hidden, moved, noServer, shownAgain } from './listEdits.ts';
import { OpenServers } from './openServers.ts';
import { PlannedRemovals } from './plannedRemovals.ts';
import { ServerDirectory } from './serverDirectory.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import type { ServerEnvironment } from '../servers/serverEnvironment.ts';
import { StorageKeeper } from './storageKeeper.ts';
import type { WorkspaceLog } from './workspaceLog.ts';
import type { ConnectOptions, HeldBack, Selection } from './workspaceTypes.ts';

export class Workspace {
  readonly changed = new Emitter<undefined>();
  /** A server is gone for good, whichever tab has taken it away. */
  readonly removed = new Emitter<string>();
  readonly storage: StorageKeeper;
  readonly #env: ServerEnvironment;
  readonly #selection: Selection;
  readonly #list: ServerDirectory;
  readonly #open: OpenServers;
  readonly #removals: PlannedRemovals;

  static async open(env: ServerEnvironment, selection: Selection): Promise<Workspace> {
    const list = await ServerDirectory.open(env.store, env.locks, () => env.clock.now());
    const workspace = new Workspace(env, selection, list);
    await workspace.#open.follow();
    workspace.storage.stored();
    return workspace;
  }

  private constructor(env: ServerEnvironment, selection: Selection, list: ServerDirectory) {
    this.#env = env;
    this.#selection = selection;
    this.#list = list;
    this.#removals = new PlannedRemovals(env.clock, list, (id) => this.remove(id));
    this.#open = new OpenServers(env, list);
    this.#open.opened.on((server) => this.#watch(server));
    this.#open.removed.on((id) => this.removed.emit(id));
    this.#open.changed.on(() => this.#listChanged());
    const { clock, storageLimitBytes: limitBytes = () => DEFAULT_LIMIT_BYTES } = env;
    this.storage = new StorageKeeper({
      clock,
      limitBytes,
      servers: () => this.#open.all,
      selected: () => this.selected?.id,
    });
  }

  /** In the order that the person gave them. */
  get servers(): readonly ServerHandle[] {
    return this.#open.shown;
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
      const why = this.#open.problemOf(record.id);
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
    const tab = this.#open.require(id);
    await tab.execute({ name: 'connect', url: tab.url, settings: tab.settings });
    return tab.state;
  }

  async disconnectFrom(id: string): Promise<void> {
    await this.#open.require(id).execute({ name: 'disconnect' });
  }

  /** Without new credentials, those of this origin stay; another origin never gets them. */
  async edit(
    id: string,
    address: string,
    { name, ...settings }: ServerSettings & { readonly name: string },
    credentials?: Credentials,
  ): Promise<void> {
    const url = parseAddress(address).href;
    await this.#save(
      (all) => edited(all, id, { ...settings, name, url }),
      credentials && credentialsOf(credentials),
    );
  }

  async move(id: string, by: -1 | 1): Promise<void> {
    await this.#list.update((all) => {
      const next = moved(all, id, by);
      return next ? { all: next, moved: id } : { all };
    });
    this.changed.emit(undefined);
  }

  /** Hides a server; it is removed for good when the time to take that back is over, in whichever tab is left. */
  async hide(id: string): Promise<void> {
    const { clock } = this.#env;
    await this.#list.update((all) => ({ all: hidden(all, id, clock.now()) }));
    if (this.#selection.read() === id) this.#selection.write(undefined);
    this.#listChanged();
  }

  async restore(id: string): Promise<void> {
    await this.#list.update((all) => ({ all: shownAgain(all, id) }));
    await this.#open.follow();
    this.#selection.write(id);
    this.changed.emit(undefined);
  }

  /** Takes a server away at once, with its log and its secrets. */
  async remove(id: string): Promise<void> {
    const tab = this.#open.find(id);
    const record = this.#list.find(id);
    const { remove } = placeOfCredentials(this.#env, id).forget();
    // Before other tabs hear of it: the one that owns the connection closes it then, and the server would not be told.
    await tab?.execute({ name: 'disconnect' }).catch(() => undefined);
    await this.#list.update((all) => ({ all: all.filter((one) => one.id !== id), remove }));
    this.#open.drop(id);
    if (this.#selection.read() === id) this.#selection.write(undefined);
    this.#listChanged();
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

  /** In its place, or at the end; and it is open when this resolves. @returns its id */
  async #save(make: (all: readonly SavedServer[]) => SavedServer, given?: Credentials): Promise<string> {
    let id = '';
    await this.#list.update(
      async (all) => {
        const record = make(all);
        id = record.id;
        return changeServer(this.#env, record, all, given);
      },
      // Asks for the lock of a new server first, or a tab in the background would lead it.
      () => this.#open.follow(),
    );
    await this.#open.require(id).ready;
    return id;
  }

  #watch(server: ServerHandle): void {
    server.stored.on(() => this.storage.stored());
    server.moved.on((url) => {
      void this.#list.update((all) => {
        const now = all.find(({ id }) => id === server.id);
        return now ? changeServer(this.#env, { ...now, url }, all) : { all };
      });
    });
  }

  #listChanged(): void {
    this.#removals.plan();
    this.changed.emit(undefined);
  }
}
