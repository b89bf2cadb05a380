/**
 * What belongs together, as a fold over the log: a request and its response, a call and the streams that carried it, a
 * question and its answer, a page load and what it saw. Entries stay as they are; these are drawn from them.
 */
import { asText } from '../base/asText.ts';
import { isObject } from '../base/json.ts';
import type { Entry } from '../log/entry/entry.ts';
import { entryAt, runLength, timeAt, type EntryRun } from '../log/entry/entryRun.ts';
import { messageOf } from '../log/entry/messageOf.ts';
import { CallSpans } from './callSpans.ts';
import { isRefused } from './refusal.ts';
import {
  close,
  span,
  type CallSpan,
  type StreamConnectionSpan,
  type LoadSpan,
  type QuestionSpan,
  type RequestSpan,
  type Span,
  type SpanEnd,
  type SpanDuration,
} from './span.ts';

export class Exchanges {
  readonly loads: LoadSpan[] = [];
  readonly states: Span[] = [];
  readonly requests = new Map<string, RequestSpan>();
  readonly carriages: StreamConnectionSpan[] = [];
  readonly #calls = new CallSpans();
  readonly #open = new Map<string, StreamConnectionSpan>();
  #revision = 0;

  /** Higher whenever there is another span; that one has ended is written into the span itself. */
  get revision(): number {
    return this.#revision + this.calls.size + this.questions.length;
  }

  get calls(): ReadonlyMap<string, CallSpan> {
    return this.#calls.calls;
  }

  get questions(): readonly QuestionSpan[] {
    return this.#calls.questions;
  }

  apply(entry: Entry): SpanDuration | undefined {
    this.#see(entry);
    const callTook = this.#calls.apply(entry);
    switch (entry.kind) {
      case 'load':
        this.#cutOff(this.loads.at(-2)?.to ?? entry.at);
        return undefined;
      case 'state':
        close(this.states.at(-1), entry.at, entry.seq, 'done');
        this.#revision += 1;
        this.states.push(span(entry, entry.state.name, entry.state.name === 'failed' ? 'failed' : 'open'));
        return undefined;
      case 'sent':
        this.#sent(entry);
        return undefined;
      case 'received':
        this.#noteDelivery(entry);
        return callTook ?? this.#received(entry);
      case 'http':
        this.#http(entry);
        return { durationMs: entry.durationMs };
      case 'stream-end':
        return this.#streamEnd(entry);
      default:
        return callTook;
    }
  }

  /** The last entries of a run, so many. They change no call. */
  applyRun(run: EntryRun, count: number): void {
    const length = runLength(run);
    const last = timeAt(run, length - 1);
    this.#see(entryAt(run, length - count));
    this.#see(entryAt(run, length - 1));
    const connection = this.#open.get(run.stream);
    if (!connection) return;
    connection.firstMessageAt ??= timeAt(run, length - count);
    if (!run.replayed) return;
    connection.replayed += count;
    connection.replayedTo = last;
  }

  /** The question with this request ID that was asked last before an entry, or by it. */
  questionOf(requestId: string, seq: number): QuestionSpan | undefined {
    return this.#calls.questionOf(requestId, seq);
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
        end: 'unseen',
      });
    }
  }

  /** Whatever was open ended with its page. A call goes on: it is resumed, or given up by an entry of its own. */
  #cutOff(at: number): void {
    for (const cut of [...this.#open.values(), ...this.requests.values()]) close(cut, at, undefined, 'lost');
    this.#open.clear();
  }

  #sent(entry: Entry & { kind: 'sent' }): void {
    if (entry.method === undefined || entry.method.startsWith('notifications/')) return;
    const call = this.callOf(entry.callId);
    if (call) {
      call.sent ??= entry.seq;
      return;
    }
    this.#revision += 1;
    this.requests.set(entry.stream, {
      ...span(entry, entry.method),
      stream: entry.stream,
      isTask: entry.method.startsWith('tasks/'),
      http: undefined,
    });
  }

  #noteDelivery({ stream, at, replayed }: Entry & { kind: 'received' }): void {
    const carriage = this.#open.get(stream);
    if (!carriage) return;
    carriage.firstMessageAt ??= at;
    if (!replayed) return;
    carriage.replayed += 1;
    carriage.replayedTo = at;
  }

  #received(entry: Entry & { kind: 'received' }): SpanDuration | undefined {
    if (entry.method !== undefined || this.callOf(entry.callId)) return undefined;
    const request = this.#requestOf(entry);
    const end = endOf(entry.raw);
    // The probe for 2026-07-28: an error is the answer of every server of an earlier protocol version.
    const isNo = end === 'failed' && request?.label === 'server/discover';
    return close(request, entry.at, entry.seq, isNo ? 'no' : end);
  }

  /** Over HTTP+SSE (deprecated), responses come on the one stream of the session, and only their IDs tell whose they are. */
  #requestOf(entry: Entry & { kind: 'received' }): RequestSpan | undefined {
    return this.requests.get(entry.stream) ?? this.requests.get(asText(messageOf(entry)?.['id']));
  }

  #http(entry: Entry & { kind: 'http' }): void {
    this.callOf(entry.callId)?.https.push(entry.seq);
    const request = this.requests.get(entry.stream);
    if (request) request.http ??= entry.seq;
    const refused = isRefused(entry);
    if (refused && entry.callId === undefined) close(request, entry.at, entry.seq, 'failed');
    const streams = (entry.responseHeaders['content-type'] ?? '').includes('text/event-stream');
    if (!refused && !streams) {
      // The body of a refusal is no message of the log.
      if (entry.status >= 400) close(request, entry.at, entry.seq, 'no');
      return;
    }
    const carriage: StreamConnectionSpan = {
      ...span(entry, `${entry.method} ${entry.status}`),
      from: entry.at - entry.durationMs,
      stream: entry.stream,
      callId: entry.callId,
      httpMethod: entry.method,
      status: entry.status,
      resumedFrom: entry.requestHeaders['last-event-id'],
      firstMessageAt: undefined,
      replayed: 0,
      replayedTo: undefined,
    };
    this.#revision += 1;
    this.carriages.push(carriage);
    if (refused) close(carriage, entry.at, entry.seq, 'failed');
    else this.#open.set(entry.stream, carriage);
  }

  #streamEnd(entry: Entry & { kind: 'stream-end' }): SpanDuration | undefined {
    const carriage = this.#open.get(entry.stream);
    this.#open.delete(entry.stream);
    const bad = entry.how === 'broken' || entry.how === 'refused';
    return close(carriage, entry.at, entry.seq, bad ? 'failed' : 'done');
  }
}

/** The browser tells when a page was left only where it was reloaded. A tab that closes is followed at once. */
function leave(load: LoadSpan, next: Entry): void {
  if (next.kind !== 'load') return;
  if (next.reason === 'took over') {
    load.to = Math.max(load.to, next.at);
    load.end = 'taken-over';
  } else if (next.pageLeftAt !== undefined) {
    load.to = Math.min(next.at, Math.max(load.to, next.pageLeftAt));
    load.end = 'left';
  }
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
