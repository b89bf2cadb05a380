/** The inspector as a test holds it: it throws where a person would see an error, and hands out calls to expect things of. */
import type { Page } from '@playwright/test';
import type { Activity, Call, ConnectOptions, Entry, PageState, Question, Tool } from '../contract.ts';
import { observe, type Observed } from '../judge/observe.ts';
import type { BlipProxy } from '../page/blipProxy.ts';
import type { Inspector } from '../page/inspector.ts';
import { Secrets } from '../secrets.ts';

export class TestInspector {
  readonly #inspector: Inspector;
  readonly #network: BlipProxy;
  #last: TestCall | undefined;

  constructor(inspector: Inspector, network: BlipProxy) {
    this.#inspector = inspector;
    this.#network = network;
  }

  /** The page as it is now: after a crash it is another one. */
  get page(): Page {
    return this.#inspector.page;
  }

  async connect(url: string, options: ConnectOptions = {}): Promise<PageState> {
    const state = await this.#inspector.connect(url, options);
    if (state.name === 'connected') return state;
    const why = state.name === 'failed' ? `${state.why} ${state.fix}` : `The page is ${state.name}.`;
    const secrets = new Secrets([{ url, ...options }]);
    throw new Error(secrets.text(`The inspector could not connect to ${url}. ${why}`));
  }

  /** Calls a tool; resolves as soon as the call is on its way. */
  async call(tool: string, args: object = {}): Promise<TestCall> {
    this.#last = new TestCall(await this.#inspector.call(tool, args), this.#inspector);
    return this.#last;
  }

  /** Calls a tool and leaves it alone to its end: the measure for `toHaveLostNothing`. */
  async control(tool: string, args: object = {}): Promise<TestCall> {
    const call = new TestCall(await this.#inspector.call(tool, args), this.#inspector);
    await call.ended();
    return call;
  }

  /** Waits until a call, by default the last one, has so many messages; then presses F5. */
  async reloadAfter(messages: number, call: TestCall | undefined = this.#last): Promise<void> {
    await this.#inspector.reloadAfter(messages, call?.id);
  }

  reload(): Promise<void> {
    return this.#inspector.reload();
  }

  /** The process of the tab dies, and a new tab is opened. */
  crash(): Promise<void> {
    return this.#inspector.crash();
  }

  /** Cuts every connection to servers, open streams included. Call what it returns to have the network back. */
  async goOffline(): Promise<() => Promise<void>> {
    const restore = this.#network.cut();
    return async () => restore();
  }

  awaitActivity(options: { timeoutMs?: number; since?: string } = {}): Promise<Activity> {
    return this.#inspector.awaitActivity(options);
  }

  /** Waits until the server asks the person something. */
  async question(timeoutMs?: number): Promise<Question> {
    const [question] = await this.#inspector.untilAsked(timeoutMs);
    if (!question) throw new Error('The server has asked nothing.');
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
}

export class TestCall {
  readonly id: string;
  readonly #inspector: Inspector;

  constructor(id: string, inspector: Inspector) {
    this.id = id;
    this.#inspector = inspector;
  }

  /** The call as the page has it now. */
  now(): Promise<Call> {
    return this.#inspector.callNamed(this.id);
  }

  /** Waits until it has so many messages, or has ended. */
  received(messages: number): Promise<void> {
    return this.#inspector.untilReceived(this.id, messages);
  }

  /** Waits for its end, whatever it is. */
  ended(timeoutMs?: number): Promise<Call> {
    return this.#inspector.untilEnded(this.id, timeoutMs);
  }

  /** Everything that the page's log tells about it. */
  async observed(): Promise<Observed> {
    return observe(await this.#inspector.entries(), await this.now());
  }
}
