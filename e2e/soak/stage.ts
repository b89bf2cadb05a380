/** The page of a trial, whichever it is after a death: opened, connected, told to call, and read in the end. */
import type { BrowserContext, Page } from '@playwright/test';
import { within } from '../engines/within.ts';
import type { Seat } from './browsers.ts';
import type { ShownCall } from './judge.ts';
import { WORK } from './ledger.ts';

/** Long enough for a busy machine and the longest pause between two tries of the page. */
const LIMIT_MS = 30_000;
const ENDS_WITHIN_MS = 40_000;
const POLLING = { polling: 25, timeout: LIMIT_MS } as const;

export interface CallArgs {
  readonly key: string;
  readonly ticks: number;
  readonly everyMs: number;
  readonly asks: boolean;
}

export class Stage {
  readonly site: string;
  readonly seat: Seat;
  readonly pageErrors: string[] = [];
  #context: BrowserContext;
  #page: Page | undefined;
  #shiftMs = 0;

  constructor(seat: Seat, site: string) {
    this.seat = seat;
    this.site = site;
    this.#context = seat.context;
  }

  get context(): BrowserContext {
    return this.#context;
  }

  get page(): Page {
    if (!this.#page) throw new Error('No page is open.');
    return this.#page;
  }

  /** A new tab, which is the page of the trial from now on. */
  async open(context: BrowserContext = this.#context): Promise<void> {
    this.#context = context;
    const page = await within(LIMIT_MS, 'open a tab', context.newPage());
    page.setDefaultTimeout(LIMIT_MS);
    page.on('pageerror', (error) => this.pageErrors.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.text().includes('svelte.dev/e/')) this.pageErrors.push(message.text());
    });
    await page.addInitScript(shiftClock, this.#shiftMs);
    this.#page = page;
    // A page that is offline can't be loaded.
    await untilDone(() => page.goto(this.site, { waitUntil: 'commit' }));
  }

  async connect(url: string): Promise<void> {
    await this.#ready();
    const state = await within(
      LIMIT_MS,
      'connect',
      this.page.evaluate((u) => window.reprise.connect(u), url),
    );
    if (state.name === 'failed') throw new Error(`Not connected: ${state.why}`);
    if (state.name !== 'connected') await this.untilConnected();
  }

  async untilConnected(): Promise<void> {
    await this.page.waitForFunction(
      () => {
        if (!('reprise' in window)) return false;
        // A server whose page crashed while it started is held back, until the user selects it.
        const [server] = window.reprise.servers();
        if (server && !server.isSelected) window.reprise.select(server.serverId);
        return window.reprise.state().name === 'connected';
      },
      undefined,
      POLLING,
    );
  }

