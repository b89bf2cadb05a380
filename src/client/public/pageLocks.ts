/** Locks within one page, for browsers and programs that have none of their own: one holder of a name at a time. */
import type { LocksLike } from '../../base/exclusive.ts';

export function createPageLocks(): LocksLike {
  const last = new Map<string, Promise<void>>();
  return {
    request(name, { signal }, callback) {
      const before = last.get(name) ?? Promise.resolve();
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      const run = before.then(() => {
        signal.throwIfAborted();
        return callback();
      });
      // Whoever waits no longer must not hold up those behind: they wait for the one before it.
      const done = Promise.all([
        before,
        Promise.race([run.catch(() => undefined), waitingAborted(before, aborted)]),
      ]);
      last.set(
        name,
        done.then(() => undefined),
      );
      return run;
    },
  };
}

/** Resolves when a request was aborted before its turn came. */
async function waitingAborted(before: Promise<void>, aborted: Promise<void>): Promise<void> {
  const isFirst = await Promise.race([aborted.then(() => true), before.then(() => false)]);
  if (!isFirst) await new Promise(() => undefined);
}

/** One for all clients of the page. */
export const pageLocks = createPageLocks();
