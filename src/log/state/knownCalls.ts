/** The calls of a server, as a fold: the open ones, and the newest of those that have ended. */
import { isOpen, isToolCall, type Call, type CallEnd, type OpenCall, type SettledEnd } from './call.ts';
import type { CallChange } from '../entry/entry.ts';

/** Finished calls beyond this many are forgotten, oldest first; their entries stay in the log. */
const KEPT_CALLS = 200;
/** A resource may be read with each of its changes, and must not push the calls out. */
const KEPT_REQUESTS = 20;

type Begun = Extract<CallChange, { name: 'sending' }>;

export class KnownCalls extends Map<string, Call> {
  begin(id: string, server: string, { name, method, era, backgroundMs, ...begun }: Begun, at: number): Call {
    const call: Call = {
      id,
      server,
      ...begun,
      ...(method && { method }),
      name,
      startedAt: at,
      ...(backgroundMs !== undefined && { backgroundMs }),
      ...(era && { era }),
      received: 0,
      replayed: 0,
      duplicates: 0,
    };
    this.set(id, call);
    return call;
  }

  edit(callId: string | undefined, edit: (call: Call) => Call): void {
    const call = callId === undefined ? undefined : this.get(callId);
    if (call) this.set(call.id, edit(call));
  }

  editOpen(callId: string, edit: (call: OpenCall) => Call): void {
    this.edit(callId, (call) => (isOpen(call) ? edit(call) : call));
  }

  /** @returns the call as it ended, if it was open */
  end(callId: string, end: CallEnd): Call | undefined {
    const call = this.get(callId);
    if (!call || !isOpen(call)) return undefined;
    const ended: Call = { ...call, ...end };
    this.set(callId, ended);
    this.#forgetOldest(KEPT_CALLS, isToolCall);
    this.#forgetOldest(KEPT_REQUESTS, (one) => !isToolCall(one));
    return ended;
  }

  /** A call that is open is never forgotten. @returns whether it was */
  forget(callId: string): boolean {
    const call = this.get(callId);
    return call !== undefined && !isOpen(call) && this.delete(callId);
  }

  /** The open call with this key. */
  openWithKey(key: string): Call | undefined {
    for (const call of this.values()) if (call.key === key && isOpen(call)) return call;
    return undefined;
  }

  /** A result that arrives after all corrects what was guessed. */
  correct(callId: string, end: SettledEnd): Call | undefined {
    const call = this.get(callId);
    if (!call) return undefined;
    const { reason: _, ...facts } = call;
    const corrected: Call = { ...facts, ...end, isLate: true };
    this.set(callId, corrected);
    return corrected;
  }

  /** The responses up to this entry were removed from the log. */
  loseResults(removedThrough: number, at: number): void {
    for (const call of this.values()) {
      if (call.name !== 'settled' || call.resultRemovedAt !== undefined) continue;
      const { resultSeq = Infinity } = call;
      if (resultSeq <= removedThrough) this.set(call.id, { ...call, resultRemovedAt: at });
    }
  }

  /** The one that a message without a name must be about. */
  onlyOpen(): string | undefined {
    const open = [...this.values()].filter(isOpen);
    return open.length === 1 ? open[0]?.id : undefined;
  }

  #forgetOldest(kept: number, isOne: (call: Call) => boolean): void {
    if (this.size <= kept) return;
    const ours = [...this.values()].filter(isOne);
    const tooMany = Math.max(0, ours.length - kept);
    for (const { id } of ours.filter((call) => !isOpen(call)).slice(0, tooMany)) this.delete(id);
  }
}
