/**
 * A browser opens six HTTP/1.1 connections to a host, over all tabs; the seventh hangs without an error. So streams
 * share a few places and take turns, and the rest stays free for requests.
 */
import type { Clock } from '../base/clock.ts';

/** Who holds a place, or waits for one. */
export interface Tenant {
  readonly key: string;
  /** Can it let go now and come back later without losing anything? */
  canYield(): boolean;
  yield(): void;
}

interface Holding {
  readonly tenant: Tenant;
  readonly since: number;
}

interface Waiting {
  readonly tenant: Tenant;
  /** A request that a person has just made does not wait for turns to end. */
  readonly eager: boolean;
  readonly enter: () => void;
}

const DEFAULT_PLACES = 4;
const TURN_MS = 300;

export class ConnectionBudget {
  places = DEFAULT_PLACES;
  readonly #clock: Clock;
  readonly #holding = new Map<string, Holding>();
  #waiting: Waiting[] = [];
  #cancelRotation: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the tenant has a place. A tenant that has one keeps it. */
  enter(tenant: Tenant, options: { eager?: boolean } = {}): Promise<void> {
    if (this.#holding.has(tenant.key)) return Promise.resolve();
    const { eager = false } = options;
    return new Promise((resolve) => {
      const waiting: Waiting = { tenant, eager, enter: resolve };
      if (eager) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      this.#settle();
    });
  }

  leave(key: string): void {
    this.#holding.delete(key);
    // Who no longer wants to come in must not wait for ever either.
    for (const { tenant, enter } of this.#waiting) if (tenant.key === key) enter();
    this.#waiting = this.#waiting.filter(({ tenant }) => tenant.key !== key);
    this.#settle();
  }

  #settle(): void {
    while (this.#holding.size < this.places) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#holding.set(next.tenant.key, { tenant: next.tenant, since: this.#clock.now() });
      next.enter();
    }
    this.#cancelRotation?.();
    this.#cancelRotation = undefined;
    const first = this.#waiting[0];
    if (!first) return;
    const now = this.#clock.now();
    const turnMs = first.eager ? 0 : TURN_MS;
    const oldest = [...this.#holding.values()].find(({ tenant }) => tenant.canYield());
    const delayMs = oldest ? Math.max(0, oldest.since + turnMs - now) : TURN_MS;
    this.#cancelRotation = this.#clock.after(delayMs, () => {
      this.#rotate(turnMs);
    });
  }

  #rotate(turnMs: number): void {
    const now = this.#clock.now();
    const oldest = [...this.#holding.values()].find(
      ({ tenant, since }) => tenant.canYield() && since + turnMs <= now,
    );
    if (oldest) {
      this.#holding.delete(oldest.tenant.key);
      oldest.tenant.yield();
    }
    this.#settle();
  }
}
