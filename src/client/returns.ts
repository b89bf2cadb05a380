/** How a new page takes up what the last one left open, by kind of server. */
import { isOpen } from '../log/call.ts';
import { STANDALONE } from '../log/entry.ts';
import type { Log } from '../log/log.ts';
import type { Reason } from '../log/reason.ts';
import type { Calls } from './calls.ts';
import { decideOldSseFates } from './oldSse/oldSseFates.ts';
import type { Session } from './connection.ts';
import type { ConnectionSlot } from './connectionSlot.ts';
import type { Rounds } from './eras/rounds.ts';
import { decideStatelessFates, reloadedWith } from './eras/statelessFates.ts';
import type { StatelessLink } from './eras/statelessLink.ts';
import type { TaskFollower } from './eras/taskFollower.ts';
import type { Questions } from './questions.ts';
import type { Restarts } from './restarts.ts';

export interface ReturnsOptions {
  readonly log: Log;
  readonly slot: ConnectionSlot;
  readonly calls: Calls;
  readonly questions: Questions;
  readonly tasks: TaskFollower;
  readonly rounds: Rounds;
  readonly restarts: Restarts;
  readonly refreshLists: () => Promise<void>;
  /** Tells the server again what it may have forgotten of a session that it has kept. */
  readonly renew: () => void;
  readonly onCameBack: (reason: Reason | undefined) => void;
}

/** How long a page that comes back waits for what it has missed, before it ends a call that has had its time. */
const CATCHING_UP_MS = 3000;
const OLD_SSE_ENDED: Reason = { code: 'old-sse', how: 'page-ended' };

export class Returns {
  readonly #o: ReturnsOptions;
  /** What a reload meant for the calls, to be said when the server has answered. */
  #reason: Reason | undefined;

  constructor(options: ReturnsOptions) {
    this.#o = options;
  }

  /** Resolves when coming back was tried once. */
  async run(session: Session): Promise<void> {
    if (session.transport === 'sse') return this.#toOldSse();
    const { slot } = this.#o;
    const tried = this.#untilTried();
    await slot.open(session, false);
    if (slot.stateless) return this.#toStateless(slot.stateless);
    this.#resume();
    await tried;
    this.#o.renew();
  }

  /** The server is there again. */
  cameBack(): void {
    const reason = this.#reason;
    this.#reason = undefined;
    this.#o.onCameBack(reason);
  }

  /** Every stream that was open goes on from its position. */
  #resume(): void {
    const { log, slot, calls, tasks } = this.#o;
    const { head } = log;
    const streams = slot.current?.streams;
    // Some servers end a session whose ping is not answered, and pings come on the standalone stream: it goes first.
    streams?.restore(STANDALONE, undefined, {
      lastEventId: head.streams.get(STANDALONE)?.cursor,
      wasAnswered: true,
    });
    // A task is polled on, whatever became of the stream that it began on.
    const open = [...head.calls.values()].filter((call) => isOpen(call) && call.taskId === undefined);
    for (const { id, name } of open) {
      const lastEventId = head.streams.get(id)?.cursor;
      // Without an event ID there is nothing to resume from. A bridge runs a repeated request once, and has its events.
      const isRepeated = lastEventId === undefined && head.bridge?.replay === 'bridge' && calls.repeat(id);
      if (!isRepeated) streams?.restore(id, id, { lastEventId, wasAnswered: name !== 'sending' });
      calls.watch(id, { atLeastMs: CATCHING_UP_MS });
    }
    tasks.resume();
  }

  /** Nothing was kept on the server's side: each open call is a task, a question with its state, or cancelled. */
  async #toStateless(link: StatelessLink): Promise<void> {
    const { log, calls, tasks, rounds, refreshLists } = this.#o;
    const fates = decideStatelessFates(log.head.calls.values(), log.head.followUps);
    for (const fate of fates) {
      if (fate.name !== 'cancelled' && fate.name !== 'dropped') continue;
      calls.change(fate.callId, { name: 'cancelled', reason: { code: 'reloaded', how: 'call' } });
    }
    this.#reason = reloadedWith(fates);
    tasks.resume();
    rounds.resume();
    if (await link.comeBack(refreshLists)) this.cameBack();
  }

  /** The session has ended with the page that had it: what was open is given up, and a new one is begun. */
  async #toOldSse(): Promise<void> {
    const { log, calls, questions, restarts } = this.#o;
    const fates = decideOldSseFates(log.head.calls.values());
    for (const { callId, ...change } of fates) calls.change(callId, change);
    questions.expireAll({ ...OLD_SSE_ENDED, so: 'answer-not-awaited' });
    await restarts.run(OLD_SSE_ENDED);
  }

  /** Resolves at the first outcome of coming back, good or bad. */
  #untilTried(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#o.log.appended.on((entries) => {
        if (!entries.some(({ kind }) => kind === 'state')) return;
        stop();
        resolve();
      });
    });
  }
}
