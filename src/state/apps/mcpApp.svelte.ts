/** One open view of an MCP App: reads its document, frames it, and tells it of its call. */
import '../../base/withoutEval.ts';
import type {
  AppBridge,
  McpUiDisplayMode,
  McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { MessageLog } from '../../apps/messageLog.ts';
import { declaredDomains, featuresOf, policyOf, refusedDomains } from '../../apps/policy.ts';
import { resourceReady } from '../../apps/resourceReady.ts';
import { opaquePlace, type SandboxPlace } from '../../apps/sandboxPlace.ts';
import {
  nextView,
  type CallFacts,
  type ViewEffect,
  type ViewEvent,
  type ViewState,
} from '../../apps/viewMachine.ts';
import { assertNever } from '../../base/assertNever.ts';
import { systemClock } from '../../base/clock.ts';
import { errorMessage } from '../../base/format.ts';
import type { AppBody, AppFinding } from '../../log/entry/entry.ts';
import type { ServerView } from '../serverView.svelte.ts';
import { AppQuestions, type AppQuestion } from './appQuestions.svelte.ts';
import { DisplayMode } from './displayMode.svelte.ts';
import { findPlace } from './findPlace.ts';
import { FrameTransport } from './frameTransport.ts';
import { hostBridge, tellOfCall } from './hostBridge.ts';
import type { SandboxPorts } from './sandboxPorts.ts';
import { ViewCalls } from './viewCalls.ts';
import { documentsOf, openDocument, type KeptView } from './viewDocuments.ts';

export interface McpAppOptions {
  readonly server: ServerView;
  readonly callId: string;
  readonly uri: string;
  readonly call: () => CallFacts;
  readonly context: () => McpUiHostContext;
  readonly version: string;
  /** The origin of the sandbox, with a `*` for each server's name or port, where the host of the page has one. */
  readonly appsOrigin: string | undefined;
  readonly ports: SandboxPorts;
  /** Makes the frame and puts it into the page. */
  readonly frame: (place: SandboxPlace, allow: string) => HTMLIFrameElement;
}

const SANDBOX_WITHIN_MS = 4000;
const INITIALIZED_WITHIN_MS = 10_000;
const TEARDOWN_WITHIN_MS = 1000;
const CHANGED = 'The first document is no longer stored, and the server has another one.';

export class McpApp {
  readonly view = crypto.randomUUID();
  readonly display = new DisplayMode();
  readonly #o: McpAppOptions;
  readonly #log: MessageLog;
  readonly #questions = new AppQuestions();
  readonly #calls: ViewCalls;
  #state = $state.raw<ViewState>({ name: 'loading' });
  #place = $state.raw<SandboxPlace>();
  #problem = $state<string>();
  #height = $state<number>();
  #isKept = $state(false);
  #document = $state.raw<KeptView>();
  #bridge: AppBridge | undefined;
  #transport: FrameTransport | undefined;
  #frame: HTMLIFrameElement | undefined;
  #isReading = false;
  #isClosed = false;

  constructor(options: McpAppOptions) {
    this.#o = options;
    const { server, callId } = options;
    const { tab } = server.apps;
    this.#log = new MessageLog((records) => {
      const bodies: readonly AppBody[] = records.map((record) => ({ callId, view: this.view, ...record }));
      if (!tab.isImported) tab.execute({ name: 'record-app', bodies }).catch(() => undefined);
    }, systemClock);
    this.#calls = new ViewCalls({
      tab,
      callId,
      opened: (server.apps.facts(callId)?.opened ?? 0) + 1,
      openedAt: systemClock.now(),
      ask: (name) => this.#questions.ask('call-again', name),
      find: (finding, text) => this.#find(finding, text),
    });
  }

  get state(): ViewState {
    return this.#state;
  }

  /** Why there is no view. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get place(): SandboxPlace | undefined {
    return this.#place;
  }

  /** The height that the view asked for. */
  get height(): number | undefined {
    return this.#height;
  }

  /** What the view may reach outside. */
  get domains(): readonly string[] {
    return declaredDomains(this.#document?.ui['csp']);
  }

  get questions(): readonly AppQuestion[] {
    return this.#questions.waiting;
  }

  /** The document is the one of the first opening, from storage. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Reads the document, unless that's under way or done. Called again when the connection is back. */
  async open(): Promise<void> {
    if (this.#isReading || this.#isClosed || this.#state.name !== 'loading') return;
    this.#isReading = true;
    const { server } = this.#o;
    const wasConnected = server.isConnected;
    try {
      this.#document = await this.#readDocument();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = errorMessage(error);
    }
    this.#isReading = false;
    if (this.#isClosed) return undefined;
    if (this.#document) return this.#dispatch({ type: 'document-read' });
    return !wasConnected && server.isConnected ? this.open() : undefined;
  }

  /** The call has come on, or its arguments were typed. */
  callChanged(): void {
    this.#dispatch({ type: 'call-changed', call: this.#o.call() });
  }

  contextChanged(): void {
    if (this.#state.name === 'running' && !this.#isClosed) this.#bridge?.setHostContext(this.#context());
  }

  setMode(mode: McpUiDisplayMode): McpUiDisplayMode {
    this.display.set(mode);
    this.contextChanged();
    return this.display.current;
  }

  /** Tells the view, and resolves when it has answered or had its time. */
  async close(why: string): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#questions.close();
    if (this.#state.name === 'running') {
      const told = this.#bridge?.teardownResource({}, { timeout: TEARDOWN_WITHIN_MS });
      await told?.catch(() => undefined);
    }
    this.#dispatch({ type: 'stop', why });
  }

  async #readDocument(): Promise<KeptView> {
    const { server, callId, uri } = this.#o;
    const known = server.apps.facts(callId);
    const { view, from } = await openDocument(server.apps.tab, uri, known, documentsOf(server));
    this.#isKept = from === 'storage';
    if (from === 'changed') this.#find('document-changed', CHANGED);
    return view;
  }

  #dispatch(event: ViewEvent): void {
    const { state, effects } = nextView(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: ViewEffect): void {
    switch (effect.does) {
      case 'frame':
        void this.#frameAtOrigin();
        systemClock.after(SANDBOX_WITHIN_MS, () => this.#dispatch({ type: 'sandbox-late' }));
        return;
      case 'use-opaque-frame':
        if (this.#place?.origin === 'opaque') return;
        this.#removeFrame();
        this.#openFrame(opaquePlace(document.baseURI));
        return;
      case 'send-document':
        this.#sendDocument();
        systemClock.after(INITIALIZED_WITHIN_MS, () => this.#dispatch({ type: 'initialized-late' }));
        return;
      case 'report-not-initialized':
        this.#find('not-initialized', 'The view hasn’t sent ui/notifications/initialized.');
        return;
      case 'send-partial-input':
      case 'send-input':
      case 'send-result':
      case 'send-cancelled':
        if (this.#bridge) void tellOfCall(this.#bridge, effect);
        return;
      case 'remove-frame':
        this.#log.add({ step: 'closed', appText: this.#state.name === 'closed' ? this.#state.why : '' });
        this.#log.flush();
        this.#removeFrame();
        this.display.set('inline');
        return;
      default:
        assertNever(effect);
    }
  }

  async #frameAtOrigin(): Promise<void> {
    const { appsOrigin, server, ports } = this.#o;
    const page = document.baseURI;
    const place = await findPlace({ pattern: appsOrigin, server: server.id, page, ports });
    // Meanwhile it may be closed, or too late.
    if (this.#state.name === 'framing' && !this.#frame) this.#openFrame(place);
  }

  #openFrame(place: SandboxPlace): void {
    this.#place = place;
    this.#frame = this.#o.frame(place, featuresOf(this.#document?.ui['permissions']));
    const transport = new FrameTransport({
      frame: this.#frame,
      place,
      record: (record) => this.#log.add(record),
      onSandboxReady: () => this.#dispatch({ type: 'sandbox-ready' }),
      onFlood: () => {
        this.#problem = 'Stopped: the view sent too many messages.';
        this.#dispatch({ type: 'stop', why: 'too many messages' });
      },
    });
    this.#transport = transport;
    this.#bridge = this.#makeBridge();
    void this.#bridge.connect(transport);
    this.#frame.src = place.url;
  }

  #removeFrame(): void {
    void this.#bridge?.close();
    this.#bridge = undefined;
    this.#transport = undefined;
    this.#frame?.remove();
    this.#frame = undefined;
  }

  #sendDocument(): void {
    const view = this.#document;
    const place = this.#place;
    if (!view || !place) return;
    const { uri, sha256, ui } = view;
    this.#log.add({ step: 'opened', uri, sha256, origin: place.origin, appText: policyOf(ui['csp']) });
    for (const domain of refusedDomains(ui['csp']))
      this.#find('csp', `Not a domain: ${domain.slice(0, 100)}`);
    this.#transport?.post(resourceReady(view, place));
  }

  #context(): McpUiHostContext {
    return {
      ...this.#o.context(),
      displayMode: this.display.current,
      availableDisplayModes: this.display.ofPage,
    };
  }

  #makeBridge(): AppBridge {
    const { server, version } = this.#o;
    return hostBridge({
      server,
      version,
      ui: this.#document?.ui ?? {},
      context: this.#context(),
      onInitialized: (wanted) => {
        this.display.agree(wanted);
        this.#dispatch({ type: 'initialized', call: this.#o.call() });
      },
      onTeardownRequest: () => void this.close('closed by the view'),
      onHeight: (height) => (this.#height = height),
      setMode: (mode) => this.setMode(mode),
      askToOpen: (url) => this.#questions.ask('link', url),
      callTool: (name, args, signal) => this.#calls.call(name, args, signal),
    });
  }

  #find(finding: AppFinding, appText: string): void {
    this.#log.add({ step: 'finding', finding, appText });
  }
}
