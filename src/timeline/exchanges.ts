/**
 * What belongs together, as a fold over the log: a request and its response, a call and the streams that carried it, a
 * question and its answer, a page load and what it saw. Entries stay as they are; these are drawn from them.
 */
import { asText } from '../base/asText.ts';
import { isObject, stringField } from '../base/json.ts';
import { readAnswer } from '../log/answer.ts';
import type { Call } from '../log/call.ts';
import type { Entry } from '../log/entry.ts';
import { messageOf } from '../log/log.ts';
import { QUESTION_METHODS } from '../log/question.ts';
import { isTerminal } from '../log/task.ts';

export type SpanEnd = 'open' | 'done' | 'failed' | 'lost' | 'unknown' | 'cancelled' | 'expired';

/** Something that took time: from one entry to another. */
export interface Span {
  readonly label: string;
  readonly first: number;
  readonly from: number;
  last: number | undefined;
  to: number | undefined;
  end: SpanEnd;
}

export interface CallSpan extends Span {
  readonly callId: string;
  readonly tool: string;
  readonly era: Call['era'];
  readonly args: string;
  sent: number | undefined;
  result: number | undefined;
  readonly https: number[];
  readonly questions: number[];
}

export interface RequestSpan extends Span {
  readonly stream: string;
  http: number | undefined;
  readonly isTask: boolean;
}

/** One HTTP exchange whose answer is read as a stream: the call's POST, or a GET that resumes. */
export interface Carriage extends Span {
  readonly stream: string;
  readonly callId: string | undefined;
  readonly httpMethod: string;
  readonly status: number;
  readonly resumedFrom: string | undefined;
  firstMessageAt: number | undefined;
}

export interface QuestionSpan extends Span {
  readonly requestId: string;
  readonly callId: string | undefined;
}

export interface LoadSpan {
  readonly load: number;
  readonly first: number;
  readonly from: number;
  /** The last moment that the page is known to have been there. */
  to: number;
  /** Did it end there, or was it only not seen any more? */
  isEndKnown: boolean;
}

/** How long the exchange took that this entry ends, and which earlier entry began it. */
export interface Took {
  readonly durationMs: number;
  readonly began?: number;
}

export class Exchanges {
  readonly loads: LoadSpan[] = [];
  readonly states: Span[] = [];
  readonly calls = new Map<string, CallSpan>();
  readonly requests = new Map<string, RequestSpan>();
  readonly carriages: Carriage[] = [];
  readonly questions = new Map<string, QuestionSpan>();
  readonly #open = new Map<string, Carriage>();
  #revision = 0;

  /** Higher whenever there is another span; that one has ended is written into the span itself. */
  get revision(): number {
    return this.#revision;
  }

  apply(entry: Entry): Took | undefined {
    this.#see(entry);
    switch (entry.kind) {
      case 'load':
        // Whatever was open was cut off when the page before went away.
        for (const carriage of this.#open.values())
          close(carriage, this.#lastBefore(entry), undefined, 'lost');
        this.#open.clear();
        return undefined;
      case 'state':
        close(this.states.at(-1), entry.at, entry.seq, 'done');
        this.#revision += 1;
        this.states.push(span(entry, entry.state.name, entry.state.name === 'failed' ? 'failed' : 'open'));
        return undefined;
      case 'call':
        return this.#call(entry);
      case 'sent':
        return this.#sent(entry);
      case 'received':
        return this.#received(entry);
      case 'http':
        this.#http(entry);
        return { durationMs: entry.durationMs };
      case 'stream-end':
        return this.#streamEnd(entry);
      case 'question': {
        const question = this.questions.get(entry.requestId);
        // The result may have come before the answer was known to have arrived.
        if (question?.end === 'done') question.to = undefined;
        const ends: Readonly<Record<string, SpanEnd>> = {
          answered: 'done',
          expired: 'expired',
          cancelled: 'cancelled',
        };
        const end = ends[entry.change.name];
        return end && close(question, entry.at, entry.seq, end);
      }
      default:
        return undefined;
    }
  }

  /** Requests that are part of a call are drawn with it. */
  callOf(callId: string | undefined): CallSpan | undefined {
    return callId === undefined ? undefined : this.calls.get(callId);
  }

  #see(entry: Entry): void {
    const load = this.loads.at(-1);
    if (load?.load === entry.load) load.to = Math.max(load.to, entry.at);
    else {
      if (load) leave(load, entry);
      this.loads.push({
        load: entry.load,
        first: entry.seq,
        from: entry.at,
        to: entry.at,
        isEndKnown: false,
      });
    }
  }

  /** When the page of the load before this one was last seen. */
  #lastBefore(entry: Entry): number {
    return this.loads.at(-2)?.to ?? entry.at;
  }

