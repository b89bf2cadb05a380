/** The whole screen's state: the servers, what is wrong, and what a person can do about connections. */
import type { Emitter } from '../base/emitter.ts';
import { createSubscriber } from 'svelte/reactivity';
import { loadPart } from '../base/loadPart.ts';
import type { RecordedIn } from '../base/recordedIn.ts';
import { errorMessage } from '../base/format.ts';
import type {
  AddedBy,
  ConnectOptions,
  HeldBack,
  ServerHandle,
  Workspace,
} from '../client/inspector/index.ts';
import type { Degraded } from '../storage/fallbackStore.ts';
import type { StorageUsage } from '../storage/storageLimit.ts';
import type { KeptText } from './storage/keptText.ts';
import type { LogLink } from './logLink.ts';
import type { AppOptions, Comparison, Dialog } from './appOptions.ts';
import { PageLink, serverAt } from './pageLink.svelte.ts';
import { ViewPrefs } from './viewPrefs.svelte.ts';
import type { Playback } from './playback/playback.svelte.ts';
import { ServerActions } from './serverActions.ts';
import type { SavedCalls } from './savedCalls.svelte.ts';
import { ServerView } from './serverView.svelte.ts';
import { Stage } from './stage.svelte.ts';
import type { Shortcut, Shortcuts } from './shortcuts.ts';
import { Toasts } from './toasts.svelte.ts';

const DEMO = 'demo';
const MODERN_DEMO = 'demo-2026';
const SINGLE_KEYS = 'reprise.singleKeys';
/** Kept for this browser, in megabytes. */
export const STORAGE_LIMIT_MB = 'reprise.storageLimitMb';
/** Kept while it's on. */

export class AppView {
  readonly kept: KeptText;
  /** How the panes are laid out: kept for this browser, it is about a person and a screen. */
  readonly layoutPrefs: ViewPrefs;
  /** Calls that a person gave a name. */
  readonly saved: SavedCalls;
  /** What can be done by key. */
  readonly shortcuts: Shortcuts;
  readonly toasts = new Toasts();
  readonly actions: ServerActions;
  dialog = $state<Dialog>();
  /** What the dialog "Compare" shows. */
  comparison = $state.raw<Comparison>();
  /** How often somebody wanted to see the inbox. */
  inboxAsked = $state(0);
  /** The field for the address is about to be drawn anew, and had the focus. */
  focusesAddress = false;
  readonly stage: Stage;
  /** What the URL of the page asks for. */
  readonly link: PageLink;
  readonly #o: AppOptions;
  readonly #views = new WeakMap<ServerHandle, ServerView>();
  readonly #subscribe: () => void;
  readonly #subscribeToShortcuts: () => void;
  readonly #subscribeToStorage: () => void;
  readonly #subscribeToRecorder: () => void;
  /** The user has seen that the storage is almost full. */
  #isFullnessSeen = $state(false);
  #connectProblem = $state<string>();
  #demoProblem = $state<string>();
  #degraded = $state.raw<Degraded>();
  #logLink = $state.raw<LogLink>();
  #playback = $state.raw<Playback>();

  constructor(options: AppOptions) {
    this.#o = options;
    this.kept = options.kept;
    this.layoutPrefs = new ViewPrefs(options.keptForAll, 'layoutPrefs');
    this.stage = new Stage(options.kept);
    this.saved = options.saved;
    this.shortcuts = options.shortcuts;
    this.shortcuts.singleKeys = options.keptForAll.read(SINGLE_KEYS) !== 'off';
    this.actions = new ServerActions(options.workspace, this.toasts);
    this.#logLink = options.link.log;
    this.link = new PageLink({
      ...options.link,
      workspace: options.workspace,
      servers: () => this.servers,
      selected: () => this.server,
      toasts: this.toasts,
      attempt: (work) => this.#try(work),
    });
    this.#degraded = options.storage.degraded;
    options.storage.onDegraded.on((degraded) => {
      this.#degraded = degraded;
    });
    this.#subscribe = subscriberTo(options.workspace.changed);
    this.#subscribeToShortcuts = subscriberTo(options.shortcuts.changed);
    const { storage } = options.workspace;
    this.#subscribeToStorage = subscriberTo(storage.changed);
    this.#subscribeToRecorder = subscriberTo(options.recorder.moved);
    storage.changed.on(() => {
      if (!storage.isAlmostFull) this.#isFullnessSeen = false;
    });
  }

  /** What can be done from here; a part of the page that is loaded late adds its own. */
  get commands(): readonly Shortcut[] {
    this.#subscribeToShortcuts();
    return this.shortcuts.all;
  }

  get servers(): readonly ServerView[] {
    return this.#track().servers.map((tab) => this.#viewOf(tab));
  }

  get server(): ServerView | undefined {
    const tab = this.#track().selected;
    return tab && this.#viewOf(tab);
  }

  /** The log that is played, in the place of its server. */
  get playback(): Playback | undefined {
    return this.#playback;
  }

