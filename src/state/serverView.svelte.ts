/** One server as the screen sees it: read from its log, and told of changes at most once a frame. */
import type { Tool } from '@modelcontextprotocol/client';
import { createSubscriber } from 'svelte/reactivity';
import { ulid } from 'ulid';
import { asText } from '../base/asText.ts';
import type { BridgeMark } from '../base/bridgeContract.ts';
import { objectField, stringField } from '../base/json.ts';
import type { Credentials, Session } from '../client/connection.ts';
import type { CallOptions } from '../client/calls.ts';
import type { Lists } from '../client/lists.ts';
import { otherTasks } from '../client/otherTasks.ts';
import type { PrimitiveCommand } from '../client/primitives.ts';
import type { ServerSettings } from '../client/serverRecord.ts';
import type { Wishes } from '../client/wishes.ts';
import { isOpen, isToolCall, type AskedMethod, type Call } from '../log/call.ts';
import type { CacheHint } from '../log/cacheHint.ts';
import type { Entry } from '../log/entry.ts';
import type { EraVerdict } from '../log/era.ts';
import type { ListName } from '../log/reasonFacts.ts';
import { reasonText } from '../log/reasonText.ts';
import type { LastConnection } from '../log/lastConnection.ts';
import { figuresOf, type RecoveryFigures } from '../log/recovery.ts';
import { ROOTS_METHOD, type ClosedQuestion, type Question } from '../log/question.ts';
import type { ListedTask, Task } from '../log/task.ts';
import type { FrameBatcher } from '../base/frameBatcher.ts';
import type { KeptText } from './keptText.ts';
import { LoadTimes } from './loadTimes.ts';
import { LoginView } from './loginView.svelte.ts';
import { Now } from './now.svelte.ts';
import { Place } from './place.svelte.ts';
import { Seen } from './seen.ts';
import { ServerApps } from './serverApps.ts';
import { describeStatus, type Status } from './statusSentence.ts';
import { TimelineView } from './timelineView.svelte.ts';
import type { ShownServer } from './shownServer.ts';

/** How rows of calls are named. */
const CALL_ROW = 'call/';
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** A call whose arguments are still being typed, and whose view is open already. It gets this ID when it's made. */
export interface TypedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: object;
  readonly name: 'typing';
}

export class ServerView {
  readonly id: string;
  readonly timeline: TimelineView;
  /** The open section, and what else of the view comes back in this tab. */
  readonly place: Place;
  readonly login: LoginView;
  /** What is new in its sections since they were last open in this tab. */
  readonly seen: Seen;
  /** What the views of MCP Apps need of this server. */
  readonly apps: ServerApps;
  readonly #tab: ShownServer;
  readonly #kept: KeptText;
  readonly #now = new Now();
  readonly #frames: FrameBatcher;
  readonly #loads = new LoadTimes();
  /** What the log holds is not copied: only that it has changed is told. */
  readonly #subscribe: () => void;
  #pickedTool = $state<string>();
  /** The row of an exchange: a call, a read, a list. */
  #picked = $state<string>();
  #typed = $state.raw<TypedCall>();
  #resumedAt = $state<number>();
  /** Until then the state is what the page before has left. */
  #hasOwnState = $state(false);
  #warnings = $state.raw<readonly string[]>([]);

  constructor(tab: ShownServer, frames: FrameBatcher, kept: KeptText) {
    this.#tab = tab;
    this.id = tab.id;
    this.#kept = kept;
    this.#frames = frames;
    this.place = new Place(kept, tab.id);
    this.seen = new Seen(this.place, () => {
      const { lists, log } = this.#track();
      const { calls, followUps, logMessages } = log.head;
      return { lists, calls: [...calls.values()], tasks: [...followUps.tasks.values()], logMessages };
    });
    this.#pickedTool = kept.read(this.#toolKey());
    this.timeline = new TimelineView(tab, frames, kept);
    this.#loads.note(tab.log.tail);
    tab.log.appended.on((entries) => {
      this.#loads.note(entries);
      this.#noteWarnings(entries);
      for (const entry of entries) this.#noteState(entry);
    });
    this.login = new LoginView(tab, () => this.#track());
    this.apps = new ServerApps(tab, () => this.#track());
    this.#subscribe = createSubscriber((update) => {
      const undo = [
        tab.log.appended.on(() => frames.schedule(update)),
        tab.changed.on(() => frames.schedule(update)),
      ];
      return () => undo.forEach((stop) => stop());
    });
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
    const { namesPositions, load } = log.head;
    const since = this.#loads.beganAt(load) ?? 0;
    const unfollowed = [...log.head.calls.values()].filter(
      ({ name, settledAt = 0 }) => (name === 'unknown' || name === 'lost') && settledAt >= since,
    ).length;
    const tasks = [...log.head.followUps.tasks.values()].filter(
      ({ startedAt, heardAt, ended }) => startedAt < since && heardAt >= since && ended === undefined,
    ).length;
    const isOldSse = log.head.era?.transport === 'sse';
    const now = state.name === 'reconnecting' ? this.#now.ms : Date.now();
    return describeStatus({ state, role, url, namesPositions, unfollowed, tasks, isOldSse, now });
  }

