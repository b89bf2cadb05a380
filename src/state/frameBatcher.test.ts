import { describe, expect, test, vi } from 'vitest';
import { FrameBatcher } from './frameBatcher.ts';

function fakeFrames() {
  const frames = new Set<() => void>();
  const timers = new Set<() => void>();
  const keep = (set: Set<() => void>, fn: () => void) => {
    set.add(fn);
    return () => set.delete(fn);
  };
  return {
    frames,
    timers,
    clock: {
      requestFrame: (fn: () => void) => keep(frames, fn),
      after: (_delayMs: number, fn: () => void) => keep(timers, fn),
    },
  };
}

describe('FrameBatcher', () => {
  test('draws once for any number of changes in one frame', () => {
    const { frames, clock } = fakeFrames();
    const batcher = new FrameBatcher(clock);
    const update = vi.fn();
    for (let i = 0; i < 50_000; i += 1) batcher.schedule(update);
    expect(frames.size).toBe(1);
    for (const frame of frames) frame();
    expect(update).toHaveBeenCalledTimes(1);
    expect(frames.size).toBe(0);
  });

  test('falls back to a timer where no frames come, and then drops the frame', () => {
    const { frames, timers, clock } = fakeFrames();
    const batcher = new FrameBatcher(clock);
    const update = vi.fn();
    batcher.schedule(update);
    for (const timer of timers) timer();
    expect(update).toHaveBeenCalledTimes(1);
    expect([frames.size, timers.size]).toEqual([0, 0]);
  });

  test('a change that is made while drawing waits for the next frame', () => {
    const { frames, clock } = fakeFrames();
    const batcher = new FrameBatcher(clock);
    const update = vi.fn(() => {
      if (update.mock.calls.length === 1) batcher.schedule(update);
    });
    batcher.schedule(update);
    for (const frame of [...frames]) frame();
    expect(update).toHaveBeenCalledTimes(1);
    for (const frame of [...frames]) frame();
    expect(update).toHaveBeenCalledTimes(2);
  });
});
