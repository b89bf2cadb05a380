/** How entries change the calls of a server. Each end of a call is decided here, and emitted. */
import type { JsonObject } from '../../base/json.ts';
import { isOpen, type Call, type CallEnd } from './call.ts';
import { progressOf } from '../protocol/callMessages.ts';
import type { CallChange } from '../entry/entry.ts';
import type { EntryOf } from '../entry/entryKinds.ts';
import { isOfCall, type Effect } from './callContinuations.ts';
import type { MutableServerState } from './mutableServerState.ts';
import { askInAnswer, askRequired, closeQuestionsOf } from './reduceQuestions.ts';

type Received = EntryOf<'received'>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function changeCall(state: MutableServerState, callId: string, change: CallChange, at: number): void {
  switch (change.name) {
    case 'sending':
      state.emit({ kind: 'callBegan', call: state.calls.begin(callId, state.server, change, at) });
      return;
    case 'open':
      state.calls.edit(callId, (call) => (call.name === 'sending' ? { ...call, name: 'open' } : call));
      return;
    case 'retrying':
      state.continuations.retrying(callId);
      return;
    case 'background':
      state.calls.editOpen(callId, (call) => ({ ...call, backgroundSince: at }));
      return;
    case 'forgotten':
      if (state.calls.forget(callId)) state.emit({ kind: 'callForgotten', callId });
      return;
    case 'ran-again': {
      const { runs, reason } = change;
      state.calls.edit(callId, (call) => ({ ...call, runs, ranAgain: reason }));
      return;
    }
    case 'failed': {
      const { error, reason } = change;
      endCall(state, callId, { name: 'settled', settledAt: at, error, reason });
      return;
    }
    case 'cancelled':
    case 'lost':
    case 'unknown':
    case 'expired':
      endCall(state, callId, { name: change.name, settledAt: at, reason: change.reason });
      return;
  }
}

/** A message on the stream of a call. */
export function receiveForCall(
  state: MutableServerState,
  entry: Received,
  call: Call,
  message: JsonObject,
): void {
  const isOwn = entry.method !== undefined || isOfCall(message['id']);
  // The hot path of a burst: one mutable copy for each message would be most of its cost.
  const next: Mutable<Call> = { ...call };
  if (isOwn) next.received += 1;
  if (entry.replayed) next.replayed += 1;
  if (next.name === 'sending') next.name = 'open';
  if (entry.method === 'notifications/progress') {
    next.progress = progressOf(message) ?? next.progress ?? { progress: 0 };
  }
  state.calls.set(call.id, next);
  if (entry.method === undefined) receiveResponse(state, entry, next, message);
}

function receiveResponse(state: MutableServerState, entry: Received, call: Call, message: JsonObject): void {
  const isGuess = call.name === 'lost' || call.name === 'unknown';
  if (!isOpen(call) && !isGuess && call.taskId === undefined) return;
  const round = state.continuations.rounds.get(call.id);
  const task = state.continuations.taskOf(call.id);
  const effect = state.continuations.answer(call, { message, server: state.server, at: entry.at });
  emitTask(state, call.id, task);
  if (state.continuations.rounds.get(call.id) !== round)
    state.emit({ kind: 'roundChanged', callId: call.id });
  if (isOpen(call)) takeEffect(state, call.id, effect, entry);
  else if (isGuess && effect.name === 'settles') {
    const end = { name: 'settled', settledAt: entry.at, resultSeq: entry.seq, ...effect.outcome } as const;
    const corrected = state.calls.correct(call.id, end);
    if (corrected) state.emit({ kind: 'callEnded', call: corrected, was: call.name });
  }
}

/** Status notifications name their task, whatever stream they come on. */
export function receiveTaskNotice(state: MutableServerState, entry: Received, message: JsonObject): void {
  if (entry.method?.startsWith('notifications/tasks') !== true) return;
  const notice = state.continuations.notice({ message, server: state.server, at: entry.at });
  if (!notice) return;
  emitTask(state, notice.callId, undefined);
  const call = state.calls.get(notice.callId);
  if (call && isOpen(call)) takeEffect(state, notice.callId, notice.effect, entry);
}

function emitTask(state: MutableServerState, callId: string, before: object | undefined): void {
  const task = state.continuations.taskOf(callId);
  if (task && task !== before) state.emit({ kind: 'taskChanged', callId, taskId: task.taskId });
}

/** What became of a call, by an answer or by word of its task. */
function takeEffect(state: MutableServerState, callId: string, effect: Effect, { at, seq }: Received): void {
  const taskId = state.continuations.taskOf(callId)?.taskId;
  if (taskId !== undefined) state.calls.edit(callId, (call) => ({ ...call, taskId }));
  switch (effect.name) {
    case 'settles':
      endCall(state, callId, { name: 'settled', settledAt: at, resultSeq: seq, ...effect.outcome });
      askRequired(state, callId, at);
      return;
    case 'cancelled':
      endCall(state, callId, { name: 'cancelled', settledAt: at, reason: effect.reason });
      return;
    case 'asks':
      askInAnswer(state, callId, effect.questions);
      return;
    case 'runs':
      askInAnswer(state, callId, []);
      return;
    case 'nothing':
      return;
  }
}

function endCall(state: MutableServerState, callId: string, end: CallEnd): void {
  const was = state.calls.get(callId)?.name;
  const ended = state.calls.end(callId, end);
  if (ended && was) state.emit({ kind: 'callEnded', call: ended, was });
  state.streams.forgetCall(callId);
  closeQuestionsOf(state, callId, end.settledAt);
  state.continuations.closeCall(callId);
}
