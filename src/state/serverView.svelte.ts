/** One server as the screen sees it: read from its log, and told of changes at most once a frame. */
import type { Tool } from '@modelcontextprotocol/client';
import { createSubscriber } from 'svelte/reactivity';
import type { LoginWay } from '../auth/authorizer.ts';
import type { GrantInfo } from '../auth/grant.ts';
import { openLogin } from '../auth/loginWindow.ts';
import type { Lists } from '../client/lists.ts';
import type { ServerTab } from '../client/serverTab.ts';
import { isOpen, type Call } from '../log/call.ts';
import type { Entry } from '../log/entry.ts';
import type { Question } from '../log/question.ts';
import type { FrameBatcher } from './frameBatcher.ts';
import type { KeptText } from './keptText.ts';
import { LoadTimes } from './loadTimes.ts';
import { describeStatus, type Status } from './statusSentence.ts';
import { TimelineView } from './timelineView.svelte.ts';

type AuthEntry = Extract<Entry, { kind: 'auth' }>;

/** A login has about ten. */
const SHOWN_STEPS = 60;

export class ServerView {
  readonly id: string;
  readonly timeline: TimelineView;
  readonly #tab: ServerTab;
  readonly #kept: KeptText;
  readonly #loads = new LoadTimes();
  /** What the log holds is not copied: only that it has changed is told. */
  readonly #subscribe: () => void;
  #pickedTool = $state<string>();
  #pickedCall = $state<string>();
  #grant = $state.raw<GrantInfo>();
  #warnings = $state.raw<readonly string[]>([]);

  constructor(tab: ServerTab, frames: FrameBatcher, kept: KeptText) {
    this.#tab = tab;
    this.id = tab.id;
    this.#kept = kept;
    this.#pickedTool = kept.read(this.#toolKey());
    this.timeline = new TimelineView(tab, frames);
    this.#loads.note(tab.log.tail);
    tab.log.appended.on((entries) => {
      this.#loads.note(entries);
      this.#noteWarnings(entries);
      if (entries.some(({ kind }) => kind === 'auth')) void this.loadGrant();
    });
    this.#subscribe = createSubscriber((update) => {
      const undo = [
        tab.log.appended.on(() => frames.schedule(update)),
        tab.changed.on(() => frames.schedule(update)),
      ];
      return () => undo.forEach((stop) => stop());
    });
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
    return describeStatus({ state, role, url, namesPositions, unfollowed, now: Date.now() });
  }

  get isConnectionWanted(): boolean {
    const { name } = this.#track().state;
    return name !== 'idle' && name !== 'disconnected' && name !== 'failed';
  }

  get isConnected(): boolean {
    return this.#track().state.name === 'connected';
  }

  /** What the server waits for, if it waits for a person. */
  get awaited(): { readonly why: string; readonly ask: 'login' | 'client' } | undefined {
    const { state } = this.#track();
    return state.name === 'authorizing' ? state : undefined;
  }

  get tools(): Lists['tools'] {
    return this.#track().lists.tools;
  }

  /** What is still running first, then the newest. */
  get calls(): readonly Call[] {
    const newestFirst = [...this.#track().log.head.calls.values()].reverse();
    return [...newestFirst.filter(isOpen), ...newestFirst.filter((call) => !isOpen(call))];
  }

  get questions(): readonly Question[] {
    return [...this.#track().log.head.questions.values()];
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
    const picked = this.#pickedCall;
    const calls = this.#track().log.head.calls;
    return (picked === undefined ? undefined : calls.get(picked)) ?? this.#newestCall();
  }

  callOf(id: string | undefined): Call | undefined {
    return id === undefined ? undefined : this.#track().log.head.calls.get(id);
  }

  loadBeganAt(load: number): number | undefined {
    return this.#loads.beganAt(load);
  }

  pickTool(name: string | undefined): void {
    this.#pickedTool = name;
    this.#kept.write(this.#toolKey(), name);
  }

  pickCall(id: string): void {
    this.#pickedCall = id;
    void this.loadResult(id);
  }

  dismissWarnings(): void {
    this.#warnings = [];
  }

  async startCall(tool: string, args: object): Promise<void> {
    const id = await this.#tab.execute({ name: 'call', tool, args, options: {} });
    this.#pickedCall = String(id);
  }

  /** Leaves for the login page, or opens it beside this one. */
  async logIn(way: LoginWay): Promise<void> {
    await openLogin(way, () => this.#tab.beginLogin(way));
  }

  /** The newest steps of the authorization, newest first. */
  get authSteps(): readonly AuthEntry[] {
    const { tail } = this.#track().log;
    return tail
      .filter((entry) => entry.kind === 'auth')
      .slice(-SHOWN_STEPS)
      .reverse();
  }

  /** What is known of the login, without its secrets. */
  get grant(): GrantInfo | undefined {
    return this.#grant;
  }

  async loadGrant(): Promise<void> {
    this.#grant = await this.#tab.grant();
  }

  async refreshToken(): Promise<void> {
    await this.#tab.refreshToken();
    await this.loadGrant();
  }

  async expireToken(): Promise<void> {
    await this.#tab.expireToken();
    await this.loadGrant();
  }

  async logOut(): Promise<void> {
    await this.#tab.logOut();
    await this.loadGrant();
  }

  async declineLogin(): Promise<void> {
    await this.#tab.declineLogin();
  }

  async cancel(callId: string): Promise<void> {
    await this.#tab.execute({ name: 'cancel', callId });
  }

  async answer(requestId: string, result: object): Promise<void> {
    await this.#tab.execute({ name: 'answer', requestId, result });
  }

  async decline(requestId: string): Promise<void> {
    await this.#tab.execute({ name: 'decline', requestId });
  }

  /** The results of earlier page loads stand in the log, and are read when they are looked at. */
  async loadResult(callId: string | undefined = this.call?.id): Promise<void> {
    if (callId !== undefined) await this.#tab.loadResult(callId);
  }

  #track(): ServerTab {
    this.#subscribe();
    return this.#tab;
  }

  #newestCall(): Call | undefined {
    return [...this.#track().log.head.calls.values()].at(-1);
  }

  #toolKey(): string {
    return `reprise.tool/${this.id}`;
  }

  #noteWarnings(entries: readonly Entry[]): void {
    const texts = entries.flatMap((entry) =>
      entry.kind === 'note' && entry.level !== 'info' ? [entry.text] : [],
    );
    if (texts.length > 0) this.#warnings = [...this.#warnings, ...texts];
  }
}
