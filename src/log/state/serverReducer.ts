/**
 * What a page must know to come back, as a fold over the log. It is stored in the same transaction as the entries
 * that it was folded from, so a cursor is never ahead of the entries, nor a call behind its result.
 */
import { BRIDGE_HEADER, readBridgeMark } from '../../base/bridgeContract.ts';
import type { JsonObject } from '../../base/json.ts';
import { isOpen } from './call.ts';
import type { CallChange, Entry } from '../entry/entry.ts';
import type { EntryOf } from '../entry/entryKinds.ts';
import { entryAt, eventIdAt, runLength, timeAt, type EntryRun } from '../entry/entryRun.ts';
import { verdictOf, withEventIds, withRefusedResume } from '../protocol/era.ts';
import { MutableServerState } from './mutableServerState.ts';
import { foldLastConnection } from './lastConnection.ts';
import { codeOf } from '../reasons/reason.ts';
import { foldRecovery } from './recovery.ts';
import { changeCall, receiveForCall, receiveTaskNotice } from './reduceCalls.ts';
import { changeQuestion, receiveQuestion } from './reduceQuestions.ts';
import { receiveRun } from './reduceRun.ts';

const NONE: readonly never[] = [];

type Moving = Pick<EntryOf<'received'>, 'stream' | 'seq' | 'at' | 'callId'> & {
  readonly eventId?: string | undefined;
};

export class ServerReducer extends MutableServerState {
  /** Folds one entry in. `message` is the parsed form of its `raw`, where it has one. */
  apply(entry: Entry, message?: JsonObject): void {
    const stateBefore = this.connection;
    const decided = this.transitions.length;
    this.#apply(entry, message);
    // The hot path of a burst: most messages end no call.
    const ended =
      this.transitions.length === decided
        ? NONE
        : this.transitions.slice(decided).filter((one) => one.kind === 'callEnded');
    this.recovery = foldRecovery(this.recovery, entry, { stateBefore, ended });
  }

  /** Folds a run in: as its entries one by one, but each count once. */
  applyRun(run: EntryRun): void {
    const length = runLength(run);
    const first = entryAt(run, 0);
    this.nextSeq = run.firstSeq + length;
    this.usedAt = timeAt(run, length - 1);
    const own = run.shapes.findIndex(({ callId }) => callId === run.stream);
    const opening = own < 0 ? first : entryAt(run, run.shapeOf?.indexOf(own) ?? 0);
    this.#moveCursor({ ...opening, eventId: eventIdAt(run, length - 1) });
    if (run.replayed) this.recovered += length;
    this.logMessages += receiveRun(this, run);
    const recovery = foldRecovery(this.recovery, first, { stateBefore: this.connection, ended: NONE });
    const more = run.replayed ? length - 1 : 0;
    this.recovery = more === 0 ? recovery : { ...recovery, recovered: recovery.recovered + more };
  }

  #apply(entry: Entry, message: JsonObject | undefined): void {
    this.nextSeq = entry.seq + 1;
    switch (entry.kind) {
      case 'load':
        this.load = entry.load;
        this.recovered = 0;
        return;
      case 'state':
        if (entry.state.name === 'reconnecting' && this.connection.name !== 'reconnecting')
          this.recovered = 0;
        this.connection = entry.state;
        this.lastConnection = foldLastConnection(this.lastConnection, entry.state, entry.at);
        this.emit({ kind: 'stateChanged', state: entry.state });
        return;
      case 'call':
        changeCall(this, entry.callId, entry.change, entry.at);
        if (this.era && isRefusedResume(entry.change)) this.era = withRefusedResume(this.era, entry.at);
        return;
      case 'question':
        changeQuestion(this, entry.requestId, entry.change, entry.at);
        return;
      case 'era':
        this.era = verdictOf(entry);
        return;
      case 'task':
        this.continuations.endTask(entry.taskId, entry.change.reason, entry.at);
        this.emit({ kind: 'taskChanged', callId: entry.callId, taskId: entry.taskId });
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
      case 'session':
        this.session += 1;
        return;
      case 'app':
        this.apps.fold(entry);
        return;
      case 'auth':
        return;
      default:
        entry satisfies never;
    }
  }

  #receive(entry: EntryOf<'received'>, message: JsonObject): void {
    if (entry.replayed) this.recovered += 1;
    if (entry.method === 'notifications/message') this.logMessages += 1;
    const call = entry.callId === undefined ? undefined : this.calls.get(entry.callId);
    if (entry.callId === undefined) this.hints.answered(entry, message);
    else if (!call) return;
    if (call) receiveForCall(this, entry, call, message);
    receiveQuestion(this, entry, message);
    receiveTaskNotice(this, entry, message);
  }

  /** A handshake on the wire: positions of an earlier session mean nothing from here on. */
  #beginSession(): void {
    this.streams.clear();
    this.receivedTasks.clear();
    this.sendsEventIds = false;
  }

  #moveCursor(entry: Moving): void {
    if (entry.eventId === undefined) return;
    this.sendsEventIds = true;
    if (this.era?.sessions?.name === 'no-event-ids') this.era = withEventIds(this.era, entry.at);
    const call = entry.callId === undefined ? undefined : this.calls.get(entry.callId);
    this.streams.move(entry, call && isOpen(call) ? call.id : undefined);
  }
}

function isRefusedResume(change: CallChange): boolean {
  return change.name === 'lost' && ['resume-refused', 'resume-blocked'].includes(codeOf(change.reason) ?? '');
}
