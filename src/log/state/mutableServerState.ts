/** The state of a server's log: what the reducer changes, what is stored of it, and how a change is undone. */
import type { BridgeMark } from '../../base/bridgeContract.ts';
import { checkpointMap } from '../../base/checkpointMap.ts';
import type { JsonObject } from '../../base/json.ts';
import { AppViews, type AppFacts } from './appViews.ts';
import { AskedQuestions } from './askedQuestions.ts';
import type { CacheHint } from '../protocol/cacheHint.ts';
import { CacheHints } from './cacheHints.ts';
import { isOpen, type Call, type SettledCall } from './call.ts';
import { outcomeOf } from '../protocol/callMessages.ts';
import type { ConnectionState } from './connectionState.ts';
import type { EraVerdict } from '../protocol/era.ts';
import { CallContinuations, type ContinuationsSnapshot } from './callContinuations.ts';
import { KnownCalls } from './knownCalls.ts';
import type { LastConnection } from './lastConnection.ts';
import type { ClosedQuestion, Question } from './question.ts';
import type { Reason } from '../reasons/reason.ts';
import { ReceivedTasks, type ReceivedTasksSnapshot } from './receivedTasks.ts';
import { NO_RECOVERY, type Recovery } from './recovery.ts';
import type { StreamPosition } from './streamPosition.ts';
import { StreamPositions } from './streamPositions.ts';
import type { Transition } from './transition.ts';

export interface ServerStateSnapshot extends Partial<ContinuationsSnapshot & ReceivedTasksSnapshot> {
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

export const EMPTY_STATE: ServerStateSnapshot = {
  load: 0,
  nextSeq: 1,
  state: { name: 'idle' },
  namesPositions: false,
  streams: [],
  calls: [],
  questions: [],
};

export class MutableServerState {
  readonly server: string;
  load: number;
  nextSeq: number;
  connection: ConnectionState;
  sendsEventIds: boolean;
  readonly streams: StreamPositions;
  readonly calls: KnownCalls;
  readonly questions: AskedQuestions;
  readonly continuations: CallContinuations;
  readonly receivedTasks: ReceivedTasks;
  hints: CacheHints;
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
  /** Counts the sessions of this page: in the next one, servers count their request IDs from 0 again. */
  session = 0;
  /** In which of them each question was asked. */
  readonly askedIn = new Map<string, number>();
  /** What was decided since they were last taken. */
  transitions: Transition[] = [];

  constructor(server: string, from: ServerStateSnapshot = EMPTY_STATE) {
    this.server = server;
    this.load = from.load;
    this.nextSeq = from.nextSeq;
    this.connection = from.state;
    this.sendsEventIds = from.namesPositions;
    this.streams = new StreamPositions(from.streams.map((stream) => [stream.key, stream]));
    this.calls = new KnownCalls(from.calls.map((call) => [call.id, call]));
    this.questions = new AskedQuestions(from.questions, from.closedQuestions);
    this.continuations = new CallContinuations(from);
    this.receivedTasks = new ReceivedTasks(from);
    this.hints = new CacheHints(from.hints);
    this.apps = new AppViews((from.apps ?? []).map((facts) => [facts.callId, facts]));
    this.era = from.era;
    this.recovery = from.recovery ?? NO_RECOVERY;
    this.usedAt = from.usedAt ?? 0;
    this.logMessages = from.logMessages ?? 0;
    this.lastConnection = from.lastConnection ?? {};
    this.bridge = from.bridge;
  }

  emit(transition: Transition): void {
    this.transitions.push(transition);
  }

  takeTransitions(): readonly Transition[] {
    if (this.transitions.length === 0) return [];
    const taken = this.transitions;
    this.transitions = [];
    return taken;
  }

  snapshot(): ServerStateSnapshot {
    return {
      load: this.load,
      nextSeq: this.nextSeq,
      state: this.connection,
      namesPositions: this.sendsEventIds,
      streams: [...this.streams.values()],
      // A result stands in the log already; storing it here as well would write it again with every batch.
      calls: [...this.calls.values()].map(({ result: _, ...call }) => call),
      questions: [...this.questions.values()],
      era: this.era,
      hints: this.hints.snapshot(),
      ...this.continuations.snapshot(),
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

  /** For another thread, which goes on with all of it. */
  wholeSnapshot(): ServerStateSnapshot {
    return { ...this.snapshot(), calls: [...this.calls.values()] };
  }

  /** @returns an undo of everything that is applied after this */
  checkpoint(): () => void {
    const { logMessages, lastConnection } = this;
    const { load, nextSeq, connection, sendsEventIds, era, recovered, recovery, bridge, usedAt, session } =
      this;
    const { closed } = this.questions;
    const { tasks, rounds } = this.continuations;
    const { tasks: received, requests } = this.receivedTasks;
    const maps = [this.streams, this.calls, this.questions, tasks, rounds, received, requests, this.apps];
    const undoMaps = maps.map(checkpointMap);
    const undoHints = this.hints.checkpoint();
    return () => {
      Object.assign(this, { logMessages, lastConnection });
      Object.assign(this, {
        load,
        nextSeq,
        connection,
        sendsEventIds,
        era,
        recovered,
        recovery,
        bridge,
        usedAt,
      });
      this.session = session;
      this.transitions = [];
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
    this.#editSettled(callId, (call) => ({ ...call, ...outcomeOf(message) }));
  }

  /** The result stands in the log, and is not wanted here. */
  dropResult(callId: string): void {
    this.#editSettled(callId, ({ result: _, ...call }) => call);
  }

  /** The entry that holds the result of a call is not in the log any more. */
  giveUpResult(callId: string): void {
    this.#editSettled(callId, (call) => ({ ...call, isResultRemoved: true }));
  }

  #editSettled(callId: string, edit: (call: SettledCall) => SettledCall): void {
    this.calls.edit(callId, (call) => (call.name === 'settled' ? edit(call) : call));
  }

  /** Nothing goes on in a log that was imported. */
  closeImported(at: number, reason: Reason): void {
    for (const call of this.calls.values()) {
      if (!isOpen(call)) continue;
      this.calls.end(call.id, { name: 'unknown', reason: { code: 'log-ended' }, settledAt: at });
    }
    this.questions.clear();
    this.streams.clear();
    this.connection = { name: 'disconnected', reason };
  }
}
