/**
 * What a page must know to come back, as a fold over the log. It is stored in the same transaction as the entries
 * that it was folded from, so a cursor is never ahead of the entries, nor a call behind its result.
 */
import { asText } from '../base/asText.ts';
import { BRIDGE_HEADER, readBridgeMark, type BridgeMark } from '../base/bridgeContract.ts';
import { checkpointMap } from '../base/checkpointMap.ts';
import { objectField, type JsonObject } from '../base/json.ts';
import { AppViews, type AppFacts } from './appViews.ts';
import { AskedQuestions, type Because } from './askedQuestions.ts';
import { CacheHints } from './cacheHints.ts';
import type { CacheHint } from './cacheHint.ts';
import { isOpen, type Call, type CallName } from './call.ts';
import { outcomeOf, progressOf } from './callMessages.ts';
import type { ConnectionState } from './connectionState.ts';
import type { CallChange, Entry, QuestionChange } from './entry.ts';
import { verdictOf, withEventIds, withRefusedResume, type EraVerdict } from './era.ts';
import { FollowUps, isOfCall, type Effect, type FollowUpsSnapshot } from './followUps.ts';
import { KnownCalls } from './knownCalls.ts';
import { foldLastConnection, type LastConnection } from './lastConnection.ts';
import { QUESTION_METHODS, type ClosedQuestion, type Question } from './question.ts';
import { ReceivedTasks, type ReceivedTasksSnapshot } from './receivedTasks.ts';
import { foldRecovery, NO_RECOVERY, type Recovery } from './recovery.ts';
import { codeOf } from './reason.ts';
import { requiredAddresses } from './requiredAddresses.ts';
import type { StreamPosition } from './streamPosition.ts';
import { StreamPositions } from './streamPositions.ts';

export interface HeadSnapshot extends Partial<FollowUpsSnapshot & ReceivedTasksSnapshot> {
  readonly era?: EraVerdict | undefined;
  readonly hints?: readonly CacheHint[];
  readonly load: number;
  readonly nextSeq: number;
  readonly state: ConnectionState;
  /** Has this server ever named a position? It tells "cannot replay" from "the page left too early". */
  readonly namesPositions: boolean;
  readonly streams: readonly StreamPosition[];
  readonly calls: readonly Call[];
  readonly questions: readonly Question[];
  readonly closedQuestions?: readonly ClosedQuestion[];
  readonly recovery?: Recovery;
  readonly usedAt?: number;
  readonly logMessages?: number;
  readonly lastConnection?: LastConnection;
  readonly bridge?: BridgeMark | undefined;
  readonly apps?: readonly AppFacts[];
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
  readonly streams: StreamPositions;
  readonly calls: KnownCalls;
  readonly questions: AskedQuestions;
  readonly followUps: FollowUps;
  readonly receivedTasks: ReceivedTasks;
  readonly hints: CacheHints;
  readonly apps: AppViews;
  era: EraVerdict | undefined;
  /** Missed events that came back since the connection was last lost. */
  recovered = 0;
  recovery: Recovery;
  /** When a message was last sent or received. */
  usedAt: number;
  /** How many log messages the server has sent. */
  logMessages: number;
  lastConnection: LastConnection;
  /** The server is behind a bridge, as its last response said. */
  bridge: BridgeMark | undefined;

  constructor(server: string, from: HeadSnapshot = EMPTY_HEAD) {
    this.server = server;
    this.load = from.load;
    this.nextSeq = from.nextSeq;
    this.state = from.state;
    this.namesPositions = from.namesPositions;
    this.streams = new StreamPositions(from.streams.map((stream) => [stream.key, stream]));
    this.calls = new KnownCalls(from.calls.map((call) => [call.id, call]));
    this.questions = new AskedQuestions(from.questions, from.closedQuestions);
    this.followUps = new FollowUps(from);
    this.receivedTasks = new ReceivedTasks(from);
    this.hints = new CacheHints(from.hints);
    this.era = from.era;
    this.recovery = from.recovery ?? NO_RECOVERY;
    this.usedAt = from.usedAt ?? 0;
    this.logMessages = from.logMessages ?? 0;
    this.lastConnection = from.lastConnection ?? {};
    this.bridge = from.bridge;
    this.apps = new AppViews((from.apps ?? []).map((facts) => [facts.callId, facts]));
  }

  /** Folds one entry in. `message` is the parsed form of its `raw`, where it has one. */
  apply(entry: Entry, message?: JsonObject): void {
    const stateBefore = this.state;
    const callBefore = this.#callName(entry);
    this.#apply(entry, message);
    const callAfter = this.#callName(entry);
    this.recovery = foldRecovery(this.recovery, entry, { stateBefore, callBefore, callAfter });
  }

