/** Frozen data for drawing. A call or a question that has not changed is the same object as before. */
import type { Tool } from '@modelcontextprotocol/client';
import { isToolCall, type Call as LoggedCall } from '../../log/state/call.ts';
import type { ServerState } from '../../log/state/serverState.ts';
import type { Question as LoggedQuestion } from '../../log/state/question.ts';
import type { Degraded } from '../../storage/fallbackStore.ts';
import type { Session } from '../link/session.ts';
import type { CallSnapshot } from './callTypes.ts';
import { callStateOf } from './outcome.ts';
import type { Question } from './questionTypes.ts';
import type { ServerInfo, StorageState } from './stateTypes.ts';

/** The log replaces what it changes, so its own objects tell what is still the same. */
const calls = new WeakMap<LoggedCall, CallSnapshot>();
const questions = new WeakMap<LoggedQuestion, Question>();
const troubles = new WeakMap<Degraded, StorageState>();
const STORED: StorageState = Object.freeze({ name: 'stored' });

export function snapshotOf(call: LoggedCall, tools: readonly Tool[]): CallSnapshot {
  const known = calls.get(call);
  if (known) return known;
  const { id, key, tool, args, startedAt, progress, received, replayed, duplicates } = call;
  const snapshot: CallSnapshot = Object.freeze({
    id,
    key,
    tool,
    args,
    startedAt,
    state: Object.freeze(callStateOf(call, call.repeatable || isRepeatable(tools, tool))),
    progress,
    counts: Object.freeze({ received, replayed, duplicates }),
  });
  calls.set(call, snapshot);
  return snapshot;
}

function isRepeatable(tools: readonly Tool[], name: string): boolean {
  const { readOnlyHint, idempotentHint } = tools.find((tool) => tool.name === name)?.annotations ?? {};
  return readOnlyHint === true || idempotentHint === true;
}

export function questionOf(asked: LoggedQuestion): Question {
  const known = questions.get(asked);
  if (known) return known;
  const { id, method, params, callId, askedAt } = asked;
  // The log keeps only these two methods as questions; the shape of their parameters is the server's promise.
  const shown: object = Object.freeze({ id, method, params, callId, askedAt });
  const question = shown as Question;
  questions.set(asked, question);
  return question;
}

export function storageStateOf(degraded: Degraded | undefined): StorageState {
  if (!degraded) return STORED;
  const { trouble, detail } = degraded;
  const state =
    troubles.get(degraded) ?? Object.freeze({ name: 'memory-only', reason: trouble, why: detail } as const);
  troubles.set(degraded, state);
  return state;
}

/** The open calls, and as many of the others as are kept. A call whose result was removed is not one of them. */
export function listedCalls(state: ServerState, keepFinished: number): readonly LoggedCall[] {
  const all = [...state.calls.values()].filter((call) => isToolCall(call) && hasOutcome(call));
  let tooMany = all.filter(({ settledAt }) => settledAt !== undefined).length - keepFinished;
  return tooMany <= 0 ? all : all.filter(({ settledAt }) => settledAt === undefined || (tooMany -= 1) < 0);
}

function hasOutcome({ name, result, error }: LoggedCall): boolean {
  return name !== 'settled' || result !== undefined || error !== undefined;
}

/** Whether a call of this server can be resumed, as far as it has shown. */
export function serverInfoOf({ handshake, sessionId, discover }: Session, state: ServerState): ServerInfo {
  const { serverInfo, capabilities, protocolVersion, instructions } = handshake;
  const resumable = state.sendsEventIds
    ? 'yes'
    : discover || sessionId === undefined
      ? 'no'
      : triedResumable(state);
  return Object.freeze({ info: serverInfo, capabilities, protocolVersion, instructions, resumable });
}

/** A call that has ended without an event ID is as good as an answer. */
function triedResumable(state: ServerState): 'no' | 'unknown' {
  const { startedAt } = state.era ? { startedAt: state.era.at } : { startedAt: 0 };
  const isTried = [...state.calls.values()].some((call) => call.startedAt >= startedAt && call.received > 0);
  return isTried || state.era?.sessions?.name === 'no-event-ids' ? 'no' : 'unknown';
}
