/** The servers of this tab, and which of them the person is looking at. */
import type { Callback } from '../auth/callback.ts';
import { Emitter } from '../base/emitter.ts';
import { isObject, stringField } from '../base/json.ts';
import type { ConnectionState } from '../log/connectionState.ts';
import type { Credentials } from './connection.ts';
import { ServerTab, type TabEnvironment } from './serverTab.ts';

export interface ConnectOptions extends Credentials {
  readonly name?: string;
  /** Kept for servers of 2026-07-28; sessions are what there is today. */
  readonly revision?: 'auto' | 'session' | 'stateless';
}

/** A view belongs to its tab: two tabs may look at two servers. */
export interface Selection {
  read(): string | undefined;
  write(server: string | undefined): void;
}

const RECORD = 'workspace';

interface ServerRecord {
  readonly id: string;
  readonly url: string;
}

export class Workspace {
  readonly changed = new Emitter<undefined>();
  readonly #env: TabEnvironment;
  readonly #selection: Selection;
  #tabs: readonly ServerTab[];

  static async open(env: TabEnvironment, selection: Selection): Promise<Workspace> {
    const records = parseRecords(await env.store.get(RECORD));
    const tabs = await Promise.all(records.map(({ id, url }) => ServerTab.open(env, id, url)));
    return new Workspace(env, selection, tabs);
  }

  private constructor(env: TabEnvironment, selection: Selection, tabs: readonly ServerTab[]) {
    this.#env = env;
    this.#selection = selection;
    this.#tabs = tabs;
  }

  get tabs(): readonly ServerTab[] {
    return this.#tabs;
  }

  get selected(): ServerTab | undefined {
    const id = this.#selection.read();
    return this.#tabs.find((tab) => tab.id === id) ?? this.#tabs.at(-1);
  }

  /** Resolves when every server of the last page load was restored, and reconnected to if it was connected. */
  async ready(): Promise<void> {
    await Promise.all(this.#tabs.map((tab) => tab.ready));
  }

  select(id: string): void {
    if (!this.#tabs.some((tab) => tab.id === id)) throw new Error(`There is no server named ${id}.`);
    this.#selection.write(id);
    this.changed.emit(undefined);
  }

  async connect(address: string, options: ConnectOptions = {}): Promise<ConnectionState> {
    const url = parseAddress(address);
    const id = options.name ?? defaultName(url);
    const before = this.#tabs.find((tab) => tab.id === id)?.url;
    const tab = await this.#tabFor(id, url.href);
    const { bearer, headers, clientId, clientSecret } = options;
    const given: Credentials = {
      ...(bearer !== undefined && { bearer }),
      ...(headers && { headers }),
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && { clientSecret }),
    };
    // Without new ones, a server keeps its credentials; another origin never gets them.
    const keeps = Object.keys(given).length === 0 && before !== undefined;
    if (!keeps || new URL(before).origin !== url.origin) await tab.setCredentials(given);
    this.select(id);
    await tab.execute({ name: 'connect' });
    return tab.state;
  }

  /** Takes the answer of an authorization server to the server whose login it is. @returns what went wrong */
  async finishLogin({ state, parameters }: Callback): Promise<string | undefined> {
    for (const tab of this.#tabs) {
      if (!(await tab.awaitsLogin(state))) continue;
      this.select(tab.id);
      await tab.finishLogin(parameters);
      return undefined;
    }
    return 'A login came back that was not begun here, or that was finished before. It was ignored.';
  }

  async disconnect(options: { forget?: boolean } = {}): Promise<void> {
    const tab = this.requireSelected();
    await tab.execute({ name: 'disconnect' });
    if (options.forget !== true) return;
    this.#tabs = this.#tabs.filter((other) => other !== tab);
    await this.#save();
    await tab.forget();
    this.#selection.write(undefined);
    this.changed.emit(undefined);
  }

  /** The network is back, or somebody looks at the page again: do not wait for the end of a pause. */
  hurry(): void {
    for (const tab of this.#tabs) tab.hurry();
  }

  requireSelected(): ServerTab {
    const tab = this.selected;
    if (!tab) throw new Error('There is no server yet. Connect to one first.');
    return tab;
  }

  async #tabFor(id: string, url: string): Promise<ServerTab> {
    const known = this.#tabs.find((tab) => tab.id === id);
    if (known) {
      known.url = url;
      await this.#save();
      return known;
    }
    const tab = await ServerTab.open(this.#env, id, url);
    this.#tabs = [...this.#tabs, tab];
    await this.#save();
    await tab.ready;
    this.changed.emit(undefined);
    return tab;
  }

  #save(): Promise<void> {
    return this.#env.store.write([[RECORD, this.#tabs.map(({ id, url }) => ({ id, url }))]]);
  }
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

function parseRecords(value: unknown): readonly ServerRecord[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((record) => {
    const id = stringField(record, 'id');
    const url = stringField(record, 'url');
    return id !== undefined && url !== undefined ? [{ id, url }] : [];
  });
}