  #callName(entry: Entry): CallName | undefined {
    const mayChange = entry.kind === 'call' || (entry.kind === 'received' && entry.method === undefined);
    return mayChange && entry.callId !== undefined ? this.calls.get(entry.callId)?.name : undefined;
  }

  #apply(entry: Entry, message: JsonObject | undefined): void {
    this.nextSeq = entry.seq + 1;
    switch (entry.kind) {
      case 'load':
        this.load = entry.load;
        this.recovered = 0;
        return;
      case 'state':
        if (entry.state.name === 'reconnecting' && this.state.name !== 'reconnecting') this.recovered = 0;
        this.state = entry.state;
        this.lastConnection = foldLastConnection(this.lastConnection, entry.state, entry.at);
        return;
      case 'call':
        this.#changeCall(entry.callId, entry.change, entry.at);
        if (this.era && isRefusedResume(entry.change)) this.era = withRefusedResume(this.era, entry.at);
        return;
      case 'question':
        if (entry.change.name === 'answered') this.#noteResponse(entry.requestId, entry.change.response);
        this.#changeQuestion(entry.requestId, entry.change, entry.at);
        return;
      case 'era':
        this.era = verdictOf(entry);
        return;
      case 'task':
        this.followUps.endTask(entry.taskId, entry.change.reason, entry.at);
        return;
      case 'sent':
        this.usedAt = entry.at;
        this.hints.asked(entry, message ?? {});
        if (entry.method === 'initialize') this.#beginSession();
        if (entry.callId === undefined) return;
        if (entry.callId === entry.stream) this.streams.begin(entry.stream, entry.seq, entry.callId);
        if (entry.method === 'tasks/result') this.streams.beginAgain(entry.stream, entry.seq, entry.callId);
        return;
      case 'received':
        this.usedAt = entry.at;
        this.#moveCursor(entry);
        this.#receive(entry, message ?? {});
        return;
      case 'position':
      case 'malformed':
        this.#moveCursor(entry);
        return;
      case 'duplicate':
        this.calls.edit(entry.callId, (call) => ({ ...call, duplicates: call.duplicates + 1 }));
        return;
      case 'stream-end':
        if (entry.how === 'answered') this.streams.delete(entry.stream);
        return;
      case 'http':
        // A response that was sent and not acknowledged may not have arrived: the next page sends it again.
        if (entry.responseTo !== undefined && entry.status < 300) {
          this.receivedTasks.closeRequest(entry.responseTo);
        }
        // An error may come from something in between; a success comes from the server, or from its bridge.
        if (entry.status >= 200 && entry.status < 300)
          this.bridge = readBridgeMark(entry.responseHeaders[BRIDGE_HEADER] ?? null);
        return;
      case 'note':
        if (entry.removedThrough !== undefined) this.calls.loseResults(entry.removedThrough, entry.at);
        return;
      case 'app':
        this.apps.fold(entry);
        return;
      case 'session':
      case 'auth':
        return;
      default:
        entry satisfies never;
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
      era: this.era,
      hints: this.hints.snapshot(),
      ...this.followUps.snapshot(),
      ...this.receivedTasks.snapshot(),
      closedQuestions: this.questions.closed,
      recovery: this.recovery,
      usedAt: this.usedAt,
      logMessages: this.logMessages,
      lastConnection: this.lastConnection,
      bridge: this.bridge,
      ...(this.apps.size > 0 && { apps: [...this.apps.values()] }),
    };
  }

  /** @returns an undo of everything that is applied after this */
  checkpoint(): () => void {
    const { logMessages, lastConnection } = this;
    const { load, nextSeq, state, namesPositions, era, recovered, recovery, bridge, usedAt } = this;
    const { closed } = this.questions;
    const { tasks, rounds } = this.followUps;
    const { tasks: received, requests } = this.receivedTasks;
    const maps = [this.streams, this.calls, this.questions, tasks, rounds, received, requests, this.apps];
    const undoMaps = maps.map(checkpointMap);
    const undoHints = this.hints.checkpoint();
    return () => {
      Object.assign(this, { logMessages, lastConnection });
      Object.assign(this, { load, nextSeq, state, namesPositions, era, recovered, recovery, bridge, usedAt });
      for (const undo of [...undoMaps, undoHints]) undo();
      this.questions.closed = closed;
    };
  }

  /** The oldest entry that an open call still needs. */
  neededSince(): number {
    return this.streams.neededSince();
  }

  /** Gives a call of an earlier page load its result back, once the entry that holds it was read. */
  attachResult(callId: string, message: JsonObject): void {
    this.calls.edit(callId, (call) => ({ ...call, ...outcomeOf(message) }));
  }

  /** The entry that holds the result of a call is not in the log any more. */
  giveUpResult(callId: string): void {
    this.calls.edit(callId, (call) => ({ ...call, isResultRemoved: true }));
  }

  #receive(entry: Entry & { kind: 'received' }, message: JsonObject): void {
    if (entry.replayed) this.recovered += 1;
    if (entry.method === 'notifications/message') this.logMessages += 1;
    if (entry.callId === undefined) {
      this.hints.answered(entry, message);
      this.#receiveQuestion(entry, message);
      this.#receiveNotice(entry, message);
      return;
    }
    const call = this.calls.get(entry.callId);
    if (!call) return;
    const isOwn = entry.method !== undefined || isOfCall(message['id']);
    // The hot path of a burst: one mutable copy for each message would be most of its cost.
    const next: { -readonly [K in keyof Call]: Call[K] } = { ...call };
    if (isOwn) next.received += 1;
    if (entry.replayed) next.replayed += 1;
    if (next.name === 'sending') next.name = 'open';
    if (entry.method === 'notifications/progress') {
      next.progress = progressOf(message) ?? next.progress ?? { progress: 0 };
    }
    this.calls.set(entry.callId, next);
    const isGuess = next.name === 'lost' || next.name === 'unknown';
    if (entry.method === undefined && (isOpen(next) || isGuess || next.taskId !== undefined)) {
      const effect = this.followUps.answer(next, { message, server: this.server, at: entry.at });
      if (isOpen(next)) this.#takeEffect(entry.callId, effect, entry);
      else if (isGuess && effect.name === 'settles') {
        this.calls.correct(entry.callId, {
          name: 'settled',
          settledAt: entry.at,
          resultSeq: entry.seq,
          ...effect.outcome,
        });
      }
    }
    this.#receiveQuestion(entry, message);
    this.#receiveNotice(entry, message);
  }

  /** What became of a call, by an answer or by word of its task. */
  #takeEffect(callId: string, effect: Effect, { at, seq }: { at: number; seq: number }): void {
    const taskId = this.followUps.taskOf(callId)?.taskId;
    if (taskId !== undefined) this.calls.edit(callId, (call) => ({ ...call, taskId }));
    switch (effect.name) {
      case 'settles':
        this.#endCall(callId, { name: 'settled', settledAt: at, resultSeq: seq, ...effect.outcome });
        this.#require(callId, at);
        return;
      case 'cancelled':
        this.#endCall(callId, {
          name: 'cancelled',
          settledAt: at,
          reason: effect.reason,
        });
        return;
      case 'asks':
        this.#ask(callId, effect.questions);
        return;
      case 'runs':
        this.#ask(callId, []);
        return;
      case 'nothing':
        return;
    }
  }

  /** The call ended for the want of something: it waits in the inbox. */
  #require(callId: string, at: number): void {
    const error = this.calls.get(callId)?.error;
    this.questions.addAll(requiredAddresses(error, { callId, server: this.server, at }));
  }

  #ask(callId: string, questions: readonly Question[]): void {
    this.questions.replaceInAnswers(callId, questions);
    const rounds = this.followUps.rounds.get(callId)?.number;
    if (rounds !== undefined) this.calls.edit(callId, (call) => ({ ...call, rounds }));
    this.#noteAsked(callId);
  }

  /** An open call waits for a person as long as one of its questions does. */
  #noteAsked(callId: string | undefined): void {
    if (callId === undefined) return;
    const isAsked = this.questions.isAskedBy(callId);
    this.calls.edit(callId, (call) => {
      if (isAsked) return isOpen(call) ? { ...call, name: 'needs-input' } : call;
      return call.name === 'needs-input' ? { ...call, name: 'open' } : call;
    });
  }

  #noteResponse(requestId: string, response: object = {}): void {
    const question = this.questions.get(requestId);
    if (question) this.followUps.answered(question, response);
  }

  /** Status notifications name their task, whatever stream they come on. */
  #receiveNotice(entry: Entry & { kind: 'received' }, message: JsonObject): void {
    if (entry.method?.startsWith('notifications/tasks') !== true) return;
    const notice = this.followUps.notice({ message, server: this.server, at: entry.at });
    const call = notice && this.calls.get(notice.callId);
    if (notice && call && isOpen(call)) this.#takeEffect(notice.callId, notice.effect, entry);
  }

  #receiveQuestion(entry: Entry & { kind: 'received' }, message: JsonObject): void {
    if (entry.method === 'notifications/cancelled') {
      this.#takeBack(asText(objectField(message, 'params')?.['requestId']), entry.at);
      return;
    }
    if (entry.method === 'notifications/elicitation/complete') {
      this.questions.complete(message, entry.at);
      return;
    }
    if (entry.method === undefined) return;
    this.receivedTasks.ask(entry.method, message);
    if (!QUESTION_METHODS.has(entry.method)) return;
    const rpcId = message['id'];
    if (typeof rpcId !== 'string' && typeof rpcId !== 'number') return;
    const callId = entry.callId ?? this.followUps.callAbout(message) ?? this.calls.onlyOpen();
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
    this.#noteAsked(callId);
  }

  /** A task that was created is cancelled by `tasks/cancel` alone. */
  #takeBack(id: string, at: number): void {
    const isOpen = this.receivedTasks.requests.has(id);
    this.receivedTasks.closeRequest(id);
    if (isOpen || !this.questions.get(id)?.task) {
      const change = { name: 'expired', reason: { code: 'taken-back', how: 'request' } } as const;
      this.#changeQuestion(id, change, at);
    }
  }

  #changeQuestion(id: string, change: QuestionChange, at: number): void {
    const taskId = this.questions.get(id)?.task?.taskId;
    if (taskId !== undefined) this.receivedTasks.end(taskId, change, at);
    switch (change.name) {
      case 'task': {
        const { taskId, ttlMs } = change;
        const question = this.questions.becomeTask(id, { taskId, expiresAt: at + ttlMs });
        if (question) this.receivedTasks.create(question, change, at);
        return;
      }
      case 'completed':
        this.questions.completeByHand(id, at);
        return;
      case 'answering': {
        const { name: _, ...answering } = change;
        this.questions.answering(id, answering);
        return;
      }
      default:
        this.#closeQuestion(id, at, change);
    }
  }

  #closeQuestion(id: string, at: number, because: Because): void {
    this.#noteAsked(this.questions.close(id, at, because)?.callId);
  }

  #changeCall(callId: string, change: CallChange, at: number): void {
    switch (change.name) {
      case 'sending':
        this.calls.begin(callId, this.server, change, at);
        return;
      case 'open':
        this.calls.edit(callId, (call) => (call.name === 'sending' ? { ...call, name: 'open' } : call));
        return;
      case 'retrying':
        this.followUps.retrying(callId);
        return;
      case 'background':
        this.calls.editOpen(callId, (call) => ({ ...call, backgroundSince: at }));
        return;
      case 'forgotten':
        this.calls.forget(callId);
        return;
      case 'ran-again': {
        const { runs, reason } = change;
        this.calls.edit(callId, (call) => ({ ...call, runs, ranAgain: reason }));
        return;
      }
      case 'failed':
        this.#endCall(callId, {
          name: 'settled',
          settledAt: at,
          error: change.error,
          reason: change.reason,
        });
        return;
      case 'cancelled':
      case 'lost':
      case 'unknown':
      case 'expired':
        this.#endCall(callId, {
          name: change.name,
          settledAt: at,
          reason: change.reason,
        });
        return;
    }
  }

  #endCall(callId: string, end: Pick<Call, 'name'> & Partial<Call>): void {
    this.calls.end(callId, end);
    this.streams.forgetCall(callId);
    this.questions.closeOf(callId, end.settledAt ?? 0);
    this.followUps.closeCall(callId);
  }

  /** A handshake on the wire: positions of an earlier session mean nothing from here on. */
  #beginSession(): void {
    this.streams.clear();
    this.receivedTasks.clear();
    this.namesPositions = false;
  }

  #moveCursor(entry: Entry & { kind: 'received' | 'position' | 'malformed' }): void {
    if (entry.eventId === undefined) return;
    this.namesPositions = true;
    if (this.era?.sessions?.name === 'no-event-ids') this.era = withEventIds(this.era, entry.at);
    const call = entry.callId === undefined ? undefined : this.calls.get(entry.callId);
    this.streams.move(entry, call && isOpen(call) ? call.id : undefined);
  }
}

function isRefusedResume(change: CallChange): boolean {
  return change.name === 'lost' && ['resume-refused', 'resume-blocked'].includes(codeOf(change.reason) ?? '');
}
