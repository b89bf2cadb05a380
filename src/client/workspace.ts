/** The servers of this tab, and which of them the person is looking at. */
import type { Callback } from '../auth/callback.ts';
import { Emitter } from '../base/emitter.ts';
import { reason } from '../base/words.ts';
import type { ConnectionState } from '../log/connectionState.ts';
import type { Credentials } from './connection.ts';
import type { LogFile } from './importLog.ts';
import { freeId, settingsOf, type ServerRecord, type ServerSettings } from './serverRecord.ts';
import { ServerList } from './serverList.ts';
import { ServerTab, type TabEnvironment } from './serverTab.ts';

export interface ConnectOptions extends Credentials, Omit<ServerSettings, 'name'> {
  readonly name?: string;
}

/** A view belongs to its tab: two tabs may look at two servers. */
export interface Selection {
  read(): string | undefined;
  write(server: string | undefined): void;
  /** The last start with this server failed: it isn't selected until `write` names it. */
  holdsBack(server: string): boolean;
}

/** A server of the list that isn't open. */
export interface HeldBack {
  readonly record: ServerRecord;
  /** Why it can't be opened; without it, the last start with this server failed. */
  readonly why?: string;
}

/** How long somebody can change their mind about a server that was forgotten. */
export const UNDO_MS = 10_000;

export class Workspace {
  readonly changed = new Emitter<undefined>();
  /** A server is gone for good, whichever tab has taken it away. */
  readonly removed = new Emitter<string>();
  readonly #env: TabEnvironment;
  readonly #selection: Selection;
  readonly #list: ServerList;
  readonly #tabs = new Map<string, ServerTab>();
  /** Why these can't be opened, by id. */
  readonly #problems = new Map<string, string>();
  readonly #removals = new Map<string, () => void>();
  #opening: Promise<void> = Promise.resolve();

  static async open(env: TabEnvironment, selection: Selection): Promise<Workspace> {
    const workspace = new Workspace(env, selection, await ServerList.open(env.store, env.locks));
    await workspace.#openTabs();
    return workspace;
  }

