/** `npm run explore`: the session machine and two calls together, with a page that dies and a server that fails. */
import { describe, expect, it } from 'vitest';
import { explore, tellSize, type Explored } from '../testing/explore.ts';
import { expectThat, streamsHold } from '../streams/testing/streamInvariants.ts';
import { next, type SessionEffect, type SessionEvent } from './sessionMachine.ts';
import { PageModel, type PageScenario, type PageWorld } from './testing/pageModel.ts';

const OVER = ['failed', 'disconnected', 'authorizing', 'idle'];

function holds(model: PageModel, world: PageWorld): void {
  const { streams, session, effects, waits, mayLeave } = world;
  streamsHold(model.streams, model.scenario, streams, {
    mayLose: mayLeave < model.mayLeave,
    isUnderWay: effects.length > 0,
  });
  if (!session || !streams.page) return;
  const { phase, state } = session;
  const running = streams.page.held.filter(({ stream }) => stream.name !== 'ended');
  if (effects.length > 0) return;
  const isIdle = phase.name === 'idle' || phase.name === 'waiting' || phase.name === 'explaining';
  expectThat(!isIdle || running.length === 0, `streams run while the session is ${phase.name}`);
  expectThat(phase.name !== 'idle' || OVER.includes(state.name), `over, and shown as ${state.name}`);
  expectThat(phase.name !== 'waiting' || waits.some((wait) => wait.for === 'timer'), 'waits forever');
}

/** The page is there, says what it is, and no call is left open. */
function isSettled({ streams, session, effects }: PageWorld): boolean {
  if (!session || !streams.page || effects.length > 0) return false;
  const { phase, state } = session;
  const isLive = phase.name === 'live' && state.name === 'connected';
  const isOver = phase.name === 'idle' && OVER.includes(state.name);
  return (isLive || isOver) && streams.page.log.every(({ ends }) => ends.length > 0);
}

function run(scenario: PageScenario): Explored<PageWorld> {
  const model = new PageModel(scenario);
  const explored = explore(model, (world) => holds(model, world));
  tellSize(expect.getState().currentTestName, explored);
  const [stuck] = explored.stuck(isSettled);
  const where =
    stuck === undefined
      ? ''
      : `${explored.path(stuck).join(' · ')}\n${JSON.stringify(explored.worlds[stuck])}`;
  if (where !== '') throw new Error(`never settles\n  after ${where}`);
  return explored;
}

describe('a session and its calls are settled in the end', () => {
  it.each<[string, PageScenario]>([
    ['two calls, the page dies', { calls: 2, die: 1 }],
    ['two calls, the server forgets the session', { calls: 2, forget: 1 }],
    ['two calls, the user disconnects', { calls: 2, mayLeave: 1 }],
    ['two calls, the server forgets, and the user disconnects', { calls: 2, forget: 1, mayLeave: 1 }],
    ['a call, the server is away, and forgets', { calls: 1, down: 1, forget: 1 }],
    ['a call, the page dies twice, and the server forgets', { calls: 1, die: 2, forget: 1 }],
    [
      'a call, the page dies, the server forgets, the user disconnects',
      { calls: 1, die: 1, forget: 1, mayLeave: 1 },
    ],
    ['a call, everything breaks', { calls: 1, die: 1, forget: 1, break: 1, down: 1 }],
  ])('%s', (_, scenario) => {
    expect(run(scenario).worlds.length).toBeGreaterThan(100);
  });
});

/** Breaks the session machine on purpose: the exploration must find each. */
describe('finds a session machine that', () => {
  const without =
    (kind: SessionEffect['kind'], of: SessionEvent['kind']): typeof next =>
    (session, event) => {
      const { effects, ...rest } = next(session, event);
      return { ...rest, effects: event.kind === of ? effects.filter((one) => one.kind !== kind) : effects };
    };
  const deafTo =
    (kind: SessionEvent['kind']): typeof next =>
    (session, event) =>
      event.kind === kind ? { session, effects: [] } : next(session, event);

  it.each<[string, PageScenario]>([
    [
      'keeps the calls of a session that is gone',
      { calls: 2, forget: 1, step: without('giveUp', 'session-gone') },
    ],
    [
      'keeps the streams of a session that is gone',
      { calls: 2, forget: 1, step: without('close', 'session-gone') },
    ],
    ['begins no new session', { calls: 2, forget: 1, step: without('begin', 'session-gone') }],
    ['takes nothing up', { calls: 1, die: 1, step: without('resume', 'resume') }],
    ['keeps everything when the user leaves', { calls: 2, mayLeave: 1, step: without('leave', 'leave') }],
    ['does not hear that the session is gone', { calls: 2, forget: 1, step: deafTo('session-gone') }],
    ['does not hear that the page is back', { calls: 1, die: 1, step: deafTo('healthy') }],
    ['compares no lists', { calls: 2, forget: 1, step: without('compareLists', 'began') }],
    ['waits without a timer', { calls: 1, down: 1, forget: 1, step: without('startTimer', 'begin-failed') }],
  ])('%s', (_, scenario) => {
    expect(() => run(scenario)).toThrow();
  });
});
