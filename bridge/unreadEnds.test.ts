import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { UnreadEnds } from './unreadEnds.ts';

const NEVER_MS = 1_000_000;

describe('the ends that no page has read', () => {
  it('let a page wait until all of them are read', async () => {
    const unread = new UnreadEnds(NEVER_MS);
    unread.add('a');
    unread.add('b');
    let isOver = false;
    const over = unread.untilRead().then(() => (isOver = true));
    unread.delete('a');
    await pause(0);
    expect([isOver, unread.areRead]).toEqual([false, false]);
    unread.delete('b');
    await over;
    expect(unread.areRead).toBe(true);
  });

  it('let nothing wait where there are none', () => new UnreadEnds(NEVER_MS).untilRead());

  it('are given up when a page that is back does not read them in time', async () => {
    const unread = new UnreadEnds(1);
    unread.add('a');
    await pause(5);
    // No page was there to read it.
    expect(unread.areRead).toBe(false);
    await unread.untilRead();
    expect(unread.areRead).toBe(true);
  });
});
