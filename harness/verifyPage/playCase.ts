/** Runs one scenario: a page against a test server, interrupted once or twice, and judged by its wire. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { duration } from '../../src/base/format.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { seededRandom } from '../moment.ts';
import type { PageScript, PlayContext, PlayTool } from '../playwright/wireTypes.ts';
import { EndedEarly } from '../wire/away.ts';
import type { AwayFor } from '../wire/names.ts';
import { describeWireExchange, hiderFor } from '../wire/describe.ts';
import { drawTrace } from '../wire/drawTrace.ts';
import { judge, type Finding } from '../wire/judge.ts';
import type { Recording, WireExchange } from '../wire/model.ts';
import { PageWire } from '../wire/pageWire.ts';
import { WaitTimeout } from '../wire/recorder.ts';
import { caseOf, isBrowserRepeat, secondRuns, type Case } from '../wire/rules/rule.ts';
import { bestOf, type PageCase } from './cases.ts';
import type { PageFinding, PageResult } from './facts.ts';
import { blamed, letterOf, LETTER_WORDS, whyFailed, type Shown } from './letter.ts';
import { messagesOf, playTool, secondsOf } from './playTools.ts';

export interface PlayOptions {
  readonly pageUrl: string;
  readonly script: PageScript;
  readonly seed: number;
  /** Without an event on the wire. */
  readonly timeoutMs: number;
  /** Instead of the test servers. */
  readonly serverUrl?: string | undefined;
  readonly newContext: () => Promise<BrowserContext>;
}

/** Several pages share the machine. */
const SETTLE_MS = 300;
/** Without an event on the wire. */
const CALM_MS = 700;
/** A page that sends more requests than this in a scenario does not stop. */
const LOOP = 300;
const SECOND_TAB_MS = 500;
const AWAY: AwayFor = '0.5 s';

export async function playCase(options: PlayOptions, given: PageCase): Promise<PageResult> {
  const startedAt = Date.now();
  const { target, scenario } = given;
  const tools = Object.entries(options.script.tools ?? {});
  const server =
    options.serverUrl === undefined
      ? await startTarget(target.profile, {
          overrides: { extraTools: tools.map(([name, tool]) => playTool(name, tool)) },
        })
      : undefined;
  const url = options.serverUrl ?? server?.url ?? '';
  const wire = await PageWire.start({
    servers: { default: url },
    timeoutMs: options.timeoutMs,
    settleMs: SETTLE_MS,
  });
  const context = await options.newContext();
  const head = { target: target.name, name: scenario, best: bestOf(given) };
  try {
    wire.watch(context);
    const run = new Run(
      options,
      given,
      wire,
      context,
      (action) => server?.control(action) ?? Promise.resolve(),
    );
    const played = await run.play();
    const { calls, initializes } = server?.stats() ?? { calls: {}, initializes: 0 };
    const counted = { calls: Object.values(calls).reduce((sum, count) => sum + count, 0), initializes };
    return { ...head, ...played, ...(server && { counted }), durationMs: Date.now() - startedAt };
  } catch (error) {
    return { ...head, ...withoutCall(given, wire.recorder, error), durationMs: Date.now() - startedAt };
  } finally {
    await context.close().catch(() => undefined);
    await wire.wire.close();
    await server?.close();
  }
}

/** What is known if a scenario could not be played. */
function withoutCall(
  { target }: PageCase,
  recording: Recording,
  error: unknown,
): Pick<PageResult, 'verdict' | 'letter' | 'why' | 'findings'> {
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const hasCall = recording.exchanges.some(({ kind }) => kind === 'call');
  if (!hasCall && target.isStateless && isRefused(recording))
    return { verdict: 'unsupported', why: "The page doesn't support 2026-07-28.", findings: [] };
  const hasTried = !hasCall && recording.exchanges.length > 0;
  return { verdict: 'fail', ...(hasTried && { letter: 'F' }), why, findings: [] };
}

/** The server supports no protocol version that the page has. */
const isRefused = ({ exchanges }: Recording): boolean =>
  exchanges.some(({ kind, status }) => kind === 'initialize' && status >= 400) ||
  !exchanges.some(({ kind, status }) => kind === 'discover' && status === 200);

class Run {
  readonly #options: PlayOptions;
  readonly #case: PageCase;
  readonly #wire: PageWire;
  readonly #context: BrowserContext;
  readonly #control: (action: string) => Promise<void>;
  readonly #errors: string[] = [];
  readonly #random: () => number;

