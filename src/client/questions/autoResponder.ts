/** Looks after the open questions in the tab that leads: answers by rule, and gives up what nobody answers in time. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import type { Question } from '../../log/state/question.ts';
import type { Transition } from '../../log/state/transition.ts';
import type { CurrentPreferences } from '../settings/currentPreferences.ts';
import { decideQuestion, type Reply } from '../settings/rules.ts';
import type { Questions } from './questions.ts';

export interface AutoResponderOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** The rules, and the roots for a server that asks for them inside an answer. */
  readonly preferences: CurrentPreferences;
  readonly link: { readonly canReply: boolean };
  readonly questions: Pick<Questions, 'isSending' | 'replyByItself'>;
}

const HEEDED: ReadonlySet<Transition['kind']> = new Set([
  'questionAsked',
  'questionChanged',
  'questionClosed',
  'stateChanged',
]);

export class AutoResponder {
  readonly #options: AutoResponderOptions;
  readonly #stopListening: readonly (() => void)[];
  #cancelTimer: (() => void) | undefined;

  constructor(options: AutoResponderOptions) {
    this.#options = options;
    this.#stopListening = [
      options.log.changed.on((transitions) => {
        // What is appended is still being handed out: an answer is an entry of its own.
        if (transitions.some(({ kind }) => HEEDED.has(kind))) queueMicrotask(() => this.#evaluate());
      }),
      options.preferences.changed.on(() => this.#evaluate()),
    ];
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.#cancelTimer?.();
  }

  /** Goes through all open questions; also when a rule was changed or the connection is back. */
  #evaluate(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { log, clock, preferences, link, questions } = this.#options;
    if (!link.canReply) return;
    const { rules, roots } = preferences.value;
    let next = Infinity;
    for (const question of log.state.questions.values()) {
      if (questions.isSending(question.id)) continue;
      const decision = decideQuestion(question, rules, clock.now(), roots);
      if (decision.name === 'wait') next = Math.min(next, decision.until);
      else void this.#reply(question, decision.reply);
    }
    if (next === Infinity) return;
    this.#cancelTimer = clock.after(Math.max(0, next - clock.now()), () => this.#evaluate());
  }

  /** What could not be sent stays open, and is tried again when the connection is back. */
  async #reply(question: Question, reply: Reply): Promise<void> {
    try {
      await this.#options.questions.replyByItself(question, reply);
    } catch {
      // The connection's own state says what is wrong.
    }
  }
}
