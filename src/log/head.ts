/**
 * What a page must know to come back, as a fold over the log. It is stored in the same transaction as the entries
 * that it was folded from, so a cursor is never ahead of the entries, nor a call behind its result.
 */
import { isObject, numberField, objectField, stringField, type JsonObject } from '../base/json.ts';
import type { Call } from './call.ts';
import { isOpen } from './call.ts';
import type { ConnectionState } from './connectionState.ts';
import type { CallChange, Entry } from './entry.ts';
import { STANDALONE } from './entry.ts';
import { QUESTION_METHODS, type Question } from './question.ts';
import type { StreamPosition } from './streamPosition.ts';

/** Finished calls beyond this many are forgotten, oldest first; their entries stay in the log. */
const KEPT_CALLS = 200;

export interface HeadSnapshot {
  readonly load: number;
  readonly nextSeq: number;
  readonly state: ConnectionState;
  /** Has this server ever named a position? It tells "cannot replay" from "the page left too early". */
  readonly namesPositions: boolean;
  readonly streams: readonly StreamPosition[];
  readonly calls: readonly Call[];
  readonly questions: readonly Question[];
}

export const EMPTY_HEAD: HeadSnapshot = {
  load: 0,
  nextSeq: 1,
  state: { name: 'idle' },
  namesPositions: false,
  streams: [],
  calls: [],
  questions: [],
};

export class Head {
  readonly server: string;
  load: number;
  nextSeq: number;
  state: ConnectionState;
  namesPositions: boolean;
  readonly streams: Map<string, StreamPosition>;
  readonly calls: Map<string, Call>;
  readonly questions: Map<string, Question>;
  /** Missed events that came back since the connection was last lost. */
  recovered = 0;

  constructor(server: string, from: HeadSnapshot = EMPTY_HEAD) {
    this.server = server;
    this.load = from.load;
    this.nextSeq = from.nextSeq;
    this.state = from.state;
    this.namesPositions = from.namesPositions;
    this.streams = new Map(from.streams.map((stream) => [stream.key, stream]));
    this.calls = new Map(from.calls.map((call) => [call.id, call]));
    this.questions = new Map(from.questions.map((question) => [question.id, question]));
  }

  /** Folds one entry in. `message` is the parsed form of its `raw`, where it has one. */
  apply(entry: Entry, message?: JsonObject): void {
    this.nextSeq = entry.seq + 1;
    switch (entry.kind) {
      case 'load':
        this.load = entry.load;
        this.recovered = 0;
        return;
      case 'state':
        if (entry.state.name === 'reconnecting' && this.state.name !== 'reconnecting') this.recovered = 0;
        this.state = entry.state;
        return;
      case 'call':
        this.#changeCall(entry.callId, entry.change, entry.at);
        return;
      case 'question':
        this.#closeQuestion(entry.requestId);
        return;
      case 'sent':
        if (entry.method === 'initialize') this.#beginSession();
        if (entry.callId === entry.stream) this.#touchStream(entry.stream, entry.seq, entry.callId);
        return;
      case 'received':
        this.#moveCursor(entry.stream, entry.seq, entry.eventId, entry.callId);
        this.#receive(entry, message ?? {});
        return;
      case 'position':
        this.#moveCursor(entry.stream, entry.seq, entry.eventId, entry.callId);
        return;
      case 'malformed':
        this.#moveCursor(entry.stream, entry.seq, entry.eventId, entry.callId);
        return;
      case 'duplicate':
        this.#editCall(entry.callId, (call) => ({ ...call, duplicates: call.duplicates + 1 }));
        return;
      case 'stream-end':
        if (entry.how === 'answered') this.streams.delete(entry.stream);
        return;
      case 'session':
      case 'http':
      case 'auth':
      case 'note':
        return;
    }
  }

  snapshot(): HeadSnapshot {
    return {
      load: this.load,
      nextSeq: this.nextSeq,
      state: this.state,
      namesPositions: this.namesPositions,
      streams: [...this.streams.values()],
      // A result stands in the log already; storing it here as well would write it again with every batch.
      calls: [...this.calls.values()].map(({ result: _, ...call }) => call),
      questions: [...this.questions.values()],
    };
  }

  /** The oldest entry that an open call still needs. */
  neededSince(): number {
    let since = Infinity;
    for (const stream of this.streams.values()) {
      if (stream.key !== STANDALONE) since = Math.min(since, stream.since);
    }
    return since;
  }

  /** Gives a call of an earlier page load its result back, once the entry that holds it was read. */
  attachResult(callId: string, message: JsonObject): void {
    this.#editCall(callId, (call) => ({ ...call, ...outcomeOf(message) }));
  }

