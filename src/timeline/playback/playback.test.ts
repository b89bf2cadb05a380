import { describe, expect, it } from 'vitest';
import { Folds } from '../story/folds.ts';
import { advance, clockOver, faster, seek, toggled } from './playClock.ts';
import { countUntil, pausesOf, timeBeside, timesOf } from './playTimes.ts';

const NO_PAUSES = new Folds();
const TIMES = [1000, 1100, 1100, 1900, 20_000, 20_500];

describe('the clock of playback', () => {
  it('stands at the first entry, and does not run by itself', () => {
    const clock = clockOver(TIMES);
    expect(clock).toMatchObject({ from: 1000, to: 20_500, at: 1000, speed: 1, isPlaying: false });
    expect(advance(clock, 500, NO_PAUSES)).toBe(clock);
  });

  it('runs as it happened, faster with its speed, and stops at the end', () => {
    const playing = toggled(clockOver(TIMES));
    expect(advance(playing, 500, NO_PAUSES).at).toBe(1500);
    expect(advance({ ...playing, speed: 4 }, 500, NO_PAUSES).at).toBe(3000);
    expect(advance(playing, 60_000, NO_PAUSES)).toMatchObject({ at: 20_500, isPlaying: false });
  });

  it('never runs backwards, whatever the page measures', () => {
    expect(advance(toggled(clockOver(TIMES)), -300, NO_PAUSES).at).toBe(1000);
  });

  it('shortens long pauses to less than a second', () => {
    const at1900 = seek(toggled(clockOver(TIMES)), 1900);
    const pauses = pausesOf(TIMES);
    expect(advance(at1900, 400, pauses).at).toBeCloseTo(10_950, 0);
    expect(advance(at1900, 800, pauses).at).toBeCloseTo(20_000, 0);
  });

  it('begins again when it is played at the end', () => {
    const ended = seek(clockOver(TIMES), 99_999);
    expect(ended.at).toBe(20_500);
    expect(toggled(ended)).toMatchObject({ at: 1000, isPlaying: true });
    expect(toggled(toggled(ended)).isPlaying).toBe(false);
  });

  it('a log of one moment has nothing to play', () => {
    expect(toggled(clockOver([5])).isPlaying).toBe(false);
    expect(toggled(clockOver([])).isPlaying).toBe(false);
  });

  it('knows five speeds', () => {
    expect(faster(1, 1)).toBe(2);
    expect(faster(8, 1)).toBe(8);
    expect(faster(0.5, -1)).toBe(0.5);
  });
});

describe('the entries of playback', () => {
  it('a clock that was set back does not turn entries around', () => {
    expect(timesOf([{ at: 5 }, { at: 3 }, { at: 9 }])).toEqual([5, 5, 9]);
  });

  it('counts what has happened by a time', () => {
    expect(countUntil(TIMES, 999)).toBe(0);
    expect(countUntil(TIMES, 1100)).toBe(3);
    expect(countUntil(TIMES, 1e9)).toBe(6);
  });

  it('steps to the time of the next entry, and back', () => {
    expect(timeBeside(TIMES, 1000, 1)).toBe(1100);
    expect(timeBeside(TIMES, 1500, 1)).toBe(1900);
    expect(timeBeside(TIMES, 20_500, 1)).toBe(20_500);
    expect(timeBeside(TIMES, 1900, -1)).toBe(1100);
    expect(timeBeside(TIMES, 1100, -1)).toBe(1000);
    expect(timeBeside(TIMES, 1000, -1)).toBe(1000);
  });
});
