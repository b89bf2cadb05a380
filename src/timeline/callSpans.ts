/**
 * Calls and their questions, as spans. What becomes of them is decided by the same head that the page lives by: here it
 * is only drawn, so the timeline can't have another opinion.
 */
import type { JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { isOpen, type Call } from '../log/call.ts';
import type { Entry } from '../log/entry.ts';
import { foldAll } from '../log/fold.ts';
import { Head } from '../log/head.ts';
import { messageOf } from '../log/log.ts';
import { QUESTION_METHODS, type Question } from '../log/question.ts';
import { close, correct, span, type CallSpan, type QuestionSpan, type SpanEnd, type Took } from './span.ts';

type Received = Entry & { kind: 'received' };

/** A question that waits for its answer. */
interface Asked {
  readonly span: QuestionSpan;
  readonly question: Question;
  /** In which session it was asked: in the next one, servers count their request IDs from 0 again. */
  readonly session: number;
  readonly isAnswering: boolean;
}

const CANCELLED = 'notifications/cancelled';
const COMPLETED = 'notifications/elicitation/complete';
/** Of a larger response only the beginning is read. */
const PARSED_CHARS = 100_000;

export class CallSpans {
  readonly calls = new Map<string, CallSpan>();
  readonly questions: QuestionSpan[] = [];
  readonly #head = new Head('');
  readonly #open = new Set<CallSpan>();
  readonly #asked = new Map<string, Asked>();
  #session = 0;

  apply(entry: Entry): Took | undefined {
    if (entry.kind === 'session') this.#session += 1;
    if (!changesCalls(entry)) return undefined;
    this.#fold(entry);
    if (entry.kind === 'call' && entry.change.name === 'sending') this.#begin(entry.callId, entry);
    const questionTook = this.#drawQuestions(entry);
    return this.#drawCalls(entry) ?? questionTook;
  }

  /** The question with this request ID that was asked last before an entry, or by it. */
  questionOf(requestId: string, seq: number): QuestionSpan | undefined {
    return this.questions.findLast((one) => one.requestId === requestId && one.first <= seq);
  }

  /** The log may begin in the middle of a call: its messages are then taken for those of no call. */
  #fold(entry: Entry): void {
    const isStray = entry.kind === 'received' && !this.calls.has(entry.callId ?? '');
    const { callId: _, ...stray } = entry as Received;
    foldAll(this.#head, [{ entry: isStray ? stray : entry, message: readMessage(entry) }]);
  }

  #begin(callId: string, entry: Entry): void {
    const call = this.#head.calls.get(callId);
    if (!call) return;
    const { tool, era, args } = call;
    const begun: CallSpan = {
      ...span(entry, tool),
      callId,
      tool,
      era,
      args: JSON.stringify(args),
      sent: undefined,
      result: undefined,
      https: [],
      questions: [],
    };
    this.calls.set(callId, begun);
    this.#open.add(begun);
  }

  #drawCalls(entry: Entry): Took | undefined {
    let took: Took | undefined;
    for (const open of this.#open) {
      const call = this.#head.calls.get(open.callId);
      if (call && isOpen(call)) continue;
      this.#open.delete(open);
      took = this.#end(open, call, entry);
    }
    const callId = 'callId' in entry ? entry.callId : undefined;
    const ended = callId === undefined ? undefined : this.calls.get(callId);
    const call = ended && this.#head.calls.get(ended.callId);
    const isLate = ended && (ended.end === 'lost' || ended.end === 'unknown') && call?.name === 'settled';
    return isLate ? this.#end(ended, call, entry) : took;
  }

  #end(ended: CallSpan, call: Call | undefined, { seq, at, kind }: Entry): Took | undefined {
    if (call?.name === 'settled' && kind === 'received') ended.result = seq;
    const took = correct(ended, at, seq, call ? endOfCall(call) : 'unknown');
    // The result stands in the log, and may be large.
    this.#head.calls.edit(ended.callId, ({ result: _, ...rest }) => rest);
    return took;
  }

  #drawQuestions(entry: Entry): Took | undefined {
    let took: Took | undefined;
    for (const [id, asked] of this.#asked) {
      const question = this.#head.questions.get(id);
      if (question && this.#isSame(asked, question)) {
        this.#asked.set(id, { ...asked, isAnswering: question.answering !== undefined });
        continue;
      }
      this.#asked.delete(id);
      took = close(asked.span, entry.at, entry.seq, question ? 'expired' : endOfQuestion(asked, entry));
    }
    for (const question of this.#head.questions.values()) {
      if (!this.#asked.has(question.id)) this.#ask(question, entry);
    }
    return took ?? this.#answeredLate(entry);
  }

  #isSame({ question, session }: Asked, { callId, askedAt }: Question): boolean {
    return askedAt === question.askedAt || (callId === question.callId && session === this.#session);
  }

  #ask(question: Question, entry: Entry): void {
    const callId = ('callId' in entry ? entry.callId : undefined) ?? question.callId;
    const asked: QuestionSpan = { ...span(entry, question.method), requestId: question.id, callId };
    this.questions.push(asked);
    this.#asked.set(question.id, { span: asked, question, session: this.#session, isAnswering: false });
    if (callId !== undefined) this.calls.get(callId)?.questions.push(entry.seq);
  }

  /** The result may have come before the answer was known to have arrived. */
  #answeredLate(entry: Entry): Took | undefined {
    if (entry.kind !== 'question' || entry.change.name !== 'answered') return undefined;
    return correct(this.questionOf(entry.requestId, entry.seq), entry.at, entry.seq, 'done');
  }
}

/** Most entries of a burst change nothing here, and need not be read. */
function changesCalls(entry: Entry): boolean {
  switch (entry.kind) {
    case 'call':
    case 'question':
    case 'task':
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

function endOfQuestion({ isAnswering }: Asked, entry: Entry): SpanEnd {
  if (entry.kind === 'question') {
    const { name } = entry.change;
    return name === 'expired' || name === 'cancelled' ? name : 'done';
  }
  if (entry.kind === 'received' && entry.method === CANCELLED) return 'cancelled';
  if (entry.kind === 'received' && entry.method === COMPLETED) return 'done';
  return isAnswering ? 'done' : 'expired';
}
