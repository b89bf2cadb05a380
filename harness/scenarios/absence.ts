/** Keeps a page away until the server has sent messages that it misses: without them a pass proves nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Control } from '../context.ts';
import type { Missed } from '../judge/judgeCall.ts';
import type { BlipProxy } from '../page/blipProxy.ts';
import type { MissedMessages } from '../page/missedMessages.ts';

const ENOUGH = 2;
/** A server under load may be slower than it was for the control call. */
const GRACE_MS = 5000;

export class Absence {
  readonly #proxy: BlipProxy | undefined;
  readonly #control: Control;
  readonly #patience: number;
  readonly #seen: MissedMessages[] = [];
  #isWatched = true;
  #wasSilent = false;

  /**
   * @param proxy sees what the server sends; without one, or behind TLS, only the pace of the control call tells
   * @param patience how many times that pace to wait for
   */
  constructor(proxy: BlipProxy | undefined, control: Control, patience = 1) {
    this.#proxy = proxy;
    this.#control = control;
    this.#patience = patience;
  }

  /** Call it before the page leaves; what it returns resolves when the page may come back. */
  begin(calls = 1): () => Promise<void> {
    const missed = this.#proxy?.watch();
    return async () => {
      const limitMs = this.#control.durationMs * 2 + GRACE_MS;
      const sight = await missed?.until({ messages: ENOUGH * calls, responses: calls }, limitMs);
      this.#wasSilent ||= sight === 'late' && missed?.list.length === 0;
      if (sight !== 'enough') await pause(paceMs(this.#control) * this.#patience);
      if (missed && missed.list.length > 0) this.#seen.push(missed);
      else this.#isWatched = false;
      missed?.release();
    };
  }

  /** The stream of a call was open all the time, and nothing was sent on it. */
  get wasSilent(): boolean {
    return this.#wasSilent;
  }

  /** What was sent meanwhile, as far as the wire shows it. */
  get missed(): Missed | undefined {
    return this.#isWatched ? this.#seen.flatMap(({ list }) => list) : undefined;
  }
}

/** The longest time that three messages of the control call took; all of it for a call that says nothing on its way. */
function paceMs({ observed, durationMs }: Pick<Control, 'observed' | 'durationMs'>): number {
  const times = observed.messages.map(({ at }) => at);
  const spans = times.slice(ENOUGH).map((at, before) => at - (times[before] ?? at));
  return times.length > ENOUGH + 1 ? Math.max(...spans) + 100 : durationMs + 500;
}
