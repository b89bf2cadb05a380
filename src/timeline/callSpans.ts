/**
 * Calls and their questions, as spans. What becomes of them is decided by the same reducer that the page lives by: here it
 * is only drawn, so the timeline can't have another opinion.
 */
import type { JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import type { Call } from '../log/state/call.ts';
import type { Entry } from '../log/entry/entry.ts';
import { foldAll } from '../log/state/foldAll.ts';
import { ServerReducer } from '../log/state/serverReducer.ts';
import { messageOf } from '../log/entry/messageOf.ts';
import { QUESTION_METHODS, type Question } from '../log/state/question.ts';
import type { Transition, TransitionOf } from '../log/state/transition.ts';
import {
  close,
  correct,
  span,
  type CallSpan,
  type QuestionSpan,
  type SpanEnd,
  type SpanDuration,
} from './span.ts';

type Received = Entry & { kind: 'received' };

/** Of a larger response only the beginning is read. */
const PARSED_CHARS = 100_000;
const CANCELLED = 'notifications/cancelled';
const COMPLETED = 'notifications/elicitation/complete';

const QUESTION_ENDS = { answered: 'done', expired: 'expired', cancelled: 'cancelled' } as const;

export class CallSpans {
  readonly calls = new Map<string, CallSpan>();
  readonly questions: QuestionSpan[] = [];
  readonly #state = new ServerReducer('');
  readonly #asked = new Map<string, QuestionSpan>();

  apply(entry: Entry): SpanDuration | undefined {
    if (!changesCalls(entry)) return undefined;
    let callTook: SpanDuration | undefined;
    let questionTook: SpanDuration | undefined;
    for (const transition of this.#fold(entry)) {
      switch (transition.kind) {
        case 'callBegan':
          this.#begin(transition.call, entry);
          break;
        case 'callEnded':
          callTook = this.#end(transition.call, entry) ?? callTook;
          break;
        case 'questionAsked':
          this.#ask(transition.question, entry);
          break;
        case 'questionClosed':
          questionTook = this.#closeQuestion(transition, entry) ?? questionTook;
          break;
        default:
      }
    }
    return callTook ?? questionTook;
  }

  /** The question with this request ID that was asked last before an entry, or by it. */
  questionOf(requestId: string, seq: number): QuestionSpan | undefined {
    return this.questions.findLast((one) => one.requestId === requestId && one.first <= seq);
  }

  /** The log may begin in the middle of a call: its messages are then taken for those of no call. */
  #fold(entry: Entry): readonly Transition[] {
    const isStray = entry.kind === 'received' && !this.calls.has(entry.callId ?? '');
    const { callId: _, ...stray } = entry as Received;
    const message = readMessage(entry);
    return foldAll(this.#state, [{ entry: isStray ? stray : entry, message }]).transitions;
  }

  #begin({ id, tool, era, args }: Call, entry: Entry): void {
    this.calls.set(id, {
      ...span(entry, tool),
      callId: id,
      tool,
      era,
      args: JSON.stringify(args),
      sent: undefined,
      result: undefined,
      https: [],
      questions: [],
    });
  }

  #end(call: Call, { seq, at, kind }: Entry): SpanDuration | undefined {
    const ended = this.calls.get(call.id);
    if (!ended) return undefined;
    if (call.name === 'settled' && kind === 'received') ended.result = seq;
    // The result stands in the log, and may be large.
    this.#state.dropResult(call.id);
    return correct(ended, at, seq, endOfCall(call));
  }

  #ask(question: Question, entry: Entry): void {
    const callId = ('callId' in entry ? entry.callId : undefined) ?? question.callId;
    const asked: QuestionSpan = { ...span(entry, question.method), requestId: question.id, callId };
    this.questions.push(asked);
    this.#asked.set(question.id, asked);
    if (callId !== undefined) this.calls.get(callId)?.questions.push(entry.seq);
  }

  #closeQuestion(
    { requestId, how }: TransitionOf<'questionClosed'>,
    { seq, at }: Entry,
  ): SpanDuration | undefined {
    const asked = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    if (asked) return close(asked, at, seq, QUESTION_ENDS[how]);
    // The result came before the answer was known to have arrived.
    return correct(this.questionOf(requestId, seq), at, seq, QUESTION_ENDS[how]);
  }
}

/** Most entries of a burst change nothing here, and need not be read. */
function changesCalls(entry: Entry): boolean {
  switch (entry.kind) {
    case 'call':
    case 'question':
    case 'task':
    case 'session':
      return true;
    case 'sent':
      return entry.method === 'initialize';
    case 'http':
      return entry.responseTo !== undefined;
    case 'received':
      return entry.method === undefined ? entry.callId !== undefined : decides(entry.method);
    default:
      return false;
  }
}

function decides(method: string): boolean {
  return (
    QUESTION_METHODS.has(method) ||
    method === CANCELLED ||
    method === COMPLETED ||
    method.startsWith('notifications/tasks') ||
    method.startsWith('tasks/')
  );
}

function readMessage(entry: Entry): JsonObject | undefined {
  const isLarge = entry.kind === 'received' && entry.raw.length > PARSED_CHARS && entry.method === undefined;
  if (!isLarge) return messageOf(entry);
  return { id: entry.callId, [/"error"\s*:/.test(entry.raw.slice(0, 200)) ? 'error' : 'result']: {} };
}

/** A tool that failed says so inside of its result. */
function endOfCall({ name, error, result }: Call): SpanEnd {
  switch (name) {
    case 'sending':
    case 'open':
    case 'needs-input':
      return 'open';
    case 'settled':
      return error || (isObject(result) && result['isError'] === true) ? 'failed' : 'done';
    default:
      return name;
  }
}
