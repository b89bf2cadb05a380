/**
 * Notices that a tool has run more than once. Browsers send a POST again when its connection ends before the head of the
 * response, and a server that runs it again sends the messages of both runs on one stream. Looks at one connection at a
 * time, because messages of different connections are in no order. No I/O.
 */
import { asText } from '../base/asText.ts';
import type { JsonObject } from '../base/json.ts';
import type { CallProgress } from '../log/state/call.ts';
import { progressOf } from '../log/protocol/callMessages.ts';
import { isOfCall } from '../log/state/callContinuations.ts';
import type { RunReason } from '../log/state/runSign.ts';

interface SeenProgress {
  highest: number;
  readonly total: number | undefined;
  readonly values: Set<number>;
  readonly pairs: Pairs;
}

/** Two runs in step send everything twice: whether that holds from the first notification on. */
interface Pairs {
  count: number;
  half: CallProgress | undefined;
  isBroken: boolean;
}

/** So many notifications in a row, each twice with the same words, are no habit of a tool. */
const PAIRS_OF_TWO_RUNS = 4;

/** A connection may stay open for days, and these values are kept for each of its calls. */
const REMEMBERED_VALUES = 1000;

export class RunWatch {
  readonly #mayReplay: boolean;
  readonly #progress = new Map<string, SeenProgress>();
  readonly #answered = new Set<string>();
  readonly #told = new Set<string>();

  /** @param mayReplay a GET may bring missed messages among live ones, so one step back proves nothing there */
  constructor(mayReplay: boolean) {
    this.#mayReplay = mayReplay;
  }

  /** The next message of a call on this connection, without duplicates. The first sign is told, and no other. */
  message(callId: string, message: JsonObject): RunReason | undefined {
    if (this.#told.has(callId)) return undefined;
    const reason = this.#signOf(callId, message);
    if (reason) this.#told.add(callId);
    return reason;
  }

  #signOf(callId: string, message: JsonObject): RunReason | undefined {
    const { method, id } = message;
    if (method === undefined) return isOfCall(id) ? this.response(asText(id)) : undefined;
    const progress = method === 'notifications/progress' ? progressOf(message) : undefined;
    return progress && this.progress(callId, progress);
  }

  /** The next progress of a call, if it goes on as it did: then its words don't count. */
  goesOn(callId: string, progress: number, total: number | undefined): boolean {
    if (this.#told.has(callId)) return true;
    const seen = this.#progress.get(callId);
    if (!seen || seen.total !== total || progress < seen.highest) return false;
    if (!this.#mayReplay && !seen.pairs.isBroken) return false;
    seen.highest = progress;
    if (this.#mayReplay) remember(seen.values, progress);
    return true;
  }

  /** A value that is told again is common, and no sign by itself. */
  progress(callId: string, told: CallProgress): RunReason | undefined {
    const { progress, total } = told;
    const seen = this.#progress.get(callId);
    // Another total is another scale: tools that work in phases count each one anew.
    if (!seen || seen.total !== total) {
      const pairs: Pairs = { count: 0, half: told, isBroken: seen !== undefined };
      this.#progress.set(callId, { highest: progress, total, values: new Set([progress]), pairs });
      return undefined;
    }
    const { highest, values } = seen;
    const goesBack = progress < highest && (!this.#mayReplay || values.has(progress));
    seen.highest = Math.max(highest, progress);
    if (this.#mayReplay) remember(values, progress);
    if (goesBack) return { code: 'progress-went-back', from: highest, to: progress };
    if (this.#mayReplay || !completesPairs(seen.pairs, told)) return undefined;
    return { code: 'progress-doubled', pairs: PAIRS_OF_TWO_RUNS };
  }

  response(requestId: string): RunReason | undefined {
    const isFirst = !this.#answered.has(requestId);
    this.#answered.add(requestId);
    return isFirst ? undefined : { code: 'second-response' };
  }
}

function completesPairs(pairs: Pairs, told: CallProgress): boolean {
  const { half } = pairs;
  if (half === undefined) {
    pairs.half = told;
    return false;
  }
  pairs.half = undefined;
  pairs.isBroken ||=
    told.message === undefined || told.message !== half.message || told.progress !== half.progress;
  if (pairs.isBroken) return false;
  pairs.count += 1;
  return pairs.count === PAIRS_OF_TWO_RUNS;
}

function remember(values: Set<number>, value: number): void {
  values.add(value);
  if (values.size <= REMEMBERED_VALUES) return;
  for (const oldest of values) {
    values.delete(oldest);
    return;
  }
}
