import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchPresence } from './presence.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function isPassed(gate: () => Promise<void>): Promise<boolean> {
  return Promise.race([gate().then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

function openPage() {
  const page = new EventTarget();
  const presence = watchPresence(page);
  return {
    fire: (type: string) => page.dispatchEvent(new Event(type)),
    here: () => isPassed(presence.whenHere),
    staying: () => isPassed(presence.whenStaying),
    untilLeaving: presence.untilLeaving,
  };
}

describe('a page', () => {
  it('is here, and stays', async () => {
    const page = openPage();
    expect([await page.here(), await page.staying()]).toEqual([true, true]);
  });

  it('that is about to be left still keeps what it receives, and holds failures back', async () => {
    const page = openPage();
    page.fire('beforeunload');
    expect([await page.here(), await page.staying()]).toEqual([true, false]);
    page.fire('pagehide');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([await page.here(), await page.staying()]).toEqual([false, false]);
  });

  it('says once that it is about to be left, and anew when it stays', async () => {
    const page = openPage();
    const first = page.untilLeaving();
    page.fire('beforeunload');
    expect(first.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(3000);
    const second = page.untilLeaving();
    expect(second.aborted).toBe(false);
    page.fire('pagehide');
    expect(second.aborted).toBe(true);
    page.fire('pageshow');
    expect(page.untilLeaving().aborted).toBe(false);
  });

  it('that was not left after all tells the failures then', async () => {
    const page = openPage();
    page.fire('beforeunload');
    await vi.advanceTimersByTimeAsync(3000);
    expect(await page.staying()).toBe(true);
  });

  it('that is about to be left before it is loaded does not stay because its loading ends', async () => {
    const page = openPage();
    page.fire('beforeunload');
    page.fire('pageshow');
    expect(await page.staying()).toBe(false);
  });

  it('goes on when it comes out of the back/forward cache', async () => {
    const page = openPage();
    page.fire('beforeunload');
    page.fire('pagehide');
    page.fire('pageshow');
    expect([await page.here(), await page.staying()]).toEqual([true, true]);
  });
});
