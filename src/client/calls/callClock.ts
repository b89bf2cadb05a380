/** The time that open calls have: a call that takes longer goes on in the background, or ends. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import { isOpen, type Call } from '../../log/state/call.ts';
import { nextStep, type TimeoutStep } from './callTimeouts.ts';

/** A call that waits for a person is looked at again after this. */
const WAITING_MS = 30_000;

export interface WatchOptions {
  /** When its time began, if not at its start. */
  readonly since?: number;
  /** A page that comes back first gets what it has missed, and the result may be in it. */
  readonly atLeastMs?: number;
}

export class CallClock {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #onStep: (callId: string, step: TimeoutStep) => void;
  readonly #timers = new Map<string, () => void>();

  constructor(log: Log, clock: Clock, onStep: (callId: string, step: TimeoutStep) => void) {
    this.#log = log;
    this.#clock = clock;
    this.#onStep = onStep;
  }

  watch(callId: string, { since, atLeastMs = 0 }: WatchOptions = {}): void {
    const call = this.#log.state.calls.get(callId);
    if (!call || !isOpen(call)) return;
    const next = nextStep({ ...call, startedAt: since ?? call.startedAt });
    this.#timers.get(callId)?.();
    if (!next) return;
    const delayMs = Math.max(atLeastMs, next.at - this.#clock.now());
    this.#timers.set(
      callId,
      this.#clock.after(delayMs, () => this.#timedOut(callId, next)),
    );
  }

  disarm(callId: string): void {
    this.#timers.get(callId)?.();
    this.#timers.delete(callId);
  }

  /** Its task or the user has the time that they need. */
  disarmIfUnhurried(callId: string): void {
    const call = this.#log.state.calls.get(callId);
    if (call && isUnhurried(call)) this.disarm(callId);
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #timedOut(callId: string, step: TimeoutStep): void {
    const isEnd = step.name !== 'background';
    // Nobody ends a call while a person thinks.
    if (isEnd && this.#log.state.calls.get(callId)?.name === 'needs-input') {
      this.watch(callId, { atLeastMs: WAITING_MS });
    } else {
      this.#onStep(callId, step);
    }
  }
}

/** A task has its own time to live; and while a person thinks, no request of a stateless server is open. */
function isUnhurried({ name, taskId, era }: Call): boolean {
  return taskId !== undefined || (era === 'stateless' && name === 'needs-input');
}
