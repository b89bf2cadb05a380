/** One open view of an MCP App: reads its document, frames it, and serves its bridge. */
import '../base/withoutEval.ts';
import {
  AppBridge,
  type McpUiDisplayMode,
  type McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { MessageLog, type AppRecord } from '../apps/messageLog.ts';
import { featuresOf, policyOf, refusedDomains } from '../apps/policy.ts';
import { readDocument } from '../apps/readDocument.ts';
import { judgeRepeat } from '../apps/repeatedCall.ts';
import { opaquePlace, ownPlace, type SandboxPlace } from '../apps/sandboxPlace.ts';
import { mayAppCall } from '../apps/toolView.ts';
import {
  nextView,
  type CallFacts,
  type ViewEffect,
  type ViewEvent,
  type ViewState,
} from '../apps/viewMachine.ts';
import { assertNever } from '../base/assertNever.ts';
import { systemClock } from '../base/clock.ts';
import { objectField } from '../base/json.ts';
import { reason } from '../base/words.ts';
import type { AppFinding } from '../log/entry.ts';
import type { Call } from '../log/call.ts';
import { FrameTransport } from './frameTransport.ts';
import type { KeptView } from './serverApps.ts';
import type { ServerView } from './serverView.svelte.ts';

/** What the user is asked in the name of a view. */
export interface AppQuestion {
  readonly about: 'link' | 'call-again';
  readonly text: string;
  answer(isAllowed: boolean): void;
}

export interface McpAppOptions {
  readonly server: ServerView;
  readonly callId: string;
  readonly tool: string;
  readonly uri: string;
  readonly call: () => CallFacts;
  readonly context: () => McpUiHostContext;
  readonly version: string;
  /** The origin of the sandbox, with a `*` for each server, where the host of the page has one. */
  readonly appsOrigin: string | undefined;
  /** Makes the frame and puts it into the page. */
  readonly frame: (place: SandboxPlace, allow: string) => HTMLIFrameElement;
}

const SANDBOX_WITHIN_MS = 4000;
const INITIALIZED_WITHIN_MS = 10_000;
const TEARDOWN_WITHIN_MS = 1000;
const MODES: readonly McpUiDisplayMode[] = ['inline', 'fullscreen', 'pip'];
/** SEP-1865: implementation-defined. */
const REFUSED = -32000;
/** So many questions wait at a time; a view that asks for more is refused. */
const MOST_QUESTIONS = 3;

export class McpApp {
  readonly view = crypto.randomUUID();
  readonly #o: McpAppOptions;
  readonly #log: MessageLog;
  readonly #own = new Set<string>();
  /** Counted here, because the log hears of this opening later than the view may call a tool. */
  readonly #opened: number;
  readonly #openedAt = systemClock.now();
  #state = $state.raw<ViewState>({ name: 'loading' });
  #place = $state.raw<SandboxPlace>();
  #problem = $state<string>();
  #height = $state<number>();
  #mode = $state<McpUiDisplayMode>('inline');
  #modes = $state.raw<readonly McpUiDisplayMode[]>(['inline']);
  #questions = $state.raw<readonly AppQuestion[]>([]);
  #isKept = $state(false);
  #document: KeptView | undefined;
  #bridge: AppBridge | undefined;
  #transport: FrameTransport | undefined;
  #frame: HTMLIFrameElement | undefined;
  #isReading = false;
  #isClosed = false;

  constructor(options: McpAppOptions) {
    this.#o = options;
    const { server, callId } = options;
    this.#opened = (server.apps.facts(callId)?.opened ?? 0) + 1;
    this.#log = new MessageLog((records) => {
      server.apps.record(records.map((record) => ({ callId, view: this.view, ...record })));
    }, systemClock);
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

  get mode(): McpUiDisplayMode {
    return this.#mode;
  }

  /** The display modes that the view and the page both have. */
  get modes(): readonly McpUiDisplayMode[] {
    return this.#modes;
  }

  get questions(): readonly AppQuestion[] {
    return this.#questions;
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
      this.#problem = reason(error);
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
    if (this.#modes.includes(mode)) this.#mode = mode;
    this.contextChanged();
    return this.#mode;
  }

  /** Tells the view, and resolves when it has answered or had its time. */
  async close(why: string): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const question of this.#questions) question.answer(false);
    if (this.#state.name === 'running') {
      const told = this.#bridge?.teardownResource({}, { timeout: TEARDOWN_WITHIN_MS });
      await told?.catch(() => undefined);
    }
    this.#dispatch({ type: 'stop', why });
  }

  async #readDocument(): Promise<KeptView> {
    const { server, callId, uri } = this.#o;
    const known = server.apps.facts(callId);
    const kept = known && (await server.apps.kept(known.sha256));
    if (kept) {
      this.#isKept = true;
      return kept;
    }
    const read = readDocument(uri, await server.readResource(uri));
    if (!read.ok) throw new Error(read.error);
    const view = { sha256: await sha256Of(read.value.html), ...read.value };
    if (known && known.sha256 !== view.sha256)
      this.#find(
        'document-changed',
        'The first document is no longer stored, and the server has another one.',
      );
    await server.apps.keep(view).catch(() => undefined);
    return view;
  }

  #dispatch(event: ViewEvent): void {
    const { state, effects } = nextView(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: ViewEffect): void {
    switch (effect.does) {
      case 'frame': {
        const { appsOrigin, server } = this.#o;
        this.#openFrame(
          appsOrigin === undefined ? opaquePlace(document.baseURI) : ownPlace(appsOrigin, server.id),
        );
        systemClock.after(SANDBOX_WITHIN_MS, () => this.#dispatch({ type: 'sandbox-late' }));
        return;
      }
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
        void this.#bridge?.sendToolInputPartial({ arguments: { ...effect.args } });
        return;
      case 'send-input':
        void this.#bridge?.sendToolInput({ arguments: { ...effect.args } });
        return;
      case 'send-result':
        void this.#bridge?.sendToolResult(effect.result as CallToolResult);
        return;
      case 'send-cancelled':
        void this.#bridge?.sendToolCancelled({ reason: effect.why });
        return;
      case 'remove-frame':
        this.#log.add({ step: 'closed', appText: this.#state.name === 'closed' ? this.#state.why : '' });
        this.#log.flush();
        this.#removeFrame();
        return;
      default:
        assertNever(effect);
    }
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
    const record: AppRecord = {
      step: 'opened',
      uri,
      sha256,
      origin: place.origin,
      appText: policyOf(ui['csp']),
    };
    this.#log.add(record);
    for (const domain of refusedDomains(ui['csp']))
      this.#find('csp', `Not a domain: ${domain.slice(0, 100)}`);
    this.#transport?.post({
      jsonrpc: '2.0',
      method: 'ui/notifications/sandbox-resource-ready',
      params: {
        html: view.html,
        policy: policyOf(ui['csp']),
        sandbox: place.attribute,
        allow: featuresOf(ui['permissions']),
      },
    });
  }

  #context(): McpUiHostContext {
    return { ...this.#o.context(), displayMode: this.#mode, availableDisplayModes: [...MODES] };
  }

  #makeBridge(): AppBridge {
    const { server, version } = this.#o;
    const ui = this.#document?.ui ?? {};
    const sandbox = { csp: objectField(ui, 'csp') ?? {}, permissions: objectField(ui, 'permissions') ?? {} };
    const bridge = new AppBridge(
      null,
      { name: 'reprise', title: 'Reprise', version },
      {
        openLinks: {},
        serverTools: {},
        serverResources: {},
        logging: {},
        sandbox,
        message: { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {}, structuredContent: {} },
        updateModelContext: { text: {}, image: {}, structuredContent: {} },
      },
      { hostContext: this.#context() },
    );
    bridge.addEventListener('initialized', () => {
      const wanted = bridge.getAppCapabilities()?.availableDisplayModes;
      this.#modes = MODES.filter(
        (mode) => mode === 'inline' || wanted === undefined || wanted.includes(mode),
      );
      this.#dispatch({ type: 'initialized', call: this.#o.call() });
    });
    bridge.addEventListener('sizechange', ({ height }) => {
      if (height !== undefined && Number.isFinite(height)) this.#height = height;
    });
    bridge.onrequestdisplaymode = ({ mode }) => Promise.resolve({ mode: this.setMode(mode) });
    // Messages and the model context are in the log, and are shown from there.
    bridge.onmessage = () => Promise.resolve({});
    bridge.onupdatemodelcontext = () => Promise.resolve({});
    bridge.addEventListener('loggingmessage', () => undefined);
    bridge.onopenlink = async ({ url }) => {
      await this.#openLink(url);
      return {};
    };
    bridge.oncalltool = ({ name, arguments: args = {} }, { mcpReq }) =>
      this.#callTool(name, args, mcpReq.signal);
    bridge.onreadresource = async ({ uri }) => (await server.readResource(uri)) as never;
    bridge.onlistresources = () => Promise.resolve({ resources: [...server.lists.resources] });
    bridge.onlistresourcetemplates = () =>
      Promise.resolve({ resourceTemplates: [...server.lists.resourceTemplates] });
    bridge.onlistprompts = () => Promise.resolve({ prompts: [...server.lists.prompts] });
    return bridge;
  }

  async #openLink(url: string): Promise<void> {
    const parsed = URL.parse(url);
    if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') throw refusal('Invalid URL');
    if (!(await this.#ask('link', parsed.href))) throw refusal('Link opening denied by user');
    window.open(parsed.href, '_blank', 'noopener,noreferrer');
  }

  async #callTool(name: string, args: object, signal: AbortSignal): Promise<CallToolResult> {
    const { server, callId } = this.#o;
    const tool = server.tools.find((one) => one.name === name);
    if (tool && !mayAppCall(tool)) {
      this.#find('tool-refused', `${name}: its visibility lacks “app”`);
      throw refusal(`The tool ${name} isn't visible to apps`);
    }
    const { readOnlyHint, idempotentHint } = tool?.annotations ?? {};
    const verdict = judgeRepeat(name, args, {
      callId,
      opened: this.#opened,
      openedAt: this.#openedAt,
      isRepeatable: readOnlyHint === true || idempotentHint === true,
      calls: server.apps.calls(),
      own: this.#own,
    });
    if (verdict !== 'pass')
      this.#find(
        'called-again',
        `${name}, ${verdict === 'ask' ? 'with the same arguments' : 'with other arguments'}`,
      );
    if (verdict === 'ask' && !(await this.#ask('call-again', name))) throw refusal('Declined by the user');
    signal.throwIfAborted();
    const id = await server.apps.begin(name, args, callId);
    this.#own.add(id);
    signal.addEventListener('abort', () => void server.cancel(id).catch(() => undefined));
    return resultOf(await server.apps.ended(id));
  }

  #ask(about: AppQuestion['about'], text: string): Promise<boolean> {
    if (this.#isClosed || this.#questions.length >= MOST_QUESTIONS) return Promise.resolve(false);
    return new Promise((resolve) => {
      const question: AppQuestion = {
        about,
        text,
        answer: (isAllowed) => {
          this.#questions = this.#questions.filter((one) => one !== question);
          resolve(isAllowed);
        },
      };
      this.#questions = [...this.#questions, question];
    });
  }

  #find(finding: AppFinding, appText: string): void {
    this.#log.add({ step: 'finding', finding, appText });
  }
}

function resultOf({ result, error, name }: Call): CallToolResult {
  if (result) return result as CallToolResult;
  throw Object.assign(new Error(error?.message ?? `The call is ${name}`), { code: error?.code ?? REFUSED });
}

const refusal = (message: string): Error => Object.assign(new Error(message), { code: REFUSED });

async function sha256Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
