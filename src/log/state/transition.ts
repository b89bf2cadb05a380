/** What the reducer decided about an entry. Whoever listens to these need not find it out again. */
import type { Call, CallName } from './call.ts';
import type { ConnectionState } from './connectionState.ts';
import type { Question } from './question.ts';

/** How a question ended. `answered`: also if the answer was on its way when its call ended. */
export type QuestionEnd = 'answered' | 'expired' | 'cancelled';

export type Transition =
  | { readonly kind: 'stateChanged'; readonly state: ConnectionState }
  | { readonly kind: 'callBegan'; readonly call: Call }
  /** `was`: its name before. A result that arrives late ends a call that was taken for lost a second time. */
  | { readonly kind: 'callEnded'; readonly call: Call; readonly was: CallName }
  | { readonly kind: 'callForgotten'; readonly callId: string }
  | { readonly kind: 'questionAsked'; readonly question: Question }
  /** An answer is on its way, or the server polls for it from here on. */
  | { readonly kind: 'questionChanged'; readonly question: Question }
  | { readonly kind: 'questionClosed'; readonly requestId: string; readonly how: QuestionEnd }
  /** A server asked for input inside of its answer, or one of its requests was answered. */
  | { readonly kind: 'roundChanged'; readonly callId: string }
  /** Something was heard of the task that a call runs on as. */
  | { readonly kind: 'taskChanged'; readonly callId: string; readonly taskId: string }
  /** The server asks for a task, or about one. */
  | { readonly kind: 'taskRequested'; readonly requestId: string };

export type TransitionOf<K extends Transition['kind']> = Extract<Transition, { readonly kind: K }>;