  #receive(entry: Entry & { kind: 'received' }, message: JsonObject): void {
    if (entry.replayed) this.recovered += 1;
    if (entry.callId === undefined) {
      this.#receiveQuestion(entry, message);
      return;
    }
    const call = this.calls.get(entry.callId);
    if (!call) return;
    // The hot path of a burst: one mutable copy for each message would be most of its cost.
    const next: { -readonly [K in keyof Call]: Call[K] } = { ...call, received: call.received + 1 };
    if (entry.replayed) next.replayed += 1;
    if (next.name === 'sending') next.name = 'open';
    if (entry.method === 'notifications/progress') {
      next.progress = progressOf(message) ?? next.progress ?? { progress: 0 };
    } else if (entry.method === undefined && message['id'] === entry.callId && isOpen(next)) {
      Object.assign(next, outcomeOf(message), {
        name: 'settled',
        settledAt: entry.at,
        resultSeq: entry.seq,
      });
      this.streams.delete(entry.callId);
      this.#closeQuestionsOf(entry.callId);
      this.#forgetOldCalls();
    }
    this.calls.set(entry.callId, next);
    this.#receiveQuestion(entry, message);
  }

  #receiveQuestion(entry: Entry & { kind: 'received' }, message: JsonObject): void {
    if (entry.method === 'notifications/cancelled') {
      this.#closeQuestion(String(objectField(message, 'params')?.['requestId']));
      return;
    }
    if (entry.method === undefined || !QUESTION_METHODS.has(entry.method)) return;
    const rpcId = message['id'];
    if (typeof rpcId !== 'string' && typeof rpcId !== 'number') return;
    const callId = entry.callId ?? this.#onlyOpenCall();
    const id = String(rpcId);
    this.questions.set(id, {
      id,
      rpcId,
      server: this.server,
      method: entry.method,
      params: objectField(message, 'params') ?? {},
      ...(callId !== undefined && { callId }),
      askedAt: entry.at,
    });
    this.#editCall(callId, (call) => (isOpen(call) ? { ...call, name: 'needs-input' } : call));
  }

  #closeQuestion(id: string): void {
    const question = this.questions.get(id);
    if (!question) return;
    this.questions.delete(id);
    const stillAsked = [...this.questions.values()].some((other) => other.callId === question.callId);
    if (stillAsked) return;
    this.#editCall(question.callId, (call) =>
      call.name === 'needs-input' ? { ...call, name: 'open' } : call,
    );
  }

  #closeQuestionsOf(callId: string): void {
    for (const question of this.questions.values()) {
      if (question.callId === callId) this.questions.delete(question.id);
    }
  }

  #changeCall(callId: string, change: CallChange, at: number): void {
    switch (change.name) {
      case 'sending':
        this.calls.set(callId, {
          id: callId,
          server: this.server,
          tool: change.tool,
          args: change.args,
          name: 'sending',
          startedAt: at,
          timeoutMs: change.timeoutMs,
          repeatable: change.repeatable,
          received: 0,
          replayed: 0,
          duplicates: 0,
        });
        return;
      case 'open':
        this.#editCall(callId, (call) => (call.name === 'sending' ? { ...call, name: 'open' } : call));
        return;
      case 'failed':
        this.#endCall(callId, { name: 'settled', settledAt: at, error: change.error });
        return;
      case 'cancelled':
      case 'lost':
      case 'unknown':
      case 'expired':
        this.#endCall(callId, { name: change.name, settledAt: at, why: change.why });
        return;
    }
  }

  #endCall(callId: string, end: Pick<Call, 'name'> & Partial<Call>): void {
    this.#editCall(callId, (call) => (isOpen(call) ? { ...call, ...end } : call));
    this.streams.delete(callId);
    this.#closeQuestionsOf(callId);
    this.#forgetOldCalls();
  }

  #editCall(callId: string | undefined, edit: (call: Call) => Call): void {
    const call = callId === undefined ? undefined : this.calls.get(callId);
    if (call) this.calls.set(call.id, edit(call));
  }

  #forgetOldCalls(): void {
    if (this.calls.size <= KEPT_CALLS) return;
    for (const call of this.calls.values()) {
      if (this.calls.size <= KEPT_CALLS) return;
      if (!isOpen(call)) this.calls.delete(call.id);
    }
  }

  /** A handshake on the wire: positions of an earlier session mean nothing from here on. */
  #beginSession(): void {
    this.streams.clear();
    this.namesPositions = false;
  }

  #touchStream(key: string, seq: number, callId: string | undefined): void {
    if (this.streams.has(key)) return;
    this.streams.set(key, { key, since: seq, ...(callId !== undefined && { callId }) });
  }

  #moveCursor(key: string, seq: number, eventId: string | undefined, callId: string | undefined): void {
    if (eventId === undefined) return;
    this.namesPositions = true;
    const stream = this.streams.get(key);
    if (stream) this.streams.set(key, { ...stream, cursor: eventId });
    else if (key === STANDALONE) this.streams.set(key, { key, since: seq, cursor: eventId });
    else if (callId === key && isOpen(this.calls.get(callId) ?? { name: 'lost' })) {
      this.streams.set(key, { key, callId, since: seq, cursor: eventId });
    }
  }

  #onlyOpenCall(): string | undefined {
    const open = [...this.calls.values()].filter(isOpen);
    return open.length === 1 ? open[0]?.id : undefined;
  }
}

function outcomeOf(message: JsonObject): Pick<Call, 'result'> | Pick<Call, 'error'> {
  const result = message['result'];
  if (isObject(result)) return { result };
  const error = message['error'];
  return {
    error: {
      code: numberField(error, 'code') ?? 0,
      message: stringField(error, 'message') ?? 'The server sent an error without a message.',
    },
  };
}

function progressOf(message: JsonObject): Call['progress'] {
  const params = message['params'];
  const progress = numberField(params, 'progress');
  if (progress === undefined) return undefined;
  const total = numberField(params, 'total');
  const text = stringField(params, 'message');
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(text !== undefined && { message: text }),
  };
}
