/** One server as the screen sees it: read from its log, and told of changes at most once a frame. */
import { createSubscriber } from 'svelte/reactivity';
import { asText } from '../base/asText.ts';
import type { BridgeMark } from '../base/bridgeContract.ts';
import { objectField, stringField } from '../base/json.ts';
import type {
  CallOptions,
  Catalog,
  Credentials,
  PrimitiveCommand,
  ServerPreferences,
  ServerSettings,
  Session,
} from '../client/inspector/index.ts';
import { isOpen, isToolCall, type AskedMethod, type Call } from '../log/state/call.ts';
import type { CacheHint } from '../log/protocol/cacheHint.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { EraVerdict } from '../log/protocol/era.ts';
import type { ListName } from '../log/reasons/listNames.ts';
import { reasonText } from '../log/reasons/reasonText.ts';
import type { LastConnection } from '../log/state/lastConnection.ts';
import { figuresOf, type RecoveryFigures } from '../log/state/recovery.ts';
import { ROOTS_METHOD, type ClosedQuestion, type Question } from '../log/state/question.ts';
import type { FrameBatcher } from '../base/frameBatcher.ts';
import type { KeptText } from './storage/keptText.ts';
import { LoginView } from './loginView.svelte.ts';
import { Now } from './now.svelte.ts';
import { ViewPrefs } from './viewPrefs.svelte.ts';
import { Seen } from './seen.ts';
import { Selection } from './selection.svelte.ts';
import { followServer } from './followServer.ts';
import { ServerApps } from './serverApps.ts';
import { ServerLog } from './serverLog.svelte.ts';
import { ServerTasks } from './serverTasks.ts';
import { describeStatus, type Status } from './statusSentence.ts';
import { TimelineView } from './timelineView.svelte.ts';
import { newEntries, type ShownServer } from './shownServer.ts';

export class ServerView {
  readonly id: string;
  readonly timeline: TimelineView;
  /** The open section, and what else of the view comes back in this tab. */
  readonly place: ViewPrefs;
  readonly login: LoginView;
  readonly log: ServerLog;
  readonly selection: Selection;
  readonly tasks: ServerTasks;
  /** What is new in its sections since they were last open in this tab. */
  readonly seen: Seen;
  /** What the views of MCP Apps need of this server. */
  readonly apps: ServerApps;
  readonly #tab: ShownServer;
  readonly #now = new Now();
  readonly #frames: FrameBatcher;
  /** What the log holds is not copied: only that it has changed is told. */
  readonly #subscribe: () => void;
  #resumedAt = $state<number>();
  /** Until then the state is what the page before has left. */
  #hasOwnState = $state(false);

