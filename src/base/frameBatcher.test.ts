import { describe, expect, test, vi } from 'vitest';
import { FrameBatcher } from './frameBatcher.ts';

/** Time goes on by hand; frames come every 16 ms, unless the tab is hidden. */
class FakeFrames {
  #now = 0;
  #waiting: { at: number; fn: () => void }[] = [];
  isHidden = false;

  now = () => this.#now;
  requestFrame = (fn: () => void) => this.after(this.isHidden ? Infinity : 16, fn);
  after = (delayMs: number, fn: () => void) => {
    const one = { at: this.#now + delayMs, fn };
    this.#waiting.push(one);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== one);
    };
  };

  /** Something that holds up everything else. */
  take(ms: number): void {
    this.#now += ms;
  }

  pass(ms: number): void {
    const end = this.#now + ms;
    while (this.#now <= end) {
      const [next] = this.#waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.fn();
    }
    this.#now = Math.max(this.#now, end);
  }
}

describe('FrameBatcher', () => {
  test('draws a single change with the next frame', () => {
    const frames = new FakeFrames();
    const update = vi.fn();
    new FrameBatcher(frames).schedule(update);
    frames.pass(16);
    expect(update).toHaveBeenCalledTimes(1);
  });

  test('draws what is waited for with the next frame, also under a burst', () => {
    const frames = new FakeFrames();
    const batcher = new FrameBatcher(frames);
    const [burst, awaited] = [vi.fn(() => frames.take(40)), vi.fn()];
    batcher.schedule(burst);
    frames.pass(20);
    batcher.schedule(burst);
    batcher.scheduleNext(awaited);
    frames.pass(16);
    expect(awaited).toHaveBeenCalledTimes(1);
    expect(burst).toHaveBeenCalledTimes(2);
    // Once: neither frame that was asked for draws it again.
    frames.pass(1000);
    expect(awaited).toHaveBeenCalledTimes(1);
  });

  test('draws a burst a few times a second, and its last change too', () => {
    const frames = new FakeFrames();
    const batcher = new FrameBatcher(frames);
    let drawn = 0;
    let changes = 0;
    const update = vi.fn(() => (drawn = changes));
    for (; changes < 50_000; changes += 1) {
      batcher.schedule(update);
      if (changes % 50 === 0) frames.pass(1);
    }
    frames.pass(500);
    expect(drawn).toBe(50_000);
    expect(update.mock.calls.length).toBeLessThan(15);
  });

  test('draws less often where drawing takes long', () => {
    const frames = new FakeFrames();
    const batcher = new FrameBatcher(frames);
    const update = vi.fn(() => frames.take(30));
    for (let ms = 0; ms < 3000; ms += 10) {
      batcher.schedule(update);
      frames.pass(10);
    }
    expect(update.mock.calls.length).toBeGreaterThan(6);
    expect(update.mock.calls.length).toBeLessThan(14);
  });

  test('draws on a slow timer where no frames come', () => {
    const frames = new FakeFrames();
    frames.isHidden = true;
    const update = vi.fn();
    new FrameBatcher(frames).schedule(update);
    frames.pass(499);
    expect(update).not.toHaveBeenCalled();
    frames.pass(1);
    expect(update).toHaveBeenCalledTimes(1);
  });

  test('a change that is made while drawing is drawn later', () => {
    const frames = new FakeFrames();
    const batcher = new FrameBatcher(frames);
    const update = vi.fn(() => {
      if (update.mock.calls.length === 1) batcher.schedule(update);
    });
    batcher.schedule(update);
    frames.pass(1000);
    expect(update).toHaveBeenCalledTimes(2);
  });
});
