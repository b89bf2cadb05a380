/** The events of a client, each told once: what is new is found by comparing with what was there before. */
import type { Tool } from '@modelcontextprotocol/client';
import { Emitter } from '../../base/emitter.ts';
import type { Call } from './callTypes.ts';
import type { ClientEvents as Events } from './clientTypes.ts';
import { isSameEvent } from './publicState.ts';
import type { Question } from './questionTypes.ts';
import type { ConnectionState } from './stateTypes.ts';

type Emitters = { readonly [E in keyof Events]: Emitter<Events[E]> };

export interface FirstSeen {
  readonly state: ConnectionState;
  readonly questions: readonly Question[];
  readonly tools: readonly Tool[];
}

export class ClientEvents {
  readonly #emitters: Emitters = {
    state: new Emitter(),
    call: new Emitter(),
    question: new Emitter(),
    tools: new Emitter(),
    recovered: new Emitter(),
  };
  #state: ConnectionState;
  #asked: ReadonlySet<string>;
  #tools: readonly Tool[];

  /** What is there already is no news. */
  constructor({ state, questions, tools }: FirstSeen) {
    this.#state = state;
    this.#asked = idsOf(questions);
    this.#tools = tools;
  }

  on<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): () => void {
    return this.#emitters[event].on(listener);
  }

  call(call: Call): void {
    this.#emitters.call.emit(call);
  }

  recovered(messages: number, calls: readonly Call[]): void {
    this.#emitters.recovered.emit({ messages, calls });
  }

  state(state: ConnectionState): void {
    const before = this.#state;
    this.#state = state;
    if (!isSameEvent(before, state)) this.#emitters.state.emit(state);
  }

  questions(questions: readonly Question[]): void {
    const isNew = questions.filter(({ id }) => !this.#asked.has(id));
    if (isNew.length > 0 || questions.length !== this.#asked.size) this.#asked = idsOf(questions);
    for (const question of isNew) this.#emitters.question.emit(question);
  }

  tools(tools: readonly Tool[]): void {
    if (tools === this.#tools) return;
    const isChanged = JSON.stringify(tools) !== JSON.stringify(this.#tools);
    this.#tools = tools;
    if (isChanged) this.#emitters.tools.emit(tools);
  }
}

function idsOf(questions: readonly Question[]): ReadonlySet<string> {
  return new Set(questions.map(({ id }) => id));
}
