import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

describe('startHeartbeat', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('finds nothing where every beat is on time', () => {
    let time = 0;
    const heartbeat = startHeartbeat(() => time);
    while (time < 2000) {
      time += 100;
      vi.advanceTimersByTime(100);
    }
    expect(heartbeat.stop()).toEqual({ lateMs: 0, isTooBusy: false });
  });

  it('sums up how late the beats were', () => {
    let time = 0;
    const heartbeat = startHeartbeat(() => time);
    while (time < 2000) {
      time += 500;
      vi.advanceTimersByTime(100);
    }
    expect(heartbeat.stop()).toEqual({ lateMs: 1600, isTooBusy: true });
  });

  it('counts a beat that never came', () => {
    let time = 0;
    const heartbeat = startHeartbeat(() => time);
    time = 3000;
    expect(heartbeat.stop()).toEqual({ lateMs: 2900, isTooBusy: true });
  });
});
