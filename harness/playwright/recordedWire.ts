/** `mcpWire`: the wire as a test holds it. */
import type { Page } from '@playwright/test';
import { traceCall, isToolCall } from '../wire/callTrace.ts';
import { hiderFor } from '../wire/describe.ts';
import { describeFault, matches, type ActiveFault, type FaultEffect } from '../wire/faults.ts';
import type { Finding } from '../wire/judge.ts';
import type { WireExchange } from '../wire/model.ts';
import type { PageWire } from '../wire/pageWire.ts';
import { caseOf, secondRuns } from '../wire/rules/rule.ts';
import { drawStory } from '../wire/story.ts';
import { printStoryLog } from '../wire/storyLog.ts';
import { RecordedCall } from './recordedCall.ts';
import type {
  AwayFor,
  CallFilter,
  CutOptions,
  DelayOptions,
  Fault,
  FaultOptions,
  Gap,
  LeaveOptions,
  McpWire,
  NavigationOptions,
  RefuseOptions,
  RequestKind,
  WaitOptions,
  WireCall,
  WireFaults,
  WireFinding,
  WireRequest,
  WireServer,
  WireStory,
} from './wireTypes.ts';

class Faults implements WireFaults {
  protected readonly pageWire: PageWire;
  readonly #server: string | undefined;

  constructor(pageWire: PageWire, server?: string) {
    this.pageWire = pageWire;
    this.#server = server;
  }