  constructor(tab: ShownServer, frames: FrameBatcher, kept: KeptText) {
    this.#tab = tab;
    this.id = tab.id;
    this.#frames = frames;
    this.place = new ViewPrefs(kept, tab.id);
    this.seen = new Seen(this.place, () => {
      const { lists, log } = this.#track();
      const { calls, continuations, logMessages } = log.state;
      return { lists, calls: [...calls.values()], tasks: [...continuations.tasks.values()], logMessages };
    });
    this.timeline = new TimelineView(tab, frames, kept);
    const track = () => this.#track();
    this.log = new ServerLog(tab, track);
    this.selection = new Selection(tab, track, kept, this.place);
    this.tasks = new ServerTasks(tab, track);
    const noteStates = (entries: readonly Entry[]) => entries.forEach((entry) => this.#noteState(entry));
    noteStates(newEntries(tab));
    tab.log.appended.on(({ others }) => noteStates(others));
    this.login = new LoginView(tab, track);
    this.apps = new ServerApps(tab, track);
    this.#subscribe = createSubscriber((update) => followServer(tab, frames, update));
  }

  get name(): string {
    return this.#track().name;
  }

  get settings(): ServerSettings {
    return this.#track().settings;
  }

  /** What was typed for it, to be edited: it is decrypted for this, and not kept. */
  credentials(): Promise<Credentials> {
    return this.#tab.credentials();
  }

  /** Is there a token or a header that is sent to it? */
  hasSecrets(): Promise<boolean> {
    return this.#tab.hasSecrets();
  }

  get url(): string {
    return this.#track().url;
  }

  get status(): Status {
    const { state, role, url, log } = this.#track();
    const { sendsEventIds: namesPositions, load } = log.state;
    const since = this.log.loadBeganAt(load) ?? 0;
    const unfollowed = [...log.state.calls.values()].filter(
      ({ name, settledAt = 0 }) => (name === 'unknown' || name === 'lost') && settledAt >= since,
    ).length;
    const tasks = [...log.state.continuations.tasks.values()].filter(
      ({ startedAt, heardAt, ended }) => startedAt < since && heardAt >= since && ended === undefined,
    ).length;
    const isOldSse = log.state.era?.transport === 'sse';
    const now = state.name === 'reconnecting' ? this.#now.ms : Date.now();
    return describeStatus({ state, role, url, namesPositions, unfollowed, tasks, isOldSse, now });
  }

  /** What the server said of itself in the handshake. */
  get session(): Session | undefined {
    return this.#track().session;
  }

  get recovery(): RecoveryFigures {
    return figuresOf(this.#track().log.state.recovery);
  }

  get lastConnection(): LastConnection {
    return this.#track().log.state.lastConnection;
  }

  get isConnectionWanted(): boolean {
    const { name } = this.#track().state;
    return name !== 'idle' && name !== 'disconnected' && name !== 'failed';
  }

  /** Can it be asked at once? Not so when the page before was connected, and this one is only coming back. */
  get isConnected(): boolean {
    const { state, role } = this.#track();
    return state.name === 'connected' && (this.#hasOwnState || role === 'follows');
  }

  /** When this page last came back to a session. */
  get resumedAt(): number | undefined {
    return this.#resumedAt;
  }

  /** Events that the server replayed when its streams were resumed. */
  get recovered(): number | undefined {
    const { state } = this.#track();
    return state.name === 'connected' ? state.recovered : undefined;
  }

  get tools(): Catalog['tools'] {
    return this.#track().lists.tools;
  }

  /** Have the lists been read, in this page or an earlier one? */
  get hasLists(): boolean {
    return this.#track().lists.problems !== undefined;
  }

  /** What is wrong with a list, in words. */
  listProblem(list: ListName): string | undefined {
    return this.#track().lists.problems?.[list]?.map(reasonText).join(' ');
  }

  async readResource(uri: string): Promise<object> {
    const params = { uri };
    return (await this.#tab.execute({ name: 'request', method: 'resources/read', params })) as object;
  }

  async refreshLists(): Promise<void> {
    await this.#tab.execute({ name: 'lists' });
  }

  /** What is still running first, then the newest. */
  get calls(): readonly Call[] {
    const newestFirst = [...this.#track().log.state.calls.values()].filter(isToolCall).reverse();
    return [...newestFirst.filter(isOpen), ...newestFirst.filter((call) => !isOpen(call))];
  }

  get questions(): readonly Question[] {
    return [...this.#track().log.state.questions.values()].filter(({ method }) => method !== ROOTS_METHOD);
  }

  /** How it stands with a prompt or a resource that was asked for, in whatever page. */
  openRequest(method: AskedMethod, name: string): 'waits' | 'asked' | undefined {
    const calls = [...this.#track().log.state.calls.values()];
    const open = calls.find((one) => one.method === method && one.tool === name && isOpen(one));
    return open && (open.name === 'needs-input' ? 'asked' : 'waits');
  }

  /** Which way of the protocol the server speaks, since when that is known, and how. */
  get era(): EraVerdict | undefined {
    return this.#track().log.state.era;
  }

  /** Whether it is behind a bridge, and who replays. */
  get bridge(): BridgeMark | undefined {
    return this.#track().log.state.bridge;
  }

  /** How long its lists may be used without asking. */
  get cacheHints(): readonly CacheHint[] {
    return this.#track().log.state.hints.snapshot();
  }

  /** Those that ended without a person's answer. */
  get closedQuestions(): readonly ClosedQuestion[] {
    return this.#track().log.state.questions.closed;
  }

  get lists(): Catalog {
    return this.#track().lists;
  }

  /** The interfaces that it had, as they are stored. */
  interfaces(): Promise<unknown> {
    return this.#tab.interfaces();
  }

  get preferences(): ServerPreferences {
    return this.#track().preferences;
  }

  callOf(id: string | undefined): Call | undefined {
    return id === undefined ? undefined : this.#track().log.state.calls.get(id);
  }

  /** The log came from a file, and there is no server behind it. */
  get isImported(): boolean {
    return this.#tab.isImported;
  }

  /** Sends a request as it is: a call as a call, everything else as a plain request. */
  async sendAgain(method: string, params: object): Promise<void> {
    const tool = stringField(params, 'name');
    if (method === 'tools/call' && tool !== undefined) {
      await this.startCall(tool, objectField(params, 'arguments') ?? {});
    } else await this.#tab.execute({ name: 'request', method, params });
  }

  async startCall(tool: string, args: object, options: CallOptions = {}): Promise<void> {
    const { typed } = this.selection;
    const known = typed?.tool === tool ? { callId: typed.id } : {};
    const id = await this.#tab.execute({ name: 'call', tool, args, options: { ...options, ...known } });
    this.selection.pickCall(asText(id));
  }

  async cancel(callId: string): Promise<void> {
    await this.#tab.execute({ name: 'cancel', callId });
  }

  /** Asks for what a server has beside tools, or tells it what is wanted of it. */
  perform(command: PrimitiveCommand): Promise<unknown> {
    return this.#tab.execute({ name: 'primitive', command });
  }

  /** Runs it with the next frame that is drawn, once. */
  schedule(update: () => void): void {
    this.#frames.schedule(update);
  }

  async answer(requestId: string, result: object): Promise<void> {
    await this.#tab.execute({ name: 'answer', requestId, result });
  }

  async complete(requestId: string): Promise<void> {
    await this.#tab.execute({ name: 'complete', requestId });
  }

  async decline(requestId: string): Promise<void> {
    await this.#tab.execute({ name: 'decline', requestId });
  }

  /** The results of earlier page loads stand in the log, and are read when they are looked at. */
  async loadResult(callId: string | undefined = this.selection.call?.id): Promise<void> {
    if (callId !== undefined) await this.#tab.loadResult(callId);
  }

  #track(): ShownServer {
    this.#subscribe();
    return this.#tab;
  }

  #noteState(entry: Entry): void {
    if (entry.kind !== 'state') return;
    this.#hasOwnState = true;
    if (entry.state.name === 'connected' && entry.state.how === 'resumed') this.#resumedAt = entry.at;
  }
}
