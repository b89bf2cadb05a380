/** A wire with the pages on it: finds calls, and interrupts them at the right moment. */
import type { BrowserContext, Page } from '@playwright/test';
import { EndedEarly, hasMissed, missedOf, parseAway } from './away.ts';
import type { AwayFor } from './names.ts';
import { isToolCall, traceCall, type CallTrace } from './callTrace.ts';
import { containsArgs } from './containsArgs.ts';
import type { InterruptionKind, Recording, WireExchange } from './model.ts';
import { PageWatcher } from './pageWatcher.ts';
import type { Recorder } from './recorder.ts';
import { Wire, type WireOptions } from './wire.ts';

export interface PageWireOptions extends WireOptions {
  /** Without a new event on the wire. */
  readonly timeoutMs: number;
  /** What a page has to store the last event it received. */
  readonly settleMs: number;
}

/** What the stream of a call was like at the moment of the interruption. */
export interface Gap {
  readonly lastEventId: string | undefined;
  readonly missed: number;
}

export interface Leave {
  readonly awayFor?: AwayFor | undefined;
  readonly call?: WireExchange | undefined;
  readonly timeout?: number | undefined;
  readonly waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | 'commit' | undefined;
  /** Done while no page is there. */
  readonly meanwhile?: (() => Promise<void>) | undefined;
}

export interface CallQuery {
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly server?: string | undefined;
  readonly timeout?: number | undefined;
}

export class PageWire {
  readonly wire: Wire;
  readonly watcher: PageWatcher;
  readonly #options: PageWireOptions;
  readonly #claimed: WireExchange[] = [];

  static async start(options: PageWireOptions): Promise<PageWire> {
    return new PageWire(await Wire.start(options), options);
  }

  private constructor(wire: Wire, options: PageWireOptions) {
    this.wire = wire;
    this.watcher = new PageWatcher(wire.recorder);
    this.#options = options;
  }