  #call({ callId, change, ...entry }: Entry & { kind: 'call' }): Took | undefined {
    switch (change.name) {
      case 'sending':
        this.#revision += 1;
        this.calls.set(callId, {
          ...span(entry, change.tool),
          callId,
          tool: change.tool,
          era: change.era,
          args: JSON.stringify(change.args),
          sent: undefined,
          result: undefined,
          https: [],
          questions: [],
        });
        return undefined;
      case 'failed':
      case 'cancelled':
      case 'lost':
      case 'unknown':
      case 'expired':
        return close(this.calls.get(callId), entry.at, entry.seq, change.name);
      default:
        return undefined;
    }
  }

  #sent(entry: Entry & { kind: 'sent' }): undefined {
    if (entry.method === undefined || entry.method.startsWith('notifications/')) return undefined;
    const call = this.callOf(entry.callId);
    if (call) {
      call.sent ??= entry.seq;
      return undefined;
    }
    this.#revision += 1;
    this.requests.set(entry.stream, {
      ...span(entry, entry.method),
      stream: entry.stream,
      isTask: entry.method.startsWith('tasks/'),
      http: undefined,
    });
    return undefined;
  }

  #received(entry: Entry & { kind: 'received' }): Took | undefined {
    const carriage = this.#open.get(entry.stream);
    if (carriage) carriage.firstMessageAt ??= entry.at;
    if (entry.method === undefined) return this.#response(entry);
    if (!QUESTION_METHODS.has(entry.method)) return undefined;
    const id = messageOf(entry)?.['id'];
    const requestId = asText(id);
    if (id === undefined || this.questions.has(requestId)) return undefined;
    this.#revision += 1;
    this.questions.set(requestId, { ...span(entry, entry.method), requestId, callId: entry.callId });
    this.callOf(entry.callId)?.questions.push(entry.seq);
    return undefined;
  }

  #response(entry: Entry & { kind: 'received' }): Took | undefined {
    const call = this.callOf(entry.callId);
    if (!call) return close(this.requests.get(entry.stream), entry.at, entry.seq, endOf(entry.raw));
    if (call.to !== undefined) return undefined;
    const end = this.#endOfCall(call, entry);
    if (end === undefined) return undefined;
    call.result = entry.seq;
    for (const question of this.questions.values()) {
      if (question.callId === call.callId) close(question, entry.at, entry.seq, 'done');
    }
    return close(call, entry.at, entry.seq, end);
  }

  /** An answer may be a question, or word of the task that the call became: then the call goes on. */
  #endOfCall(call: CallSpan, entry: Entry & { kind: 'received' }): SpanEnd | undefined {
    if (entry.raw.length > PARSED_CHARS) return endOf(entry.raw);
    const message = messageOf(entry) ?? {};
    const answer = readAnswer(message, call.era);
    switch (answer.name) {
      case 'settles':
        return 'error' in answer.outcome ? 'failed' : endOf(entry.raw);
      case 'asks':
        for (const [key, request] of Object.entries(answer.inputRequests)) {
          const requestId = `${asText(message['id'])}/${key}`;
          const method = stringField(request, 'method') ?? 'question';
          this.#revision += 1;
          this.questions.set(requestId, { ...span(entry, method), requestId, callId: call.callId });
          call.questions.push(entry.seq);
        }
        return undefined;
      case 'task':
        if (answer.task.status === 'cancelled') return 'cancelled';
        if (answer.generation === 'core' || !isTerminal(answer.task.status)) return undefined;
        return answer.task.status === 'failed' ? 'failed' : 'done';
      case 'nothing':
        return undefined;
    }
  }

  #http(entry: Entry & { kind: 'http' }): void {
    this.callOf(entry.callId)?.https.push(entry.seq);
    const request = this.requests.get(entry.stream);
    if (request) request.http ??= entry.seq;
    const isRefused = entry.status >= 400 || entry.status === 0;
    if (isRefused && entry.callId === undefined) close(request, entry.at, entry.seq, 'failed');
    const streams = (entry.responseHeaders['content-type'] ?? '').includes('text/event-stream');
    if (!isRefused && !streams) return;
    const carriage: Carriage = {
      ...span(entry, `${entry.method} ${entry.status}`),
      from: entry.at - entry.durationMs,
      stream: entry.stream,
      callId: entry.callId,
      httpMethod: entry.method,
      status: entry.status,
      resumedFrom: entry.requestHeaders['last-event-id'],
      firstMessageAt: undefined,
    };
    this.#revision += 1;
    this.carriages.push(carriage);
    if (isRefused) close(carriage, entry.at, entry.seq, 'failed');
    else this.#open.set(entry.stream, carriage);
  }

  #streamEnd(entry: Entry & { kind: 'stream-end' }): Took | undefined {
    const carriage = this.#open.get(entry.stream);
    this.#open.delete(entry.stream);
    const bad = entry.how === 'broken' || entry.how === 'refused';
    return close(carriage, entry.at, entry.seq, bad ? 'failed' : 'done');
  }
}

/** The browser tells when a page was left only where it was loaded again. */
function leave(load: LoadSpan, next: Entry): void {
  if (next.kind !== 'load' || next.pageLeftAt === undefined) return;
  load.to = Math.min(next.at, Math.max(load.to, next.pageLeftAt));
  load.isEndKnown = true;
}

function span({ seq, at }: Pick<Entry, 'seq' | 'at'>, label: string, end: SpanEnd = 'open'): Span {
  return { label, first: seq, from: at, last: undefined, to: undefined, end };
}

function close(open: Span | undefined, at: number, seq: number | undefined, end: SpanEnd): Took | undefined {
  if (!open || open.to !== undefined) return undefined;
  open.to = Math.max(at, open.from);
  open.last = seq;
  open.end = end;
  return { durationMs: open.to - open.from, began: open.first };
}

const PARSED_CHARS = 100_000;

/** A tool that failed says so inside of its result. */
function endOf(raw: string): SpanEnd {
  if (raw.length > PARSED_CHARS) return /"error"\s*:/.test(raw.slice(0, 200)) ? 'failed' : 'done';
  const message: unknown = JSON.parse(raw);
  if (!isObject(message)) return 'done';
  if ('error' in message) return 'failed';
  const { result } = message;
  return isObject(result) && result['isError'] === true ? 'failed' : 'done';
}
