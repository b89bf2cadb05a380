import { describe, expect, it } from 'vitest';
import { STEPS } from '../walkthrough.ts';
import { arrive, back, begin, beginAct, giveUp, hasHappened, next, type Facts } from './stageSteps.ts';

const START = begin(100);
const FACTS: Facts = {
  isConnected: true,
  load: 1,
  received: 0,
  isOpen: false,
  isResumed: false,
  isAsked: false,
  isLost: false,
};

describe('the steps of the guided demo', () => {
  it('a caption changes when the act has happened, and not when the key is pressed', () => {
    expect(next(START)).toEqual({ name: 'act' });
    const acting = beginAct(START, 1);
    expect(acting.at).toBe(0);
    expect(next(acting), 'a second press does nothing').toEqual({ name: 'nothing' });
    expect(arrive(acting, STEPS.length)).toEqual({ at: 1, reached: 1, since: 100 });
  });

  it('nothing arrives that was not begun', () => {
    expect(arrive(START, STEPS.length)).toBe(START);
  });

  it('going back shows the caption before, and going on does nothing twice', () => {
    const third = { at: 3, reached: 3, since: 0 };
    const before = back(third);
    expect(before.at).toBe(2);
    expect(next(before)).toEqual({ name: 'show', place: third });
    expect(back(back(back(back(third)))).at).toBe(0);
    expect(next(third)).toEqual({ name: 'act' });
  });

  it('what did not happen can be tried again', () => {
    expect(next(giveUp(beginAct(START, 1)))).toEqual({ name: 'act' });
  });
});

describe('what has happened', () => {
  it('a reload has happened in a later page load, when the call was resumed', () => {
    const resumed = { ...FACTS, received: 8, isOpen: true, isResumed: true };
    expect(hasHappened(3, { ...resumed, load: 1 }, 1), 'the same page').toBe(false);
    expect(hasHappened(3, { ...resumed, load: 2, isResumed: false }, 1), 'not yet resumed').toBe(false);
    expect(hasHappened(3, { ...resumed, load: 2 }, 1)).toBe(true);
  });

  it('a request that is open again after a reload', () => {
    expect(hasHappened(5, { ...FACTS, isAsked: true }, 1)).toBe(false);
    expect(hasHappened(5, { ...FACTS, isAsked: true, load: 3 }, 1)).toBe(true);
  });

  it('an answer, when the tool has ended', () => {
    expect(hasHappened(6, { ...FACTS, isOpen: true }, 1)).toBe(false);
    expect(hasHappened(6, FACTS, 1)).toBe(true);
  });

  it('a connection, a first event, a request, a loss', () => {
    expect(hasHappened(1, FACTS, 0)).toBe(true);
    expect(hasHappened(2, FACTS, 1)).toBe(false);
    expect(hasHappened(2, { ...FACTS, received: 1 }, 1)).toBe(true);
    expect(hasHappened(4, { ...FACTS, isAsked: true }, 1)).toBe(true);
    expect(hasHappened(7, { ...FACTS, isLost: true }, 1)).toBe(true);
  });
});
