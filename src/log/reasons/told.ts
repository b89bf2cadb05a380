/** What is stored, as scripts get it: with the sentence of its reason, and the code beside it. */
import type { Call, CallError } from '../state/call.ts';
import type { ConnectionState, ReturnCost } from '../state/connectionState.ts';
import type { CallChange, EntryBody, QuestionChange, TaskChange } from '../entry/entry.ts';
import type { Question } from '../state/question.ts';
import { codeOf, type Reason } from './reason.ts';
import { reasonText } from './reasonText.ts';
import { costText, fixText } from './stateText.ts';
import type { Task } from '../protocol/task.ts';

export interface Told {
  /** In plain words. */
  readonly why: string;
  /** The same, for machines. Logs of earlier versions have no code everywhere. */
  readonly reason?: string;
}

/** The same with words in the place of the reason. */
type WithWords<T> = T extends { readonly reason: Reason }
  ? Omit<T, 'reason'> & Told
  : T extends { readonly reason?: Reason }
    ? Omit<T, 'reason'> & Partial<Told>
    : T;

type ToldCost = Pick<ReturnCost, 'callsLost' | 'questionsExpired'>;
type Connected = Extract<ConnectionState, { readonly name: 'connected' }>;
type Failed = Extract<ConnectionState, { readonly name: 'failed' }>;

export type ToldState =
  | WithWords<Exclude<ConnectionState, { readonly name: 'connected' | 'failed' }>>
  /** `note`: what coming back has cost, in words. */
  | (Omit<Connected, 'reason' | 'cost'> & {
      readonly note?: string;
      readonly reason?: string;
      readonly cost?: ToldCost;
    })
  | (WithWords<Failed> & { readonly fix: string });

type ToldError = CallError & { readonly message: string };

export type ToldCall = Omit<Call, 'reason' | 'error' | 'ranAgain'> &
  Partial<Told> & { readonly error?: ToldError; readonly ranAgain?: Told };
export type ToldQuestion = Omit<Question, 'answering'> & { readonly answering?: Partial<Told> };
export type ToldTask = Omit<Task, 'ended'> & { readonly ended?: string; readonly reason?: string };

type FailedChange = Extract<CallChange, { readonly name: 'failed' }>;
type ToldChange<Change> = Change extends FailedChange
  ? Omit<FailedChange, 'reason' | 'error'> & { readonly error: ToldError; readonly reason?: string }
  : WithWords<Change>;
type ToldBody<Body> = Body extends { readonly kind: 'state' }
  ? Omit<Body, 'state'> & { readonly state: ToldState }
  : Body extends { readonly change: CallChange | QuestionChange | TaskChange }
    ? Omit<Body, 'change'> & { readonly change: ToldChange<Body['change']> }
    : Body extends { readonly kind: 'note' }
      ? Omit<Body, 'reason'> & { readonly text: string; readonly reason?: string }
      : Body extends { readonly kind: 'auth' }
        ? Omit<Body, 'reason'> & { readonly problem?: string; readonly reason?: string }
        : WithWords<Body>;

/** An entry, but for its message. */
export type ToldEntry = ToldBody<EntryBody>;

function tellReason(reason: Reason): Told {
  return { why: reasonText(reason), ...tellCode(reason) };
}

export function tellState(state: ConnectionState): ToldState {
  switch (state.name) {
    case 'connected': {
      const { reason, cost, ...rest } = state;
      const note = costText(state);
      return {
        ...rest,
        ...(note !== undefined && { note }),
        ...(reason && tellCode(reason)),
        ...(cost && { cost: tellCost(cost) }),
      };
    }
    case 'failed':
      return { ...withWords(state), fix: fixText(state) };
    default:
      return withWords(state);
  }
}

export function tellCall({ reason, error, ranAgain, ...call }: Call): ToldCall {
  return {
    ...call,
    ...(reason && (error ? tellCode(reason) : tellReason(reason))),
    ...(error && { error: { ...error, message: errorMessageOf(error, reason) } }),
    ...(ranAgain && { ranAgain: tellReason(ranAgain) }),
  };
}

export function tellQuestion({ answering, ...question }: Question): ToldQuestion {
  return { ...question, ...(answering && { answering: withWords(answering) }) };
}

export function tellTask({ ended, ...task }: Task): ToldTask {
  return { ...task, ...(ended && { ended: reasonText(ended), ...tellCode(ended) }) };
}

/** An entry, or its body. Most have no reason, and are given as they are. */
export function tellEntry<Body extends EntryBody>(body: Body): ToldBody<Body> {
  return (hasReason(body) ? tell(body) : body) as ToldBody<Body>;
}

/** Of a call that has failed: the words of the server or the browser, or else the sentence of the reason. */
export function errorMessageOf(error: { readonly message?: string }, reason: Reason | undefined): string {
  return error.message ?? (reason ? reasonText(reason) : '');
}

function tell(body: EntryBody): object {
  switch (body.kind) {
    case 'state':
      return { ...body, state: tellState(body.state) };
    case 'call':
    case 'question':
    case 'task':
      return { ...body, change: tellChange(body.change) };
    case 'note': {
      const { reason, ...rest } = body;
      return { ...rest, text: reasonText(reason), ...tellCode(reason) };
    }
    case 'auth': {
      const { reason, ...rest } = body;
      return reason ? { ...rest, problem: reasonText(reason), ...tellCode(reason) } : body;
    }
    default:
      return withWords(body);
  }
}

function tellChange(change: CallChange | QuestionChange | TaskChange): object {
  if (change.name !== 'failed') return withWords(change);
  const { reason, error, ...rest } = change;
  return { ...rest, error: { ...error, message: errorMessageOf(error, reason) }, ...tellCode(reason) };
}

/** What has changed besides stands in the note. */
function tellCost({ callsLost, questionsExpired }: ReturnCost): ToldCost {
  return { callsLost, questionsExpired };
}

function hasReason(body: EntryBody): boolean {
  return 'reason' in body || 'change' in body || 'state' in body;
}

function withWords<T extends object>(value: T): WithWords<T> {
  if (!('reason' in value) || typeof value.reason !== 'object') return value as WithWords<T>;
  const { reason, ...rest } = value as T & { readonly reason: Reason };
  return { ...rest, ...tellReason(reason) } as WithWords<T>;
}

function tellCode(reason: Reason): { readonly reason?: string } {
  const code = codeOf(reason);
  return code === undefined ? {} : { reason: code };
}