  /** What the server said of itself in the handshake. */
  get session(): Session | undefined {
    return this.#track().session;
  }

  get recovery(): RecoveryFigures {
    return figuresOf(this.#track().log.head.recovery);
  }

  get lastConnection(): LastConnection {
    return this.#track().log.head.lastConnection;
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

  get tools(): Lists['tools'] {
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
    const newestFirst = [...this.#track().log.head.calls.values()].filter(isToolCall).reverse();
    return [...newestFirst.filter(isOpen), ...newestFirst.filter((call) => !isOpen(call))];
  }

  get questions(): readonly Question[] {
    return [...this.#track().log.head.questions.values()].filter(({ method }) => method !== ROOTS_METHOD);
  }

  /** How it stands with a prompt or a resource that was asked for, in whatever page. */
  openRequest(method: AskedMethod, name: string): 'waits' | 'asked' | undefined {
    const calls = [...this.#track().log.head.calls.values()];
    const open = calls.find((one) => one.method === method && one.tool === name && isOpen(one));
    return open && (open.name === 'needs-input' ? 'asked' : 'waits');
  }

  /** The newest first. */
  get tasks(): readonly Task[] {
    return [...this.#track().log.head.followUps.tasks.values()].reverse();
  }

  /** Not started here, as the server listed them last. */
  get otherTasks(): readonly ListedTask[] {
    return otherTasks(this.#track());
  }

  /** MCP 2025-11-25, Tasks: what the server offers beside the tasks themselves. */
  get taskAbilities(): { readonly lists: boolean; readonly cancels: boolean } {
    const { list, cancel } = this.session?.handshake.capabilities.tasks ?? {};
    return { lists: list !== undefined, cancels: cancel !== undefined };
  }

  async refreshTasks(): Promise<void> {
    await this.#tab.execute({ name: 'list-tasks' });
  }

  async followTask(taskId: string): Promise<void> {
    await this.#tab.execute({ name: 'follow-task', taskId });
  }

  async cancelTask(taskId: string): Promise<void> {
    await this.#tab.execute({ name: 'cancel-task', taskId });
  }

  get offersTasks(): boolean {
    const capabilities = this.session?.handshake.capabilities;
    return capabilities?.tasks !== undefined || capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;
  }

  /** Which way of the protocol the server speaks, since when that is known, and how. */
  get era(): EraVerdict | undefined {
    return this.#track().log.head.era;
  }

  /** Whether it is behind a bridge, and who replays. */
  get bridge(): BridgeMark | undefined {
    return this.#track().log.head.bridge;
  }

  /** How long its lists may be used without asking. */
  get cacheHints(): readonly CacheHint[] {
    return this.#track().log.head.hints.snapshot();
  }

  /** Those that ended without a person's answer. */
  get closedQuestions(): readonly ClosedQuestion[] {
    return this.#track().log.head.questions.closed;
  }

  get lists(): Lists {
    return this.#track().lists;
  }

  /** The interfaces that it had, as they are stored. */
  interfaces(): Promise<unknown> {
    return this.#tab.interfaces();
  }

  get wishes(): Wishes {
    return this.#track().wishes;
  }

  /** The newest entries, as many as are in memory. */
  get tail(): readonly Entry[] {
    return this.#track().log.tail;
  }

  /** What went wrong with the log itself in this page load. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  get hasPickedTool(): boolean {
    return this.#pickedTool !== undefined;
  }

  /** The tool that was picked; else the one that was called last; else the first. */
  get tool(): Tool | undefined {
    const wanted = this.#pickedTool ?? this.#newestCall()?.tool;
    return this.tools.find(({ name }) => name === wanted) ?? this.tools[0];
  }

  /** The call that was picked; else the newest. */
  get call(): Call | undefined {
    const picked = this.#picked;
    const callId = picked?.startsWith(CALL_ROW) ? picked.slice(CALL_ROW.length) : undefined;
    return this.callOf(callId) ?? this.#newestCall();
  }

  /** The row of the exchange that the list, the lanes and the details show as selected. */
  get picked(): string | undefined {
    const { call } = this;
    return this.#picked ?? (call && `${CALL_ROW}${call.id}`);
  }

  pick(row: string | undefined): void {
    this.#typed = undefined;
    this.#picked = row;
    if (row?.startsWith(CALL_ROW)) void this.loadResult(row.slice(CALL_ROW.length));
  }

  callOf(id: string | undefined): Call | undefined {
    return id === undefined ? undefined : this.#track().log.head.calls.get(id);
  }

  /** How many page loads began while this call was running. */
  reloadsDuring({ startedAt, settledAt = Infinity }: Pick<Call, 'startedAt' | 'settledAt'>): number {
    this.#track();
    return this.#loads.countIn(startedAt, settledAt);
  }

  /** The page load that this page is. */
  get load(): number {
    return this.#track().log.head.load;
  }

  /** The number that the next entry gets. */
  get nextSeq(): number {
    return this.#track().log.head.nextSeq;
  }

  loadBeganAt(load: number): number | undefined {
    return this.#loads.beganAt(load);
  }

  get typed(): TypedCall | undefined {
    return this.#typed;
  }

  /** Shows the view of a tool while its arguments are typed. */
  typeCall(tool: string, args: object): void {
    const id = this.#typed?.tool === tool ? this.#typed.id : ulid();
    this.#typed = { id, tool, args, name: 'typing' };
  }

  pickTool(name: string | undefined): void {
    this.#typed = undefined;
    this.#pickedTool = name;
    this.#kept.write(this.#toolKey(), name);
  }

  pickCall(id: string): void {
    this.pick(`${CALL_ROW}${id}`);
  }

  /** Goes to where the call and its result are. */
  showCall(id: string): void {
    const tool = this.callOf(id)?.tool;
    if (tool !== undefined) this.pickTool(tool);
    this.pickCall(id);
    this.place.write('section', 'tools');
  }

  dismissWarnings(): void {
    this.#warnings = [];
  }

  /** The log came from a file, and there is no server behind it. */
  get isImported(): boolean {
    return this.#tab.isImported;
  }

  /** All entries, oldest first, a few at a time. */
  entries(): AsyncGenerator<readonly Entry[]> {
    return this.#tab.entries();
  }

  /** All entries as they may be shared. */
  sharedEntries(): AsyncGenerator<readonly Entry[]> {
    return this.#tab.sharedEntries();
  }

  /** These as they may be shared. */
  shared(entries: readonly Entry[]): readonly Entry[] {
    return entries.map((entry) => this.#tab.shared(entry));
  }

  /** Sends a request as it is: a call as a call, everything else as a plain request. */
  async sendAgain(method: string, params: object): Promise<void> {
    const tool = stringField(params, 'name');
    if (method === 'tools/call' && tool !== undefined) {
      await this.startCall(tool, objectField(params, 'arguments') ?? {});
    } else await this.#tab.execute({ name: 'request', method, params });
  }

  async startCall(tool: string, args: object, options: CallOptions = {}): Promise<void> {
    const typed = this.#typed?.tool === tool ? { callId: this.#typed.id } : {};
    const id = await this.#tab.execute({ name: 'call', tool, args, options: { ...options, ...typed } });
    this.#picked = `${CALL_ROW}${asText(id)}`;
    this.#typed = undefined;
  }

  async cancel(callId: string): Promise<void> {
    await this.#tab.execute({ name: 'cancel', callId });
  }

  /** Asks for what a server has beside tools, or tells it what is wanted of it. */
  perform(command: PrimitiveCommand): Promise<unknown> {
    return this.#tab.execute({ name: 'primitive', command });
  }

  /** @returns the undo */
  onEntries(listener: (entries: readonly Entry[]) => void): () => void {
    return this.#tab.log.appended.on(listener);
  }

  /** Runs it with the next frame that is drawn, once. */
  schedule(update: () => void): void {
    this.#frames.schedule(update);
  }

  newestEntries(count: number, passes: (entry: Entry) => boolean): Promise<readonly Entry[]> {
    return this.#tab.newestEntries(count, passes);
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
  async loadResult(callId: string | undefined = this.call?.id): Promise<void> {
    if (callId !== undefined) await this.#tab.loadResult(callId);
  }

  #track(): ShownServer {
    this.#subscribe();
    return this.#tab;
  }

  /** A call that a view made doesn't take the place of the call that the view belongs to. */
  #newestCall(): Call | undefined {
    const calls = [...this.#track().log.head.calls.values()];
    return calls.filter((call) => isToolCall(call) && call.appOf === undefined).at(-1);
  }

  #noteState(entry: Entry): void {
    if (entry.kind !== 'state') return;
    this.#hasOwnState = true;
    if (entry.state.name === 'connected' && entry.state.how === 'resumed') this.#resumedAt = entry.at;
  }

  #toolKey(): string {
    return `reprise.tool/${encodeURIComponent(this.id)}`;
  }

  #noteWarnings(entries: readonly Entry[]): void {
    const texts = entries.flatMap((entry) =>
      entry.kind === 'note' && entry.level !== 'info' ? [reasonText(entry.reason)] : [],
    );
    if (texts.length > 0) this.#warnings = [...this.#warnings, ...texts];
  }
}