  private constructor(env: TabEnvironment, selection: Selection, list: ServerList) {
    this.#env = env;
    this.#selection = selection;
    this.#list = list;
    list.changed.on(() => void this.#openTabs());
  }

  /** In the order that the person gave them. */
  get tabs(): readonly ServerTab[] {
    return this.#list.all.flatMap(({ id, forgottenAt }) => {
      const tab = forgottenAt === undefined ? this.#tabs.get(id) : undefined;
      return tab ? [tab] : [];
    });
  }

  get selected(): ServerTab | undefined {
    const id = this.#selection.read();
    const tabs = this.tabs.filter((tab) => !this.#selection.holdsBack(tab.id));
    return tabs.find((tab) => tab.id === id) ?? tabs.at(-1);
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
    await Promise.allSettled(this.tabs.map((tab) => tab.ready));
  }

  select(id: string): void {
    if (!this.tabs.some((tab) => tab.id === id)) throw new Error(`There is no server named ${id}.`);
    this.#selection.write(id);
    this.changed.emit(undefined);
  }

  async connect(address: string, options: ConnectOptions = {}): Promise<ConnectionState> {
    const url = parseAddress(address);
    const id = options.name ?? defaultName(url);
    const before = this.#list.find(id);
    const { name: _, ...settings } = settingsOf(options);
    await this.#save({ ...before, ...settings, id, url: url.href });
    const tab = this.#require(id);
    const given = credentialsOf(options);
    // Without new ones, a server keeps its credentials; another origin never gets them.
    const keeps = Object.keys(given).length === 0 && before !== undefined;
    if (!keeps || new URL(before.url).origin !== url.origin) await tab.setCredentials(given);
    this.select(id);
    return this.connectTo(id);
  }

  /** Puts a server on the list, under a name that is free, without connecting to it. @returns its id */
  async add(address: string, options: ConnectOptions = {}): Promise<string> {
    const url = parseAddress(address);
    const id = freeId(options.name ?? defaultName(url), this.#list.all);
    const { name: _, ...settings } = settingsOf(options);
    await this.#save({ ...settings, id, url: url.href });
    await this.#require(id).setCredentials(credentialsOf(options));
    return id;
  }

  async connectTo(id: string): Promise<ConnectionState> {
    const tab = this.#require(id);
    await tab.execute({ name: 'connect', url: tab.url, settings: tab.settings });
    return tab.state;
  }

  async disconnectFrom(id: string): Promise<void> {
    await this.#require(id).execute({ name: 'disconnect' });
  }

  /** What is not given of the credentials stays; another origin never gets what was given for the one before. */
  async edit(
    id: string,
    address: string,
    settings: ServerSettings,
    credentials?: Credentials,
  ): Promise<void> {
    const url = parseAddress(address);
    const tab = this.#require(id);
    const hasMoved = new URL(tab.url).origin !== url.origin;
    await this.#save({ ...settingsOf(settings), id, url: url.href });
    if (credentials) await tab.setCredentials(credentialsOf(credentials));
    else if (hasMoved) await tab.setCredentials({});
  }

  async move(id: string, by: -1 | 1): Promise<void> {
    await this.#list.update((all) => {
      const order = all.filter(({ forgottenAt }) => forgottenAt === undefined);
      const from = order.findIndex((record) => record.id === id);
      const other = order[from + by];
      const one = order[from];
      if (!one || !other) return all;
      return all.map((record) => (record.id === one.id ? other : record.id === other.id ? one : record));
    });
    this.changed.emit(undefined);
  }

  /** Hides a server; it is removed for good when the time to take that back is over, in whichever tab is left. */
  async hide(id: string): Promise<void> {
    const { clock } = this.#env;
    await this.#list.update((all) =>
      all.map((record) => (record.id === id ? { ...record, forgottenAt: clock.now() } : record)),
    );
    if (this.#selection.read() === id) this.#selection.write(undefined);
    this.#planRemovals();
    this.changed.emit(undefined);
  }

  async restore(id: string): Promise<void> {
    await this.#list.update((all) =>
      all.map(({ forgottenAt, ...record }) =>
        record.id === id || forgottenAt === undefined ? record : { ...record, forgottenAt },
      ),
    );
    this.#planRemovals();
    this.#selection.write(id);
    this.changed.emit(undefined);
  }

  /** Takes a server away at once, with its log and its secrets. */
  async remove(id: string): Promise<void> {
    const tab = this.#tabs.get(id);
    const record = this.#list.find(id);
    await this.#list.update((all) => all.filter((one) => one.id !== id));
    this.#tabs.delete(id);
    this.#problems.delete(id);
    this.#planRemovals();
    if (this.#selection.read() === id) this.#selection.write(undefined);
    this.changed.emit(undefined);
    this.removed.emit(id);
    if (tab) {
      await tab.execute({ name: 'disconnect' });
      await tab.forget();
    } else if (record) {
      const { Rescue } = await import('./rescue.ts');
      await new Rescue(this.#env.store, this.#env.locks).remove(record);
    }
  }

  /** Takes the answer of an authorization server to the server whose login it is. @returns what went wrong */
  async finishLogin({ state, parameters }: Callback): Promise<string | undefined> {
    for (const tab of this.tabs) {
      if (!(await tab.login.awaits(state))) continue;
      this.select(tab.id);
      await tab.login.finish(parameters);
      return undefined;
    }
    return 'A login came back that was not begun here, or that was finished before. It was ignored.';
  }

  async disconnect(options: { forget?: boolean } = {}): Promise<void> {
    const tab = this.requireSelected();
    await tab.execute({ name: 'disconnect' });
    if (options.forget === true) await this.remove(tab.id);
  }

  /** Opens a log that was exported elsewhere, beside the others; throws, in words, if the file cannot be used. */
  async importLog(file: LogFile): Promise<void> {
    const { checkLogFile, storeLogFile } = await import('./importLog.ts');
    const { server, url } = await checkLogFile(file);
    const id = freeId(`${server} (imported)`, this.#list.all);
    await storeLogFile(this.#env.store, id, file);
    await this.#save({ id, url });
    this.select(id);
  }

  /** The network is back, or somebody looks at the page again: do not wait for the end of a pause. */
  hurry(): void {
    for (const tab of this.tabs) tab.hurry();
  }

  requireSelected(): ServerTab {
    const tab = this.selected;
    if (!tab) throw new Error('There is no server yet. Connect to one first.');
    return tab;
  }

  #require(id: string): ServerTab {
    const tab = this.#tabs.get(id);
    const why = this.#problems.get(id);
    if (!tab) throw new Error(why === undefined ? `There is no server named ${id}.` : cantOpen(id, why));
    return tab;
  }

  /** In its place, or at the end; and its tab is open when this resolves. */
  async #save(record: ServerRecord): Promise<void> {
    await this.#list.update((all) =>
      all.some(({ id }) => id === record.id)
        ? all.map((one) => (one.id === record.id ? record : one))
        : [...all, record],
    );
    await this.#openTabs();
    await this.#require(record.id).ready;
  }

  /** One after the other: a server that two of them opened would be led twice. */
  #openTabs(): Promise<void> {
    this.#opening = this.#opening.then(() => this.#openMissingTabs());
    return this.#opening;
  }

  /** As many tabs as there are servers on the list, each with the address and the settings that it has there. */
  async #openMissingTabs(): Promise<void> {
    const open = async (record: ServerRecord) => {
      try {
        const tab = this.#tabs.get(record.id) ?? (await this.#openTab(record));
        tab.configure(record.url, settingsOf(record));
        this.#tabs.set(record.id, tab);
        this.#problems.delete(record.id);
      } catch (error) {
        // The others must open. This one is offered for export and removal.
        this.#problems.set(record.id, reason(error));
      }
    };
    await Promise.all(this.#list.all.map(open));
    for (const [id, tab] of this.#tabs) {
      if (this.#list.find(id)) continue;
      this.#tabs.delete(id);
      this.removed.emit(id);
      void tab.close();
    }
    this.#planRemovals();
    this.changed.emit(undefined);
  }

  async #openTab({ id, url }: ServerRecord): Promise<ServerTab> {
    const tab = await ServerTab.open(this.#env, id, url);
    tab.moved.on((found) => {
      void this.#list.update((all) => all.map((one) => (one.id === id ? { ...one, url: found } : one)));
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

function parseAddress(address: string): URL {
  const text = address.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = /\s/.test(text) ? null : URL.parse(withScheme);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Error(
      `“${text}” is not the address of a server. It should look like http://localhost:3000/mcp`,
    );
  }
  return url;
}

function defaultName(url: URL): string {
  return `${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}
