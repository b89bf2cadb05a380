/** What a client needs of the page around it. Outside of a page (in tests) it does without. */
import { systemClock } from '../../base/clock.ts';
import type { FrameClock } from '../../base/frameBatcher.ts';
import { watchPresence, type Presence } from '../../base/presence.ts';
import { ConnectionBudget } from '../../wire/connectionBudget.ts';
import { watchMultiplexing } from '../../wire/multiplexing.ts';
import type { LocksLike } from '../../base/exclusive.ts';
import { pageLocks } from './pageLocks.ts';

/** A browser's limits hold for an origin, whichever client uses it: one budget for all of them. */
const budgets = new Map<string, ConnectionBudget>();
let presence: Presence | undefined;

export function budgetFor(url: string): ConnectionBudget {
  if (budgets.size === 0 && isPage()) {
    watchMultiplexing((origin) => {
      budgetOf(origin).places = Infinity;
    });
  }
  return budgetOf(new URL(url).origin);
}

function budgetOf(origin: string): ConnectionBudget {
  const budget = budgets.get(origin) ?? new ConnectionBudget(systemClock);
  budgets.set(origin, budget);
  return budget;
}

/** Is there a page that can be left? */
export function isPage(): boolean {
  return typeof window !== 'undefined' && typeof document !== 'undefined';
}

export function pagePresence(): Partial<Presence> {
  if (!isPage()) return {};
  presence ??= watchPresence(window);
  return presence;
}

/** The Web Locks API is missing on insecure origins: there, tabs can't know of each other. */
export function findLocks(): LocksLike {
  const { locks } = (typeof navigator === 'undefined' ? {} : navigator) as { readonly locks?: LockManager };
  return locks ?? pageLocks;
}

export const isOnline = (): boolean => !isPage() || navigator.onLine;

export const pageUrl = (): URL => new URL(isPage() ? location.href : 'http://localhost/');

/** When the page before this one was left, if this one is a reload. */
export function pageLeftAt(): number | undefined {
  if (!isPage()) return undefined;
  const [navigation] = performance.getEntriesByType('navigation');
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
  return isReload ? Math.round(performance.timeOrigin) : undefined;
}

/** Calls `retryNow` when waiting on has become pointless: the network is back, or the page is seen again. */
export function watchReturn(retryNow: () => void): () => void {
  if (!isPage()) return () => undefined;
  const look = (): void => {
    if (document.visibilityState === 'visible') retryNow();
  };
  addEventListener('online', look);
  addEventListener('pageshow', look);
  document.addEventListener('visibilitychange', look);
  return () => {
    removeEventListener('online', look);
    removeEventListener('pageshow', look);
    document.removeEventListener('visibilitychange', look);
  };
}

const FRAME_MS = 16;

export const frames: FrameClock = {
  now: () => performance.now(),
  requestFrame(run) {
    if (typeof requestAnimationFrame === 'undefined') return systemClock.after(FRAME_MS, run);
    const frame = requestAnimationFrame(run);
    return () => cancelAnimationFrame(frame);
  },
  after: (delayMs, run) => systemClock.after(delayMs, run),
};