  get recorder(): Recorder {
    return this.wire.recorder;
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  watch(context: BrowserContext): void {
    this.watcher.watch(context);
  }

  /** With the page load of each request. */
  recording(): Recording {
    this.watcher.attribute();
    return this.recorder;
  }

  trace(call: WireExchange): CallTrace {
    return traceCall(this.recording(), call);
  }

  get claimed(): readonly WireExchange[] {
    return this.#claimed;
  }

  async call(
    tool: string | undefined,
    { args, server, timeout = this.timeoutMs }: CallQuery = {},
  ): Promise<WireExchange> {
    const find = (): WireExchange | undefined =>
      this.recorder.exchanges.find((exchange) => {
        if (!isToolCall(exchange) || this.#claimed.includes(exchange)) return false;
        if (server !== undefined && exchange.server !== server) return false;
        const trace = traceCall(this.recorder, exchange);
        return (tool === undefined || trace.tool === tool) && containsArgs(trace.args, args ?? {});
      });
    const found = await this.recorder.until(find, timeout, () => this.#explainNoCall(tool, args, timeout));
    this.#claimed.push(found);
    return found;
  }

  /** Waits until a page has so many distinct messages of a call. */
  async received(call: WireExchange, count: number, timeout = this.timeoutMs): Promise<void> {
    const has = (): number =>
      this.trace(call).messages.filter(({ delivery }) => delivery !== 'missed').length;
    const read = (): true | undefined => {
      if (has() >= count) return true;
      if (this.trace(call).response?.deliveredAt === undefined) return undefined;
      throw new EndedEarly(
        `The call ended after ${has()} messages, before the page had ${count}. Use a longer tool call.`,
      );
    };
    await this.recorder.until(
      read,
      timeout,
      () => `The page has ${has()} of ${count} messages, and no event arrived for ${timeout / 1000} s.`,
    );
  }

  async reload(page: Page, options: Leave = {}): Promise<Gap> {
    const url = page.url();
    const waits = { waitUntil: options.waitUntil ?? 'load' } as const;
    return this.#leave(page, 'reload', options, async (awayMs) => {
      if (awayMs === undefined && !options.meanwhile)
        return void (await page.reload({ waitUntil: 'commit' }));
      await page.goto('about:blank');
      await this.#stay(awayMs, options);
      await page.goto(url, { waitUntil: 'commit' });
    }).then(async ({ gap }) => {
      if (waits.waitUntil !== 'commit') await page.waitForLoadState(waits.waitUntil);
      return gap;
    });
  }

  async reopen(page: Page, options: Leave = {}): Promise<Gap & { readonly page: Page }> {
    return this.#replace(page, 'reopen', options, () => page.close());
  }

  async crash(page: Page, options: Leave = {}): Promise<Gap & { readonly page: Page }> {
    if (page.context().browser()?.browserType().name() !== 'chromium')
      throw new Error('mcpWire.crash() works in Chromium only. Use mcpWire.reopen().');
    return this.#replace(page, 'crash', options, async () => {
      const crashed = page.waitForEvent('crash');
      void page.goto('chrome://crash').catch(() => undefined);
      await crashed;
      // A crashed tab keeps its place in the context until it is closed.
      await page.close();
    });
  }

  /** Takes the network away from every page, until it has missed enough. */
  async offline({
    for: awayFor,
    call: given,
    timeout = this.timeoutMs,
  }: { for: AwayFor } & Omit<Leave, 'awayFor'>): Promise<Gap> {
    const call = given ?? this.#openCall();
    const absence = parseAway(awayFor);
    const { gap, back } = await this.#disconnect(call);
    try {
      if (absence.name === 'time') await pause(absence.ms);
      else if (call) await this.#untilMissed(call, absence, timeout);
    } finally {
      back();
    }
    return { ...gap, missed: call ? missedOf(this.trace(call)) : 0 };
  }

  async goOffline(): Promise<() => Promise<void>> {
    const { back } = await this.#disconnect(undefined);
    return async () => back();
  }

  /** What a page has not read when its connection breaks is lost, so everything that was sent must have arrived before. */
  async #disconnect(
    call: WireExchange | undefined,
  ): Promise<{ readonly gap: Gap; readonly back: () => void }> {
    this.wire.hold();
    await this.#settle();
    const at = this.recorder.now();
    const gap = this.#gap(call);
    const restore = this.wire.goOffline();
    const back = (): void => {
      restore();
      this.wire.release();
      this.recorder.interruptions.push({ kind: 'offline', at, backAt: this.recorder.now() });
      this.recorder.changed();
    };
    return { gap, back };
  }

  interrupted(kind: InterruptionKind): void {
    const at = this.recorder.now();
    this.recorder.interruptions.push({ kind, at, backAt: at });
    this.recorder.changed();
  }

  async #replace(
    page: Page,
    kind: InterruptionKind,
    options: Leave,
    close: () => Promise<unknown>,
  ): Promise<Gap & { readonly page: Page }> {
    const context = page.context();
    const url = page.url();
    let tab = page;
    const { gap } = await this.#leave(page, kind, options, async (awayMs) => {
      await close();
      await this.#stay(awayMs, options);
      tab = await context.newPage();
      this.watcher.succeed(tab, page);
      await tab.goto(url, { waitUntil: 'commit' });
    });
    const { waitUntil = 'load' } = options;
    if (waitUntil !== 'commit') await tab.waitForLoadState(waitUntil);
    return { ...gap, page: tab };
  }

  async #stay(awayMs: number | undefined, { meanwhile }: Leave): Promise<void> {
    await meanwhile?.();
    if (awayMs !== undefined) await pause(awayMs);
  }

  /** Holds messages back until enough are missed, and then takes the page away. */
  async #leave(
    page: Page,
    kind: InterruptionKind,
    { call: given, awayFor, timeout = this.timeoutMs }: Leave,
    leave: (awayMs: number | undefined) => Promise<void>,
  ): Promise<{ readonly gap: Gap }> {
    const call = given ?? this.#openCall();
    const absence = parseAway(awayFor ?? (call ? 'one message' : 'nothing'));
    if (!call && (absence.name === 'messages' || absence.name === 'response'))
      throw new Error(
        `No open call that could miss ${awayFor ?? ''}. Use mcpWire.call() first, or a time such as '5 s'.`,
      );
    const line = this.watcher.of(page)?.line;
    this.recording();
    if (absence.name !== 'nothing') this.wire.hold();
    let unpark: (() => void) | undefined;
    try {
      if (call) await this.#untilMissed(call, absence, timeout);
      await this.#settle();
      unpark = this.wire.park();
      const at = this.recorder.now();
      const gap = this.#gap(call);
      this.recording();
      for (const gate of this.wire.openGates())
        if (gate.exchange.page === undefined || gate.exchange.page.line === line) gate.abandon();
      await leave(absence.name === 'time' ? absence.ms : undefined);
      this.recorder.interruptions.push({ kind, at, line, backAt: this.recorder.now() });
      return { gap };
    } finally {
      unpark?.();
      this.wire.release();
      this.recorder.changed();
    }
  }

  async #untilMissed(
    call: WireExchange,
    absence: ReturnType<typeof parseAway>,
    timeout: number,
  ): Promise<void> {
    if (absence.name === 'nothing' || absence.name === 'time') return;
    const read = (): true | undefined => {
      const trace = this.trace(call);
      // A page asks for the state of a task only when it has the one before, so none can be held back.
      return trace.taskId !== undefined || hasMissed(trace, absence) ? true : undefined;
    };
    await this.recorder.until(
      read,
      timeout,
      () =>
        `The server sent ${missedOf(this.trace(call))} messages while the page was paused, and then none for ${timeout / 1000} s. Use a tool that reports progress, or awayFor: '5 s'.`,
    );
  }

  /** Pages get time to store what they received last. On a busy machine, they get longer for it. */
  async #settle(): Promise<void> {
    const last = Math.max(
      0,
      ...this.recorder.exchanges.flatMap(({ events }) => events.map(({ deliveredAt = 0 }) => deliveredAt)),
    );
    const leftMs = last + this.#options.settleMs - this.recorder.now();
    if (leftMs > 0) await pause(leftMs);
    await Promise.all(this.watcher.pages.map(takeTurns));
  }

  #gap(call: WireExchange | undefined): Gap {
    if (!call) return { lastEventId: undefined, missed: 0 };
    const trace = this.trace(call);
    return { lastEventId: trace.lastEventId, missed: missedOf(trace) };
  }

  #openCall(): WireExchange | undefined {
    return this.#claimed.findLast((call) => this.trace(call).response?.deliveredAt === undefined);
  }

  #explainNoCall(tool: string | undefined, args: object | undefined, timeout: number): string {
    const sent = this.recorder.exchanges.filter(isToolCall).map((one) => traceCall(this.recorder, one).tool);
    const wanted = `${tool ?? 'any tool'}${args ? ` ${JSON.stringify(args)}` : ''}`;
    const facts = [
      `No tools/call of ${wanted} within ${timeout / 1000} s.`,
      this.recorder.exchanges.length === 0
        ? 'The page sent no request through the wire. Use mcpWire.url as its server URL, or set mcp.endpoint.'
        : `Calls so far: ${sent.join(', ') || 'none'}.`,
      ...(this.wire.tunnels.size > 0
        ? [
            `The wire can't read HTTPS requests (${[...this.wire.tunnels].join(', ')}). Use mcpWire.url for HTTPS servers.`,
          ]
        : []),
    ];
    return facts.join(' ');
  }
}

const TURNS = 3;
const TURN_MS = 20;

/** Waits until a page has run a few timers: what had arrived before is handled by then. */
async function takeTurns(page: Page): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1)
    await page
      .evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), TURN_MS)
      .catch(() => undefined);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