  /** Whether the page took the call; it may die before it can tell. */
  async call(args: CallArgs): Promise<boolean> {
    const { page } = this;
    try {
      await page.waitForFunction(() => 'reprise' in window, undefined, POLLING);
      await page.evaluate(
        async ([tool, given]) => {
          await window.reprise.ready;
          // A page that is reconnecting accepts no calls.
          for (
            let waitedMs = 0;
            waitedMs < 3000 && window.reprise.state().name !== 'connected';
            waitedMs += 10
          ) {
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
          await window.reprise.call(tool, given);
        },
        [WORK, args] as const,
      );
      return true;
    } catch {
      return false;
    }
  }

  async untilStored(key: string): Promise<void> {
    await this.page.waitForFunction(
      (wanted) => {
        const call = window.reprise.calls().find(({ args }) => (args as { key?: string }).key === wanted);
        return (call?.received ?? 0) > 0;
      },
      key,
      POLLING,
    );
    await this.page.evaluate(() => window.reprise.stored());
  }

  /** Answers what is asked now. */
  async answer(): Promise<void> {
    await this.page
      .evaluate(async () => {
        await window.reprise.ready;
        for (const { id } of window.reprise.questions()) {
          await window.reprise.answer(id, { action: 'accept', content: { answer: 'yes' } });
        }
      })
      .catch(() => undefined);
  }

  /** Answers every question until all calls are over; `false` if that takes too long. */
  async finish(): Promise<boolean> {
    await this.#ready();
    return within(
      2 * ENDS_WITHIN_MS,
      'end the calls',
      this.page.evaluate(async (limitMs) => {
        const answered = new Set<string>();
        for (const from = performance.now(); performance.now() - from < limitMs;) {
          for (const { id } of window.reprise.questions()) {
            if (answered.has(id)) continue;
            answered.add(id);
            await window.reprise
              .answer(id, { action: 'accept', content: { answer: 'yes' } })
              .catch(() => answered.delete(id));
          }
          if (window.reprise.calls().every(({ settledAt }) => settledAt !== undefined)) return true;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return false;
      }, ENDS_WITHIN_MS),
    );
  }

  /** What the page shows of its calls. Messages are told apart by their texts, and not by what the page makes of them. */
  async shown(): Promise<readonly ShownCall[]> {
    const { calls, entries } = await within(
      LIMIT_MS,
      'read the log',
      this.page.evaluate(async () => ({
        calls: window.reprise.calls(),
        entries: (await window.reprise.entries()).flatMap((entry) => {
          if (entry.kind !== 'received' && entry.kind !== 'position') return [];
          const message = 'message' in entry ? (entry.message as WireMessage) : undefined;
          return [
            {
              hasEventId: 'eventId' in entry && entry.eventId !== undefined,
              stream: 'stream' in entry ? entry.stream : undefined,
              text: message?.params?.message,
              result: message?.result?.content?.[0]?.text,
            },
          ];
        }),
      })),
    );
    return calls
      .filter(({ tool }) => tool === WORK)
      .map((call): ShownCall => {
        const { key } = call.args as CallArgs;
        const isOwn = (text: string | undefined) => text?.startsWith(`${key}/`) === true;
        const given: WireResult | undefined = call.result;
        const result = given?.content?.[0]?.text;
        return {
          key,
          name: call.name,
          isOver: call.settledAt !== undefined,
          ...(call.why !== undefined && { why: call.why }),
          messages: entries.flatMap(({ text }) => (text !== undefined && isOwn(text) ? [text] : [])),
          ...(result !== undefined && { result }),
          responses: entries.filter((entry) => isOwn(entry.result)).length,
          hasEventId: entries.some(({ stream, hasEventId }) => stream === call.id && hasEventId),
        };
      });
  }

  exportLog(): Promise<string> {
    return within(
      LIMIT_MS,
      'export the log',
      this.page.evaluate(() => window.reprise.exportLog()),
    );
  }

  async jumpClock(byMs: number): Promise<void> {
    this.#shiftMs += byMs;
    await this.page.addInitScript(shiftClock, this.#shiftMs);
    await this.page.evaluate(shiftClock, this.#shiftMs).catch(() => undefined);
  }

  async #ready(): Promise<void> {
    await this.page.waitForFunction(() => 'reprise' in window, undefined, POLLING);
    await within(
      LIMIT_MS,
      'be ready',
      this.page.evaluate(() => window.reprise.ready),
    );
  }
}

const TRIES = 40;
const AGAIN_AFTER_MS = 50;

/** Tries again for a second or more: longer than any fault lasts. */
export async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
  }
}

interface WireResult {
  readonly content?: readonly { readonly text?: string }[];
}

interface WireMessage {
  readonly params?: { readonly message?: string };
  readonly result?: WireResult;
}

/** Runs in the page. Set again, it replaces the shift that was there. */
function shiftClock(shiftMs: number): void {
  const clock = window as unknown as { unshiftedNow?: () => number };
  const now = (clock.unshiftedNow ??= Date.now.bind(Date));
  Date.now = () => now() + shiftMs;
}