  /** Plays the log of a server from its beginning. */
  async play(server: ServerView): Promise<void> {
    this.stopPlayback();
    const { openPlayback } = await loadPart(() => import('./playback/openPlayback.ts'));
    this.#playback = await openPlayback(server, this.#o.frames, this.kept);
  }

  stopPlayback(): void {
    this.#playback?.close();
    this.#playback = undefined;
  }

  /** Servers of the list that aren't open, because that failed. */
  get heldBack(): readonly HeldBack[] {
    return this.#track().heldBack;
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

  get recordedIn(): RecordedIn {
    this.#subscribeToRecorder();
    return this.#o.recorder.recordedIn;
  }

  /** What the logs of all servers take. */
  get storageUsage(): StorageUsage {
    this.#subscribeToStorage();
    return this.#track().storage.usage();
  }

  /** The user should know that the limit is near. */
  get warnsOfStorage(): boolean {
    this.#subscribeToStorage();
    return this.#o.workspace.storage.isAlmostFull && !this.#isFullnessSeen;
  }

  dismissStorageWarning(): void {
    this.#isFullnessSeen = true;
  }

  /** Takes effect at once; without a number, the limit is the default again. */
  async setStorageLimit(megabytes: number | undefined): Promise<void> {
    this.#o.keptForAll.write(STORAGE_LIMIT_MB, megabytes?.toString());
    await this.#o.workspace.storage.look();
  }

  compare(comparison: Comparison): void {
    this.comparison = comparison;
    this.dialog = 'compare';
  }

  /** Something went wrong that belongs to no server. */
  report(problem: string | undefined): void {
    this.#connectProblem = problem;
  }

  /** Kept for this browser: it is about a person, not about a tab. */
  useSingleKeys(wanted: boolean): void {
    this.shortcuts.singleKeys = wanted;
    this.#o.keptForAll.write(SINGLE_KEYS, wanted ? undefined : 'off');
  }

  select(id: string): void {
    this.#connectProblem = undefined;
    if (this.#playback?.server.id !== id) this.stopPlayback();
    this.#o.workspace.select(id);
    void this.server?.loadResult();
  }

  /** @returns whether the address could be used; whether the server answers is told by the status */
  async connect(address: string, options: ConnectOptions): Promise<boolean> {
    this.#connectProblem = undefined;
    if (address.trim() === '') {
      this.#connectProblem = 'Enter a server URL, for example http://localhost:3000/mcp';
      return false;
    }
    const known = serverAt(this.servers, URL.parse(address.trim())?.href);
    return this.#connect(address, known ? { ...options, name: known.name } : options, 'typed');
  }

  /** `era`: the demo with sessions, or its twin of 2026-07-28. */
  async openDemo(era: 'session' | 'stateless' = 'session'): Promise<void> {
    const { demo } = this.#o;
    this.#demoProblem = undefined;
    this.#connectProblem = undefined;
    const prepared = await demo.prepare();
    if (!prepared.ok) this.#demoProblem = prepared.error;
    else if (era === 'session') await this.#connect(prepared.value, { name: DEMO }, 'demo');
    else await this.#connect(demo.modernUrl, { name: MODERN_DEMO }, 'demo');
  }

  /** Lets the demo forget everything, as a server does that is started again. */
  async restartDemo(): Promise<void> {
    const answer = await fetch(new URL('__control/restart', this.#o.demo.url), { method: 'POST' });
    if (!answer.ok) throw new Error('The demo isn’t responding.');
  }

  async disconnect(): Promise<void> {
    await this.#try(() => this.#o.workspace.disconnect());
  }

  /** Opens a log from a file; throws, in words, if it cannot be used. */
  async importLog(file: File): Promise<void> {
    const pieces = () => file.stream().pipeThrough(new TextDecoderStream());
    await this.#o.workspace.importLog({ name: file.name, pieces });
  }

  /** The log on the web that the page's URL names, until the user has answered. */
  get logLink(): LogLink | undefined {
    return this.#logLink;
  }

  dropLogLink(): void {
    this.#logLink = undefined;
    this.#o.link.done();
  }

  #connect(address: string, options: ConnectOptions, by: AddedBy): Promise<boolean> {
    return this.#try(() => this.#o.workspace.connect(address, options, by));
  }

  async #try(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#connectProblem = errorMessage(error);
      return false;
    }
  }

  #track(): Workspace {
    this.#subscribe();
    return this.#o.workspace;
  }

  #viewOf(tab: ServerHandle): ServerView {
    const played = this.#playback?.server;
    if (played?.id === tab.id) return played;
    const known = this.#views.get(tab);
    if (known) return known;
    const view = new ServerView(tab, this.#o.frames, this.#o.kept);
    this.#views.set(tab, view);
    return view;
  }
}

/** What is read after a call of this is read again when the source emits. */
function subscriberTo<T>(source: Emitter<T>): () => void {
  return createSubscriber((update) => source.on(update));
}