  constructor(
    options: PlayOptions,
    given: PageCase,
    wire: PageWire,
    context: BrowserContext,
    control: (action: string) => Promise<void>,
  ) {
    this.#options = options;
    this.#case = given;
    this.#wire = wire;
    this.#context = context;
    this.#control = control;
    const salt = Buffer.from(`${given.target.name} ${given.scenario}`).reduce(
      (sum, byte) => (sum * 31 + byte) % 1000,
      7,
    );
    this.#random = seededRandom(options.seed * 1000 + salt);
  }

  async play(): Promise<Omit<PageResult, 'target' | 'name' | 'best' | 'durationMs'>> {
    const { script } = this.#options;
    const page = await this.#context.newPage();
    this.#context.on('weberror', (error) => this.#errors.push(error.error().message));
    await script.start(page, this.#play());
    const call = await this.#wire.call(undefined);
    this.#errors.length = 0;
    const open = await this.#interrupt(page, call);
    const shows = await this.#watch(open, call);
    await this.#calm();
    return this.#judge(call, shows);
  }

  #play(): PlayContext {
    const { target, scenario } = this.#case;
    const serverUrl = this.#wire.wire.urlOf('default') ?? '';
    return { serverUrl, pageUrl: this.#options.pageUrl, target: target.name, scenario };
  }

  get #tool(): PlayTool {
    const tools = this.#options.script.tools ?? {};
    const call = this.#wire.claimed[0];
    return (call && tools[this.#wire.trace(call).tool]) ?? {};
  }

  /** Returns the page that is open afterwards. */
  async #interrupt(page: Page, call: WireExchange): Promise<Page> {
    const wire = this.#wire;
    const { target, scenario } = this.#case;
    const isStream = (): boolean => target.streams && wire.trace(call).taskId === undefined;
    const awayFor = (): AwayFor => (target.polls ? AWAY : isStream() ? 'one message' : 'nothing');
    const { control } = target;
    const meanwhile = control === undefined ? {} : { meanwhile: () => this.#end(control) };
    switch (scenario) {
      case 'reload-mid-call':
        await this.#until(call, 0.25 + this.#random() * 0.25);
        await wire.reload(page, { call, awayFor: awayFor(), ...meanwhile });
        return page;
      case 'reload-twice':
        await this.#until(call, 0.2 + this.#random() * 0.1);
        await wire.reload(page, { call, awayFor: awayFor() });
        // A page that has lost the call has lost it by now.
        if (await this.#hasReached(call, 0.5 + this.#random() * 0.1))
          await wire.reload(page, { call, awayFor: awayFor() }).catch(ignoreEnd);
        return page;
      case 'reload-before-first-event':
        await wire.recorder.until(
          () => (wire.trace(call).lastEventId === undefined ? undefined : true),
          this.#options.timeoutMs,
          () => 'The server sent no event ID.',
        );
        await wire.reload(page, { call });
        return page;
      case 'finish-while-away':
        await this.#until(call, 0.3 + this.#random() * 0.3);
        await wire.reload(page, {
          call,
          awayFor: isStream() && !target.polls ? 'the response' : `${secondsOf(this.#tool)} s`,
        });
        return page;
      case 'second-tab': {
        await this.#until(call, 0.2);
        const tab = await this.#context.newPage();
        await tab.goto(page.url());
        await pause(SECOND_TAB_MS);
        return page;
      }
      case 'network-blip':
        await this.#until(call, 0.3 + this.#random() * 0.2);
        await wire.offline({ for: 'one message', call });
        return page;
      case 'tab-crash':
        await this.#until(call, 0.3 + this.#random() * 0.2);
        return (await wire.crash(page, { call })).page;
    }
  }

  async #end(control: string): Promise<void> {
    this.#wire.interrupted('restart');
    await this.#control(control);
  }

  /** Waits until this part of the call is over: by its messages, or by the clock where there are none. */
  async #until(call: WireExchange, part: number): Promise<void> {
    const { target } = this.#case;
    const tool = this.#tool;
    if (target.streams) return this.#wire.received(call, Math.max(1, Math.round(messagesOf(tool) * part)));
    const since = this.#wire.recorder.now() - call.at;
    await pause(Math.max(0, secondsOf(tool) * 1000 * part - since));
  }

  async #hasReached(call: WireExchange, part: number): Promise<boolean> {
    try {
      await this.#until(call, part);
      return this.#wire.trace(call).response === undefined;
    } catch (error) {
      if (error instanceof WaitTimeout || error instanceof EndedEarly) return false;
      throw error;
    }
  }

