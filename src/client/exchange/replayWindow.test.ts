import { expect, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { ReplayWindow } from './replayWindow.ts';

/** Time that passes by hand; a page that is busy runs its timers only afterwards. */
class HandClock implements Clock {
  #now = 0;
  #timers: { at: number; fn: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(delayMs: number, fn: () => void): () => void {
    const timer = { at: this.#now + delayMs, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  random(): number {
    return 0;
  }

  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      this.#run(next);
    }
    this.#now = until;
  }

  beBusy(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers.filter(({ at }) => at <= this.#now)) this.#run(timer);
  }

  #run(timer: { at: number; fn: () => void }): void {
    this.#timers = this.#timers.filter((one) => one !== timer);
    timer.fn();
  }
}

function opened(answeredAfterMs: number) {
  const clock = new HandClock();
  const replay = new ReplayWindow(clock);
  replay.open(answeredAfterMs);
  return { clock, replay };
}

test('what comes right after the head was missed', () => {
  const { clock, replay } = opened(5);
  clock.pass(59);
  expect(replay.isOpen).toBe(true);
  clock.pass(1);
  expect(replay.isOpen).toBe(false);
});

test('a replay goes on while its events follow each other, and ends when they pause', () => {
  const { clock, replay } = opened(5);
  for (let event = 0; event < 10; event += 1) {
    clock.pass(25);
    replay.extend();
    expect(replay.isOpen).toBe(true);
  }
  clock.pass(30);
  expect(replay.isOpen).toBe(false);
  replay.extend();
  expect(replay.isOpen, 'a live event').toBe(false);
});

test('a server that took long for the head may take as long for the first event, up to half a second', () => {
  const slow = opened(200);
  slow.clock.pass(199);
  expect(slow.replay.isOpen).toBe(true);
  slow.clock.pass(1);
  expect(slow.replay.isOpen).toBe(false);
  const held = opened(20_000);
  held.clock.pass(500);
  expect(held.replay.isOpen).toBe(false);
});

test('a page that was busy has not read what came meanwhile: it waits for that first', () => {
  const { clock, replay } = opened(5);
  clock.beBusy(400);
  expect(replay.isOpen).toBe(true);
  replay.extend();
  clock.beBusy(200);
  expect(replay.isOpen).toBe(true);
  clock.pass(30);
  expect(replay.isOpen).toBe(false);
});

test('it is over when the stream ends', () => {
  const { replay } = opened(5);
  replay.close();
  expect(replay.isOpen).toBe(false);
});
