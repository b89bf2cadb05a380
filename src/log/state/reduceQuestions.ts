/** How entries change what a server asks. Each change of a question is decided here, and emitted. */
import { asText } from '../../base/asText.ts';
import { objectField, type JsonObject } from '../../base/json.ts';
import { isOpen } from './call.ts';
import type { QuestionChange } from '../entry/entry.ts';
import type { EntryOf } from '../entry/entryKinds.ts';
import type { MutableServerState } from './mutableServerState.ts';
import { QUESTION_METHODS, type Question } from './question.ts';
import type { Reason } from '../reasons/reason.ts';
import { requiredAddresses } from '../protocol/requiredAddresses.ts';
import type { QuestionEnd } from './transition.ts';

/** A message of the server that asks something, or takes it back. */
export function receiveQuestion(
  state: MutableServerState,
  entry: EntryOf<'received'>,
  message: JsonObject,
): void {
  const { method, at } = entry;
  if (method === 'notifications/cancelled') {
    takeBack(state, asText(objectField(message, 'params')?.['requestId']), at);
    return;
  }
  if (method === 'notifications/elicitation/complete') {
    for (const id of state.questions.complete(message, at)) emitClosed(state, id, 'answered');
    return;
  }
  if (method === undefined) return;
  const requestId = state.receivedTasks.ask(method, message);
  if (requestId !== undefined) state.emit({ kind: 'taskRequested', requestId });
  if (!QUESTION_METHODS.has(method)) return;
  const rpcId = message['id'];
  if (typeof rpcId !== 'string' && typeof rpcId !== 'number') return;
  const callId = entry.callId ?? state.continuations.callAbout(message) ?? state.calls.onlyOpen();
  ask(state, {
    id: String(rpcId),
    rpcId,
    server: state.server,
    method,
    params: objectField(message, 'params') ?? {},
    ...(callId !== undefined && { callId }),
    askedAt: at,
  });
  noteAsked(state, callId);
}

/** All that a call asks inside of its answers from here on. */
export function askInAnswer(state: MutableServerState, callId: string, questions: readonly Question[]): void {
  for (const gone of state.questions.takeInAnswers(callId, questions)) {
    emitClosed(state, gone.id, endWithCall(gone));
  }
  askNew(state, questions);
  const rounds = state.continuations.rounds.get(callId)?.number;
  if (rounds !== undefined) state.calls.edit(callId, (call) => ({ ...call, rounds }));
  noteAsked(state, callId);
}

/** The call ended for the want of something: it waits in the inbox. */
export function askRequired(state: MutableServerState, callId: string, at: number): void {
  const error = state.calls.get(callId)?.error;
  askNew(state, requiredAddresses(error, { callId, server: state.server, at }));
}

export function changeQuestion(
  state: MutableServerState,
  id: string,
  change: QuestionChange,
  at: number,
): void {
  if (change.name === 'answered') noteResponse(state, id, change.response);
  const taskId = state.questions.get(id)?.task?.taskId;
  if (taskId !== undefined) state.receivedTasks.end(taskId, change, at);
  switch (change.name) {
    case 'task': {
      const { taskId, ttlMs } = change;
      const question = state.questions.becomeTask(id, { taskId, expiresAt: at + ttlMs });
      if (question) state.receivedTasks.create(question, change, at);
      emitChanged(state, id);
      return;
    }
    case 'completed':
      state.questions.completeByHand(id, at);
      return;
    case 'answering': {
      const { name: _, ...answering } = change;
      state.questions.answering(id, answering);
      emitChanged(state, id);
      return;
    }
    case 'answered':
    case 'expired':
    case 'cancelled':
      closeQuestion(state, id, { at, how: change.name, reason: change.reason });
  }
}

/** Its call has ended, and the server is no longer waiting. A task outlives the call that it was asked in. */
export function closeQuestionsOf(state: MutableServerState, callId: string, at: number): void {
  for (const closed of state.questions.closeOf(callId, at)) emitClosed(state, closed.id, endWithCall(closed));
}

/** A task that was created is cancelled by `tasks/cancel` alone. */
function takeBack(state: MutableServerState, id: string, at: number): void {
  const isRequested = state.receivedTasks.requests.has(id);
  state.receivedTasks.closeRequest(id);
  const question = state.questions.get(id);
  if (!isRequested && question?.task) return;
  const reason: Reason = { code: 'taken-back', how: 'request' };
  if (question?.task) state.receivedTasks.end(question.task.taskId, { name: 'expired', reason }, at);
  closeQuestion(state, id, { at, how: 'cancelled', reason });
}

interface End {
  readonly at: number;
  readonly how: QuestionEnd;
  readonly reason: Reason | undefined;
}

function closeQuestion(state: MutableServerState, id: string, { at, how, reason }: End): void {
  const closed = state.questions.close(id, at, reason ? { reason } : {});
  // The result may have come before the answer was known to have arrived.
  if (closed || how === 'answered') emitClosed(state, id, how);
  noteAsked(state, closed?.callId);
}

/** A request of the server's own. In a new session, another question may have the ID of an old one. */
function ask(state: MutableServerState, question: Question): void {
  const { id, callId } = question;
  const before = state.questions.get(id);
  const isSame = before && before.callId === callId && state.askedIn.get(id) === state.session;
  if (before && !isSame) emitClosed(state, id, 'expired');
  state.questions.set(id, question);
  state.askedIn.set(id, state.session);
  if (!isSame) state.emit({ kind: 'questionAsked', question });
}

function askNew(state: MutableServerState, questions: readonly Question[]): void {
  for (const question of questions) if (!state.questions.has(question.id)) ask(state, question);
}

/** An open call waits for the user as long as one of its questions does. */
function noteAsked(state: MutableServerState, callId: string | undefined): void {
  if (callId === undefined) return;
  const isAsked = state.questions.isAskedBy(callId);
  state.calls.edit(callId, (call) => {
    if (isAsked) return isOpen(call) ? { ...call, name: 'needs-input' } : call;
    return call.name === 'needs-input' ? { ...call, name: 'open' } : call;
  });
}

function noteResponse(state: MutableServerState, requestId: string, response: object = {}): void {
  const question = state.questions.get(requestId);
  if (!question) return;
  state.continuations.answered(question, response);
  if (question.callId !== undefined && question.via?.kind === 'round') {
    state.emit({ kind: 'roundChanged', callId: question.callId });
  }
}

/** An answer that was on its way when the call ended has been used, as far as that is known. */
function endWithCall({ answering }: Question): QuestionEnd {
  return answering ? 'answered' : 'expired';
}

function emitClosed(state: MutableServerState, requestId: string, how: QuestionEnd): void {
  state.emit({ kind: 'questionClosed', requestId, how });
}

function emitChanged(state: MutableServerState, id: string): void {
  const question = state.questions.get(id);
  if (question) state.emit({ kind: 'questionChanged', question });
}
