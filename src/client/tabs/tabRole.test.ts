import { describe, expect, it, vi } from 'vitest';
import type { LocksLike } from '../../base/exclusive.ts';
import { TabRole } from './tabRole.ts';

/** Locks of a browser that takes them away while the page is in its back/forward cache. */
class TakenLocks implements LocksLike {
  requests = 0;
  #take: (() => void) | undefined;
  #grant: (() => void) | undefined;

  request(_name: string, _options: { signal: AbortSignal }, callback: () => Promise<void>): Promise<void> {
    this.requests += 1;
    return new Promise((resolve, reject) => {
      this.#take = () => reject(new DOMException('The browsing context is going away', 'AbortError'));
      this.#grant = () => void callback().then(resolve, reject);
    });
  }

  async take(): Promise<void> {
    this.#take?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  grant(): void {
    this.#grant?.();
  }
}

describe('the role of a tab', () => {
  it('is sought again when the lock that it waits for is taken away', async () => {
    const locks = new TakenLocks();
    const onLead = vi.fn(async () => undefined);
    const led = new TabRole('server', locks, 'undecided').seek(onLead);
    await locks.take();
    expect(locks.requests).toBe(2);
    locks.grant();
    await led;
    expect(onLead).toHaveBeenCalledOnce();
  });

  it('is held again when the lock is taken away, and is not begun again', async () => {
    const locks = new TakenLocks();
    const onLead = vi.fn(async () => undefined);
    const role = new TabRole('server', locks, 'undecided');
    const led = role.seek(onLead);
    locks.grant();
    await led;
    await locks.take();
    expect(locks.requests).toBe(2);
    locks.grant();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(onLead).toHaveBeenCalledOnce();
  });

  it('is given up when it could not be begun', async () => {
    const locks = new TakenLocks();
    const led = new TabRole('server', locks, 'undecided').seek(() => Promise.reject(new Error('No log.')));
    locks.grant();
    await expect(led).rejects.toThrow('No log.');
    expect(locks.requests).toBe(1);
  });
});
