/** The inspector as a test holds it: it throws where a person would see an error, and hands out calls to expect things of. */
import type { FrameLocator, Page } from '@playwright/test';
import { plural } from '../../src/base/format.ts';
import { bearerFromEnvironment } from '../access/bearerSource.ts';
import type { Activity, Call, ConnectOptions, Entry, PageState, Question, Tool } from '../contract.ts';
import { errorIn } from '../judge/errorIn.ts';
import type { Missed } from '../judge/judgeCall.ts';
import { observe, type Observed } from '../judge/observe.ts';
import type { BlipProxy } from '../page/blipProxy.ts';
import type { Inspector } from '../page/inspector.ts';
import { Secrets } from '../secrets.ts';
import { Interruptions } from './interruptions.ts';

/** Below the time that a test has, so that its own words are seen. */
const ASKED_WITHIN_MS = 10_000;

export class TestInspector {
  readonly #inspector: Inspector;
  readonly #network: BlipProxy;
  readonly #interruptions: Interruptions;
  #last: TestCall | undefined;

  constructor(inspector: Inspector, network: BlipProxy) {
    this.#inspector = inspector;
    this.#network = network;
    this.#interruptions = new Interruptions(network);
  }

  /** The page as it is now: after a crash it is another one. */
  get page(): Page {
    return this.#inspector.page;
  }

  /** Without a login of its own, it uses `MCP_REPRISE_BEARER` or the client credentials of the environment. */
  async connect(url: string, given: ConnectOptions = {}): Promise<PageState> {
    const isGiven = given.bearer !== undefined || given.headers !== undefined;
    const bearer = isGiven ? undefined : await bearerFromEnvironment(url, process.env)?.();
    const options = bearer === undefined ? given : { ...given, bearer };
    const state = await this.#inspector.connect(url, options);
    if (state.name === 'connected') return state;
    const why = state.name === 'failed' ? `${state.why} ${state.fix}` : `Connection state: ${state.name}.`;
    const secrets = new Secrets([{ url, ...options }]);
    throw new Error(secrets.text(`Can't connect to ${url}. ${why}`));
  }

  /** Calls a tool; resolves as soon as the call is on its way. */
  async call(tool: string, args: object = {}): Promise<TestCall> {
    this.#last = await this.#start(tool, args);
    return this.#last;
  }

  /**
   * Calls a tool and leaves it alone to its end: the measure for `toHaveLostNothing`. It must end with a result;
   * `mayFail`: or with an error.
   */
  async control(tool: string, args: object = {}, { mayFail = false } = {}): Promise<TestCall> {
    const call = await this.#start(tool, args);
    const ended = await call.ended();
    const error = errorIn(ended);
    if (ended.name !== 'settled')
      throw new Error(`The control call of "${tool}" is ${ended.name}. ${ended.why ?? ''}`);
    if (error === undefined || mayFail) return call;
    throw new Error(
      `The control call of "${tool}" returned an error: ${error} Pass other arguments, or { mayFail: true }.`,
    );
  }

  async #start(tool: string, args: object): Promise<TestCall> {
    const names = (await this.#inspector.tools()).map(({ name }) => name);
    if (!names.includes(tool)) {
      throw new Error(`Unknown tool "${tool}". Available: ${names.join(', ') || 'none'}.`);
    }
    return new TestCall(await this.#inspector.call(tool, args), this.#inspector, this.#interruptions);
  }

  /**
   * Waits until a call, by default the last one, has so many messages; then presses F5. The page is back when the
   * server has sent two messages that it missed.
   */
  async reloadAfter(messages: number, call: TestCall | undefined = this.#last): Promise<void> {
    if (!call) throw new Error('No call to wait for. Call a tool first.');
    await call.received(messages);
    await this.reload();
  }

  /** Presses F5. If a call is running, the page is back when the server has sent two messages that it missed. */
  async reload(): Promise<void> {
    await this.#inspector.reload(await this.#leaving());
  }

  /** The process of the tab dies, and a new tab is opened, as late as after `reload`. */
  async crash(): Promise<void> {
    await this.#inspector.crash(await this.#leaving());
  }

  /**
   * Cuts every connection to servers, open streams included. Call what it returns to have the network back, as soon as
   * the server has sent two messages that the page missed.
   */
  async goOffline(): Promise<() => Promise<void>> {
    const missing = await this.#leaving();
    const restore = this.#network.cut();
    return async () => {
      await missing();
      restore();
    };
  }

  async #leaving(): Promise<() => Promise<void>> {
    return this.#interruptions.begin(await this.#inspector.calls());
  }

  /** The view of a call (MCP Apps). The page shows the newest call, or the one that was picked. */
  app(call: TestCall | undefined = this.#last): FrameLocator {
    if (!call) throw new Error('No call to show. Call a tool first.');
    return this.page.frameLocator(`iframe[data-call="${call.id}"]`).frameLocator('iframe');
  }

  awaitActivity(options: { timeoutMs?: number; since?: string } = {}): Promise<Activity> {
    return this.#inspector.awaitActivity(options);
  }

  /** Waits until the server asks the person something. */
  async question(timeoutMs = ASKED_WITHIN_MS): Promise<Question> {
    const [question] = await this.#inspector.untilAsked(timeoutMs);
    if (!question)
      throw new Error(`The server sent no elicitation or sampling request within ${timeoutMs / 1000} s.`);
    return question;
  }

  answer(requestId: string, result: object): Promise<void> {
    return this.#inspector.answer(requestId, result);
  }

  state(): Promise<PageState> {
    return this.#inspector.state();
  }

  tools(): Promise<readonly Tool[]> {
    return this.#inspector.tools();
  }

  entries(filter?: string): Promise<readonly Entry[]> {
    return this.#inspector.entries(filter);
  }

  /** The log as redacted JSON, which the app imports. */
  exportLog(): Promise<string> {
    return this.#inspector.exportLog();
  }
}

export class TestCall {
  readonly id: string;
  readonly #inspector: Inspector;
  readonly #interruptions: Interruptions;

  constructor(id: string, inspector: Inspector, interruptions: Interruptions) {
    this.id = id;
    this.#inspector = inspector;
    this.#interruptions = interruptions;
  }

  /** The call as the page has it now. */
  now(): Promise<Call> {
    return this.#inspector.callNamed(this.id);
  }

  /** Waits until it has so many messages; one that ends before is an error. */
  async received(messages: number): Promise<void> {
    await this.#inspector.untilReceived(this.id, messages);
    const { received } = await this.now();
    if (received >= messages) return;
    throw new Error(`The call finished after ${plural(received, 'message')}, before it had ${messages}.`);
  }

  /** Waits for its end, whatever it is. */
  ended(timeoutMs?: number): Promise<Call> {
    return this.#inspector.untilEnded(this.id, timeoutMs);
  }

  /** Everything that the page's log tells about it. */
  async observed(): Promise<Observed> {
    return observe(await this.#inspector.entries(), await this.now());
  }

  /** What the server sent for it while no page was there; `undefined` if it was left alone. */
  missed(): Missed | undefined {
    return this.#interruptions.of(this.id);
  }
}