  async cut({ afterMessages, ...options }: CutOptions = {}): Promise<Fault> {
    if (afterMessages !== undefined || options.on !== undefined)
      return this.#add({ name: 'cut', afterMessages: afterMessages ?? 0 }, options);
    const gates = this.pageWire.wire.openGates(this.#server).filter(({ isStream }) => isStream);
    for (const gate of gates) gate.cut();
    this.pageWire.interrupted('cut');
    const fault = this.#add({ name: 'cut', afterMessages: 0 }, { ...options, times: 0 });
    fault.active.hits = gates.length;
    return fault;
  }

  async delay({ ms, part = 'events', ...options }: DelayOptions): Promise<Fault> {
    return this.#add({ name: 'delay', ms, part }, options);
  }

  async refuse({ status, retryAfter, ...options }: RefuseOptions = {}): Promise<Fault> {
    return this.#add({ name: 'refuse', status, retryAfter }, options);
  }

  async holdHead(options: FaultOptions = {}): Promise<Fault> {
    return this.#add({ name: 'holdHead' }, options);
  }

  async restart({ how }: { readonly how?: (() => Promise<void>) | undefined } = {}): Promise<void> {
    this.pageWire.wire.endSessions(this.#server);
    for (const gate of this.pageWire.wire.openGates(this.#server)) gate.cut();
    this.pageWire.interrupted('restart');
    await how?.();
  }

  #add(effect: FaultEffect, { on, times, optional }: FaultOptions): RecordedFault {
    const filter = typeof on === 'function' ? (exchange: WireExchange) => on(asRequest(exchange)) : on;
    const active = this.pageWire.wire.addFault(effect, { on: filter, times, optional, server: this.#server });
    return new RecordedFault(active, this.pageWire);
  }
}

class RecordedFault implements Fault {
  readonly active: ActiveFault;
  readonly #pageWire: PageWire;

  constructor(active: ActiveFault, pageWire: PageWire) {
    this.active = active;
    this.#pageWire = pageWire;
  }

  get hits(): number {
    return this.active.hits;
  }

  async hit({ timeout = this.#pageWire.timeoutMs }: WaitOptions = {}): Promise<void> {
    await this.#pageWire.recorder.until(
      () => (this.hits > 0 ? true : undefined),
      timeout,
      () =>
        `The fault (${describeFault(this.active)}) hasn't occurred, and no event arrived for ${timeout / 1000} s.`,
    );
  }

  async end(): Promise<void> {
    this.active.end();
  }
}

class NamedServer extends Faults implements WireServer {
  readonly name: string;
  readonly url: string;

  constructor(pageWire: PageWire, name: string, url: string) {
    super(pageWire, name);
    this.name = name;
    this.url = url;
  }
}

export interface StoryTarget {
  readonly title: string;
  /** Values that must not be in it. */
  readonly secrets: () => readonly string[];
  attach(name: string, contentType: string, body: string): Promise<void>;
}

export class RecordedWire extends Faults implements McpWire {
  readonly #story: StoryTarget;
  readonly #calls = new Map<WireExchange, RecordedCall>();
  isAttached = false;

  constructor(pageWire: PageWire, story: StoryTarget) {
    super(pageWire);
    this.#story = story;
  }

  get url(): string {
    const [name, ...others] = this.pageWire.wire.names;
    if (name === undefined)
      throw new Error(
        "mcpWire.url needs mcp.server, which isn't set. With mcp.endpoint, the page keeps its URLs.",
      );
    if (others.length > 0) throw new Error(`Several servers are set. Use mcpWire.server('${name}').url.`);
    return this.pageWire.wire.urlOf(name) ?? '';
  }

  server(name: string): WireServer {
    const url = this.pageWire.wire.urlOf(name);
    if (url === undefined)
      throw new Error(
        `Unknown server "${name}". Available in mcp.server: ${this.pageWire.wire.names.join(', ') || 'none'}.`,
      );
    return new NamedServer(this.pageWire, name, url);
  }

  async call(tool: string, options: CallFilter = {}): Promise<WireCall> {
    return this.#callOf(await this.pageWire.call(tool, options));
  }

  calls(): readonly WireCall[] {
    return this.pageWire.recorder.exchanges.filter(isToolCall).map((one) => this.#callOf(one));
  }

  reload(page: Page, options: LeaveOptions & NavigationOptions = {}): Promise<Gap> {
    return this.pageWire.reload(page, leaveOf(options));
  }

  reopen(page: Page, options: LeaveOptions & NavigationOptions = {}): Promise<Gap & { readonly page: Page }> {
    return this.pageWire.reopen(page, leaveOf(options));
  }

  crash(page: Page, options: LeaveOptions & NavigationOptions = {}): Promise<Gap & { readonly page: Page }> {
    return this.pageWire.crash(page, leaveOf(options));
  }

  offline(
    options: { readonly for: AwayFor; readonly call?: WireCall | undefined } & WaitOptions,
  ): Promise<Gap>;
  offline(): Promise<() => Promise<void>>;
  offline(
    options?: { readonly for: AwayFor; readonly call?: WireCall | undefined } & WaitOptions,
  ): Promise<Gap | (() => Promise<void>)> {
    if (!options) return this.pageWire.goOffline();
    return this.pageWire.offline({ ...leaveOf(options), for: options.for });
  }

  requests(kind?: RequestKind): readonly WireRequest[] {
    return this.pageWire
      .recording()
      .exchanges.filter((one) => kind === undefined || matches(kind, one))
      .map(asRequest);
  }

  findings(): readonly WireFinding[] {
    return this.#judged().flatMap(({ call, findings }) =>
      findings.map((finding) => asFinding(finding, call)),
    );
  }

  async story(): Promise<WireStory> {
    this.isAttached = true;
    const recording = this.pageWire.recording();
    const hide = hiderFor(this.#story.secrets(), recording.exchanges);
    const calls = this.#judged().map(({ call, findings }) => ({ trace: call.trace, findings }));
    const html = drawStory(recording, calls, { title: this.#story.title, hide });
    const url = recording.exchanges[0]?.url ?? 'http://127.0.0.1/mcp';
    const json = await printStoryLog(recording, { server: this.#story.title, url: hide(url), hide });
    await this.#story.attach('mcp-story.html', 'text/html', html);
    await this.#story.attach('mcp-story.json', 'application/json', json);
    return { html, json };
  }

  /** Faults that never happened: a test that passes with them has proved nothing. */
  unusedFaults(): readonly string[] {
    return this.pageWire.wire.faults
      .filter(({ hits, filter }) => hits === 0 && filter.optional !== true)
      .map(describeFault);
  }

  /** Every call with what is wrong about it; second runs belong to the first one, and findings are told once. */
  #judged(): readonly { readonly call: RecordedCall; readonly findings: readonly Finding[] }[] {
    const recording = this.pageWire.recording();
    const again = new Set<WireExchange>();
    const told = new Set<string>();
    const judged = [];
    for (const exchange of recording.exchanges.filter(isToolCall)) {
      if (again.has(exchange)) continue;
      const given = caseOf(recording, traceCall(recording, exchange), this.pageWire.claimed);
      for (const run of secondRuns(given)) again.add(run);
      const call = this.#callOf(exchange);
      const findings = call.judge().filter(({ rule, exchange: at }) => {
        const key = `${rule} ${at?.index ?? exchange.index}`;
        return !told.has(key) && told.add(key);
      });
      judged.push({ call, findings });
    }
    return judged;
  }

  #callOf(exchange: WireExchange): RecordedCall {
    const known = this.#calls.get(exchange);
    if (known) return known;
    const call = new RecordedCall(this.pageWire, exchange);
    this.#calls.set(exchange, call);
    return call;
  }
}

/** A call of a test is one of the recording. */
function leaveOf<T extends { readonly call?: WireCall | undefined }>(
  options: T,
): Omit<T, 'call'> & { call?: WireExchange } {
  const { call, ...rest } = options;
  return call instanceof RecordedCall ? { ...rest, call: call.exchange } : rest;
}

function asRequest({
  page,
  kind,
  server,
  at,
  onLeave,
  message,
  method,
  url,
  requestHeaders,
  status,
  responseHeaders,
  body,
}: WireExchange): WireRequest {
  return {
    kind,
    server,
    at,
    load: page?.load ?? 1,
    tab: page?.tab ?? 1,
    onLeave,
    message,
    method,
    url,
    requestHeaders,
    status,
    responseHeaders,
    ...(body !== undefined && { body }),
  };
}

function asFinding(
  { rule, level, clause, expected, received, fix, exchange }: Finding,
  call: WireCall,
): WireFinding {
  return {
    rule,
    level,
    ...(clause !== undefined && { clause }),
    expected,
    received,
    fix,
    request: exchange && asRequest(exchange),
    call,
  };
}