  /** What the page shows in the end. */
  async #watch(page: Page, call: WireExchange): Promise<Shown> {
    const { script, timeoutMs } = this.#options;
    const hasLost = script.lost !== undefined;
    const play = this.#play();
    const never = new Promise<never>(() => undefined);
    const said = (shows: Shown['shows'], work: Promise<void> | undefined) =>
      work
        ? work.then(
            () => shows,
            () => never,
          )
        : never;
    // The wire is silent: whatever the page was going to do, it has done.
    const silence = this.#wire.recorder
      .until<Shown['shows']>(
        () => undefined,
        timeoutMs,
        () => '',
      )
      .catch((): Shown['shows'] => 'nothing');
    const delivered = this.#wire.recorder
      .until(
        () => (this.#wire.trace(call).response?.deliveredAt === undefined ? undefined : true),
        timeoutMs,
        () => '',
      )
      .then(() => pause(timeoutMs, undefined, { ref: false }))
      .then((): Shown['shows'] => 'nothing')
      .catch(() => never);
    const shows = await Promise.race([
      said('done', script.done(page, play)),
      said('lost', script.lost?.(page, play)),
      silence,
      delivered,
    ]);
    return { shows, hasLost };
  }

  /** A page may say that a call is lost before it has started a new session. */
  async #calm(): Promise<void> {
    const calm = this.#wire.recorder
      .until(
        () => undefined,
        CALM_MS,
        () => '',
      )
      .catch(() => undefined);
    await Promise.race([calm, pause(this.#options.timeoutMs, undefined, { ref: false })]);
  }

  #judge(call: WireExchange, shown: Shown): Omit<PageResult, 'target' | 'name' | 'best' | 'durationMs'> {
    const recording = this.#wire.recording();
    const trace = this.#wire.trace(call);
    const given = caseOf(recording, trace, [call]);
    const findings = judge(given);
    const best = bestOf(this.#case);
    const letter = letterOf({
      isDelivered: trace.response?.deliveredAt !== undefined,
      hasRunAgain: secondRuns(given).some((again) => !isBrowserRepeat(recording, again, trace.post)),
      hasNewSession: hasNewSession(given),
      broken: this.#broken(recording),
    });
    const why = whyFailed(letter, best, findings, shown);
    const received = trace.messages.filter(({ delivery }) => delivery !== 'missed').length;
    const replayed = trace.messages.filter(({ delivery }) => delivery === 'replayed').length;
    const resumedMs = resumedAfter(given);
    const resumed = resumedMs === undefined ? '' : `, resumed after ${duration(resumedMs)}`;
    const numbers = `${received} of ${trace.messages.length} messages, ${replayed} replayed${resumed}`;
    const hide = hiderFor([], recording.exchanges);
    return {
      verdict: why === undefined ? 'pass' : 'fail',
      letter,
      why: hide(why ?? (letter === 'R' ? numbers : capital(LETTER_WORDS[letter]))),
      sent: trace.messages.length,
      received,
      replayed,
      runs: 1 + secondRuns(given).length,
      ...(resumedMs !== undefined && { resumedMs }),
      findings: blamed(letter, best, findings).map((finding) => asPageFinding(finding, hide)),
      waterfall: drawTrace(recording, trace),
    };
  }

  #broken({ exchanges }: Recording): string | undefined {
    if (exchanges.filter(({ kind }) => kind !== 'preflight').length > LOOP) return 'endless requests';
    return this.#errors[0];
  }
}

/** A server may take so long to let the page resume that the call is over by then. */
function ignoreEnd(error: unknown): void {
  if (!(error instanceof EndedEarly)) throw error;
}

function hasNewSession({ recording, trace, interruptions }: Case): boolean {
  const from = interruptions[0]?.at ?? Infinity;
  return recording.exchanges.some(
    ({ kind, at, page }) =>
      kind === 'initialize' && at >= from && (page === undefined || page.line === trace.post.page?.line),
  );
}

function resumedAfter({ trace, interruptions }: Case): number | undefined {
  const last = interruptions.at(-1);
  const resumed = last && trace.streams.find(({ kind, at }) => kind === 'resume' && at >= last.at);
  return resumed && last ? Math.max(0, resumed.at - last.backAt) : undefined;
}

function asPageFinding(
  { rule, level, clause, expected, received, fix, exchange }: Finding,
  hide: (text: string) => string,
): PageFinding {
  return {
    rule,
    level,
    ...(clause !== undefined && { clause }),
    expected: hide(expected),
    received: hide(received),
    fix: hide(fix),
    ...(exchange && { exchange: hide(describeWireExchange(exchange)) }),
  };
}

const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
