/** The calls of one server: begun, timed, cancelled, given up. How they end well is read from the log. */
import { ulid } from 'ulid';
import type { Clock } from '../base/clock.ts';
import { isObject, numberField, stringField } from '../base/json.ts';
import { count, reason } from '../base/words.ts';
import { isOpen } from '../log/call.ts';
import type { CallChange, Entry } from '../log/entry.ts';
import type { Log } from '../log/log.ts';
import type { Outcome, Verdict } from './classifyFailure.ts';
import type { Connection } from './connection.ts';

export interface CallOptions {
  readonly timeoutMs?: number;
}

export interface CallsOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** Resolves when everything in the log so far is stored. */
  readonly flushed: () => Promise<void>;
  readonly connection: () => Connection | undefined;
  /** May this tool be called again without asking? */
  readonly isRepeatable: (tool: string) => boolean;
}

const DEFAULT_TIMEOUT_MS = 300_000;

export class Calls {
  readonly #o: CallsOptions;
  readonly #timeouts = new Map<string, () => void>();
  readonly #stopListening: () => void;

  constructor(options: CallsOptions) {
    this.#o = options;
    this.#stopListening = options.log.appended.on((entries) => {
      this.#disarmSettled(entries);
    });
  }

  /** Resolves with the call's id once its intent is stored; the POST leaves after that. */
  async begin(
    connection: Pick<Connection, 'callTool'>,
    tool: string,
    args: object,
    options: CallOptions,
  ): Promise<string> {
    const callId = ulid();
    this.change(callId, {
      name: 'sending',
      tool,
      args,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      repeatable: this.#o.isRepeatable(tool),
    });
    await this.#o.flushed();
    this.watch(callId);
    connection.callTool(callId, tool, args).catch((error: unknown) => {
      // What failed on the wire was told by the recording fetch; this is for what never got there.
      this.change(callId, { name: 'failed', error: { code: 0, message: reason(error) } });
    });
    return callId;
  }

  async cancel(callId: string, why: string): Promise<void> {
    const call = this.#o.log.head.calls.get(callId);
    if (!call || !isOpen(call)) return;
    this.change(callId, { name: 'cancelled', why });
    const connection = this.#o.connection();
    connection?.streams.drop(callId);
    await connection?.cancel(callId, why).catch(() => undefined);
    await this.#o.flushed();
  }

  /** The POST of a call failed. */
  fail(callId: string, verdict: Verdict, outcome: Outcome): void {
    if (verdict.name === 'session-gone') {
      const why = `${verdict.why} The call was refused, so it was not run. Call it again.`;
      this.change(callId, { name: 'lost', why });
    } else if (outcome.kind === 'threw') {
      const why = `The server did not answer (${verdict.why}). Whether the tool ran is not known.`;
      this.change(callId, { name: 'unknown', why });
    } else {
      const error = errorOf(outcome.body) ?? { code: outcome.status, message: verdict.why };
      this.change(callId, { name: 'failed', error });
    }
  }

  /** Ends a call that takes longer than it may, counted from its start in whatever page that was. */
  watch(callId: string): void {
    const call = this.#o.log.head.calls.get(callId);
    if (!call || !isOpen(call)) return;
    const { clock } = this.#o;
    const leftMs = Math.max(0, call.startedAt + call.timeoutMs - clock.now());
    const why = `No result within ${count(Math.round(call.timeoutMs / 1000), 'second')}: the call was cancelled.`;
    this.#timeouts.set(
      callId,
      clock.after(leftMs, () => void this.cancel(callId, why)),
    );
  }

  /** Gives up every open call; returns how many there were. */
  loseAll(why: string): number {
    const open = [...this.#o.log.head.calls.values()].filter(isOpen);
    for (const { id } of open) this.change(id, { name: 'lost', why });
    return open.length;
  }

  change(callId: string, change: CallChange): void {
    this.#o.log.append({ body: { kind: 'call', callId, change } });
  }

  close(): void {
    this.#stopListening();
    for (const cancel of this.#timeouts.values()) cancel();
    this.#timeouts.clear();
  }

  #disarmSettled(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const mayEnd = entry.kind === 'call' || (entry.kind === 'received' && entry.method === undefined);
      if (!mayEnd || entry.callId === undefined) continue;
      const call = this.#o.log.head.calls.get(entry.callId);
      if (call && isOpen(call)) continue;
      this.#timeouts.get(entry.callId)?.();
      this.#timeouts.delete(entry.callId);
    }
  }
}

/** Some servers put a JSON-RPC error into the body of an error status. */
function errorOf(body: string): { code: number; message: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = isObject(parsed) ? parsed['error'] : undefined;
    const message = stringField(error, 'message');
    return message === undefined ? undefined : { code: numberField(error, 'code') ?? 0, message };
  } catch {
    return undefined;
  }
}
