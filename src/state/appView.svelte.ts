/** The whole screen's state: the servers, what is wrong, and what a person can do about connections. */
import { createSubscriber } from 'svelte/reactivity';
import type { Emitter } from '../base/emitter.ts';
import type { Result } from '../base/result.ts';
import { reason } from '../base/words.ts';
import type { Credentials } from '../client/connection.ts';
import type { ServerTab } from '../client/serverTab.ts';
import type { Workspace } from '../client/workspace.ts';
import type { Degraded } from '../storage/fallbackStore.ts';
import type { FrameBatcher } from './frameBatcher.ts';
import type { KeptText } from './keptText.ts';
import { ServerView } from './serverView.svelte.ts';

export interface AppOptions {
  readonly workspace: Workspace;
  readonly storage: { readonly degraded: Degraded | undefined; readonly onDegraded: Emitter<Degraded> };
  readonly demo: { readonly url: string; readonly prepare: () => Promise<Result<string, string>> };
  readonly frames: FrameBatcher;
  readonly kept: KeptText;
}

const DEMO = 'demo';

export class AppView {
  readonly kept: KeptText;
  readonly #o: AppOptions;
  readonly #views = new WeakMap<ServerTab, ServerView>();
  readonly #subscribe: () => void;
  #connectProblem = $state<string>();
  #demoProblem = $state<string>();
  #degraded = $state.raw<Degraded>();

  constructor(options: AppOptions) {
    this.#o = options;
    this.kept = options.kept;
    this.#degraded = options.storage.degraded;
    options.storage.onDegraded.on((degraded) => {
      this.#degraded = degraded;
    });
    this.#subscribe = createSubscriber((update) => options.workspace.changed.on(update));
  }

  get servers(): readonly ServerView[] {
    return this.#track().tabs.map((tab) => this.#viewOf(tab));
  }

  get server(): ServerView | undefined {
    const tab = this.#track().selected;
    return tab && this.#viewOf(tab);
  }

  /** Why the last address could not be used. */
  get connectProblem(): string | undefined {
    return this.#connectProblem;
  }

  get demoProblem(): string | undefined {
    return this.#demoProblem;
  }

  get degraded(): Degraded | undefined {
    return this.#degraded;
  }

  /** Something went wrong that belongs to no server. */
  report(problem: string | undefined): void {
    this.#connectProblem = problem;
  }

  select(id: string): void {
    this.#connectProblem = undefined;
    this.#o.workspace.select(id);
    void this.server?.loadResult();
  }

  /** @returns whether the address could be used; whether the server answers is told by the status */
  async connect(address: string, credentials: Credentials): Promise<boolean> {
    this.#connectProblem = undefined;
    if (address.trim() === '') {
      this.#connectProblem = 'Type the address of a server, for example http://localhost:3000/mcp';
      return false;
    }
    const known = this.servers.find(({ url }) => url === URL.parse(address.trim())?.href);
    return this.#connect(address, known ? { ...credentials, name: known.id } : credentials);
  }

  async openDemo(): Promise<void> {
    const { demo } = this.#o;
    this.#demoProblem = undefined;
    const prepared = await demo.prepare();
    if (prepared.ok) await this.#connect(prepared.value, { name: DEMO });
    else this.#demoProblem = prepared.error;
  }

  async disconnect(): Promise<void> {
    await this.#try(() => this.#o.workspace.disconnect());
  }

  async forget(): Promise<void> {
    await this.#try(() => this.#o.workspace.disconnect({ forget: true }));
  }

  #connect(address: string, options: Credentials & { name?: string }): Promise<boolean> {
    return this.#try(() => this.#o.workspace.connect(address, options));
  }

  async #try(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#connectProblem = reason(error);
      return false;
    }
  }

  #track(): Workspace {
    this.#subscribe();
    return this.#o.workspace;
  }

  #viewOf(tab: ServerTab): ServerView {
    const known = this.#views.get(tab);
    if (known) return known;
    const view = new ServerView(tab, this.#o.frames, this.#o.kept);
    this.#views.set(tab, view);
    return view;
  }
}
