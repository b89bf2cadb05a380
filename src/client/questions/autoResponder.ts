/** Looks after the open questions in the tab that leads: answers by rule, and gives up what nobody answers in time. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import type { Question } from '../../log/state/question.ts';
import type { Transition } from '../../log/state/transition.ts';
import { decideQuestion, type Reply, type Rules } from '../settings/rules.ts';

export interface AutoResponderOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly rules: () => Rules;
  /** What a server gets that asks for them inside an answer. */
  readonly roots: () => readonly object[];
  readonly canReply: () => boolean;
  /** Is an answer on its way already? */
  readonly isSending: (requestId: string) => boolean;
  readonly reply: (question: Question, reply: Reply) => Promise<void>;
}

const HEEDED: ReadonlySet<Transition['kind']> = new Set([
  'questionAsked',
  'questionChanged',
  'questionClosed',
  'stateChanged',
]);

export class AutoResponder {
  readonly #options: AutoResponderOptions;
  readonly #stopListening: () => void;
  #cancelTimer: (() => void) | undefined;

  constructor(options: AutoResponderOptions) {
    this.#options = options;
    this.#stopListening = options.log.changed.on((transitions) => {
      // What is appended is still being handed out: an answer is an entry of its own.
      if (transitions.some(({ kind }) => HEEDED.has(kind))) queueMicrotask(() => this.evaluate());
    });
  }

  /** Goes through all open questions; also when a rule was changed or the connection is back. */
  evaluate(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { log, clock, rules, roots, canReply, isSending } = this.#options;
    if (!canReply()) return;
    let next = Infinity;
    for (const question of log.head.questions.values()) {
      if (isSending(question.id)) continue;
      const decision = decideQuestion(question, rules(), clock.now(), roots());
      if (decision.name === 'wait') next = Math.min(next, decision.until);
      else void this.#reply(question, decision.reply);
    }
    if (next === Infinity) return;
    this.#cancelTimer = clock.after(Math.max(0, next - clock.now()), () => this.evaluate());
  }

  close(): void {
    this.#stopListening();
    this.#cancelTimer?.();
  }

  /** What could not be sent stays open, and is tried again when the connection is back. */
  async #reply(question: Question, reply: Reply): Promise<void> {
    try {
      await this.#options.reply(question, reply);
    } catch {
      // The connection's own state says what is wrong.
    }
  }
}
