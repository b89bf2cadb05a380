/** The page of a trial, whichever it is after a death: opened, connected, told to call, and read in the end. */
import { within } from '../engines/within.ts';
import type { Seat, Tab } from './browsers/seat.ts';
import type { ShownCall } from './judge.ts';
import { WORK } from './ledger.ts';

/** Long enough for a busy machine and the longest pause between two tries of the page. */
const LIMIT_MS = 30_000;
const ENDS_WITHIN_MS = 40_000;
/** A script in a page that is just being left may never end. */
const LOOKS_WITHIN_MS = 5000;
const LOOKS_EVERY_MS = 25;

export interface CallArgs {
  readonly key: string;
  readonly ticks: number;
  readonly everyMs: number;
  readonly asks: boolean;
}

export interface Sight {
  readonly url: string;
  readonly isOnline: boolean;
  /** Of the session, or of the document where there is no app. */
  readonly state: string;
  readonly text: string;
  /** Resources that were not loaded. */
  readonly missing: readonly string[];
}

export class Stage {
  readonly site: string;
  readonly seat: Seat;
  #tab: Tab | undefined;
  #shiftMs = 0;

  constructor(seat: Seat, site: string) {
    this.seat = seat;
    this.site = site;
  }

  get tab(): Tab {
    if (!this.#tab) throw new Error('No page is open.');
    return this.#tab;
  }

  /** A new tab, which is the page of the trial from now on. */
  async open(): Promise<void> {
    const tab = await within(LIMIT_MS, 'open a tab', this.seat.open());
    await tab.runAlways?.(shiftClock, this.#shiftMs);
    this.#tab = tab;
    // A page that is offline can't be loaded.
    await untilDone(() => within(LIMIT_MS, 'load the page', tab.goto(this.site)));
  }

  async connect(url: string): Promise<void> {
    await this.#ready();
    const state = await within(
      LIMIT_MS,
      'connect',
      this.tab.run((u) => window.reprise.connect(u), url),
    );
    if (state.name === 'failed') throw new Error(`Not connected: ${state.why}`);
    if (state.name !== 'connected') await this.untilConnected();
  }

  async untilConnected(): Promise<void> {
    await this.#until('connect', () => {
      if (!('reprise' in window)) return false;
      // A server whose page crashed while it started is held back, until the user selects it.
      const [server] = window.reprise.servers();
      if (server && !server.isSelected) window.reprise.select(server.serverId);
      return window.reprise.state().name === 'connected';
    });
  }

  /** Until the tab shows the page of the trial. */
  async untilBack(): Promise<void> {
    await this.#until('go back', (site) => location.href === site, this.site);
  }

  /** Whether the page took the call; it may die before it can tell. */
  async call(args: CallArgs): Promise<boolean> {
    const { tab } = this;
    try {
      await this.#until('load the page', () => 'reprise' in window);
      const taken = tab.run(
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
      // A script in a page that is left may never end.
      await within(LIMIT_MS, 'call', taken);
      return true;
    } catch {
      return false;
    }
  }

  async untilStored(key: string): Promise<void> {
    await this.#until(
      'store a message',
      (wanted) => {
        const call = window.reprise.calls().find(({ args }) => (args as { key?: string }).key === wanted);
        return (call?.received ?? 0) > 0;
      },
      key,
    );
    await this.tab.run(() => window.reprise.stored(), undefined);
  }

  /** Answers what is asked now. */
  async answer(): Promise<void> {
    const answered = this.tab.run(async () => {
      await window.reprise.ready;
      for (const { id } of window.reprise.questions()) {
        await window.reprise.answer(id, { action: 'accept', content: { answer: 'yes' } });
      }
    }, undefined);
    await within(LIMIT_MS, 'answer', answered).catch(() => undefined);
  }

  /** Answers every question until all calls are over; `false` if that takes too long. */
  async finish(): Promise<boolean> {
    await this.#ready();
    return within(
      2 * ENDS_WITHIN_MS,
      'end the calls',
      this.tab.run(async (limitMs) => {
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
      this.tab.run(
        async () => ({
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
        }),
        undefined,
      ),
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
      this.tab.run(() => window.reprise.exportLog(), undefined),
    );
  }

  /** What the tab shows, for a page that has no log to give. */
  see(): Promise<Sight> {
    return within(
      LOOKS_WITHIN_MS,
      'see the page',
      this.tab.run(
        () => ({
          url: location.href,
          isOnline: navigator.onLine,
          state: 'reprise' in window ? window.reprise.state().name : document.readyState,
          text: document.body.innerText.slice(0, 200),
          missing: performance.getEntriesByType('resource').flatMap((entry) => {
            const { name, responseStatus } = entry as PerformanceResourceTiming;
            return responseStatus === 200 ? [] : [`${name} (${responseStatus})`];
          }),
        }),
        undefined,
      ),
    );
  }

  async jumpClock(byMs: number): Promise<void> {
    this.#shiftMs += byMs;
    await this.tab.runAlways?.(shiftClock, this.#shiftMs);
  }

  async #ready(): Promise<void> {
    await this.#until('load the page', () => 'reprise' in window);
    await within(
      LIMIT_MS,
      'be ready',
      this.tab.run(async () => void (await window.reprise.ready), undefined),
    );
  }

  /** Looks again and again: the document may be replaced meanwhile. It ends when another tab is the page. */
  async #until<Given = undefined>(
    what: string,
    test: (given: Given) => boolean,
    given?: Given,
  ): Promise<void> {
    const { tab } = this;
    for (const endsAt = Date.now() + LIMIT_MS; ;) {
      const isSo = await within(LOOKS_WITHIN_MS, 'look', tab.run(test, given as Given)).catch(() => false);
      if (isSo) return;
      if (tab !== this.#tab) throw new Error('Another tab is the page.');
      if (Date.now() > endsAt) throw new Error(`It took more than ${LIMIT_MS / 1000} s to ${what}.`);
      await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
    }
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
