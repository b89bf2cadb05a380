import { EventEmitter } from 'node:events';
import type { BrowserContext, Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { playFault } from '../faults.ts';
import { Stage } from '../stage.ts';
import type { World } from '../world.ts';
import { PlaywrightSeat } from './playwrightSeat.ts';

class FakePage extends EventEmitter {
  shows = 'about:blank';
  readonly url = () => this.shows;
  readonly setDefaultTimeout = () => undefined;
  readonly goto = async (url: string) => void (this.shows = url);
  readonly reload = async () => undefined;
}

class FakeContext {
  readonly page = new FakePage();
  isOffline = false;
  hasEnded = false;
  readonly newPage = async () => this.page as unknown as Page;

  async setOffline(isOffline: boolean): Promise<void> {
    if (this.hasEnded) throw new Error('Target page, context or browser has been closed');
    this.isOffline = isOffline;
  }
}

class MortalSeat extends PlaywrightSeat {
  constructor(context: FakeContext) {
    super(context as unknown as BrowserContext, { hasDevtools: true, close: async () => undefined });
  }

  become(context: FakeContext): void {
    this.moveTo(context as unknown as BrowserContext);
  }
}

describe('the seat of a browser that Playwright drives', () => {
  it('is online again after a browser that was killed while it was told to be offline', async () => {
    const killed = new FakeContext();
    const next = new FakeContext();
    const seat = new MortalSeat(killed);
    killed.hasEnded = true;
    const fault = playFault({} as World, new Stage(seat, 'http://localhost/'), {
      kind: 'fault',
      fault: 'offline',
      afterMs: 0,
      forMs: 20,
      atByte: 0,
    });
    seat.become(next);
    await seat.open();
    expect(next.isOffline).toBe(true);
    await fault;
    expect(next.isOffline).toBe(false);
  });

  it('counts errors that nothing caught, and no notice of a broken connection', async () => {
    const context = new FakeContext();
    const seat = new MortalSeat(context);
    await seat.open();
    // What is before the colon is the name, for Playwright.
    const message = 'The Same Origin Policy…';
    const stack = `Cross-Origin Request Blocked: ${message}\nundefined`;
    context.page.emit('pageerror', Object.assign(new Error(message), { stack }));
    expect(seat.pageErrors).toEqual([]);
    context.page.emit('pageerror', new Error('Boom'));
    expect(seat.pageErrors).toEqual([expect.stringContaining('Boom')]);
  });

  it('takes the error page of an earlier try for no page', async () => {
    const context = new FakeContext();
    const tab = await new MortalSeat(context).open();
    await tab.goto('http://localhost/');
    context.page.shows = 'chrome-error://chromewebdata/';
    await expect(tab.reload()).rejects.toThrow('error page');
  });
});
