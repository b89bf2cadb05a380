/**
 * A browser opens six HTTP/1.1 connections to a host, over all tabs; the seventh hangs without an error. So streams
 * share a few places and take turns, and the rest stays free for requests.
 */
import type { Clock } from '../base/clock.ts';

/** Who holds a place, or waits for one. */
export interface Tenant {
  readonly key: string;
  /** `post`: a request that a person has just made. `standalone`: it may hold its place for hours. */
  readonly rank: Rank;
  /** Can it let go now and come back later without losing anything? */
  canYield(): boolean;
  yield(): void;
}

export type Rank = 'post' | 'stream' | 'standalone';

interface Holding {
  readonly tenant: Tenant;
  readonly since: number;
}

interface Waiting {
  readonly tenant: Tenant;
  readonly enter: () => void;
}

const DEFAULT_PLACES = 4;
/** For calls, if no stream can yield: the standalone streams of four servers must not block them. */
const SPARE_PLACES = 1;
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
  enter(tenant: Tenant): Promise<void> {
    if (this.#holding.has(tenant.key)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting: Waiting = { tenant, enter: resolve };
      if (tenant.rank === 'post') this.#waiting.unshift(waiting);
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
    for (;;) {
      const next = this.#waiting.find(({ tenant }) => this.#hasPlaceFor(tenant));
      if (!next) break;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#holding.set(next.tenant.key, { tenant: next.tenant, since: this.#clock.now() });
      next.enter();
    }
    this.#cancelRotation?.();
    this.#cancelRotation = undefined;
    const first = this.#waiting.find(({ tenant }) => this.#wouldEnter(tenant));
    if (!first) return;
    const now = this.#clock.now();
    const turnMs = first.tenant.rank === 'post' ? 0 : TURN_MS;
    const oldest = this.#findYielding();
    const delayMs = oldest ? Math.max(0, oldest.since + turnMs - now) : TURN_MS;
    this.#cancelRotation = this.#clock.after(delayMs, () => {
      this.#rotate(turnMs);
    });
  }

  #hasPlaceFor({ rank }: Tenant): boolean {
    const { size } = this.#holding;
    if (size < this.places) return true;
    return rank !== 'standalone' && size < this.places + SPARE_PLACES && !this.#findYielding();
  }

  /** Would it help this one if another yielded? */
  #wouldEnter({ rank }: Tenant): boolean {
    return rank !== 'standalone' || this.#holding.size <= this.places;
  }

  #findYielding(heldSince = Infinity): Holding | undefined {
    return [...this.#holding.values()].find(({ tenant, since }) => tenant.canYield() && since <= heldSince);
  }

  #rotate(turnMs: number): void {
    const oldest = this.#findYielding(this.#clock.now() - turnMs);
    if (oldest) {
      this.#holding.delete(oldest.tenant.key);
      oldest.tenant.yield();
    }
    this.#settle();
  }
}

/** One budget for each origin, whichever servers share it. */
export function budgetsByOrigin(clock: Clock): (url: string) => ConnectionBudget {
  const budgets = new Map<string, ConnectionBudget>();
  return (url) => {
    const { origin } = new URL(url);
    const budget = budgets.get(origin) ?? new ConnectionBudget(clock);
    budgets.set(origin, budget);
    return budget;
  };
}
