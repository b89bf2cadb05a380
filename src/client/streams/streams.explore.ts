/** `npm run explore`: two streams, a page that dies and a server that fails, in every order. */
import { describe, expect, it } from 'vitest';
import { explore, tellSize, type Explored } from '../testing/explore.ts';
import type { Effect, StreamEvent } from './stream.ts';
import { next } from './streamMachine.ts';
import { streamsHold } from './testing/streamInvariants.ts';
import { StreamModel } from './testing/streamModel.ts';
import { NO_FAULTS, type Scenario, type World } from './testing/streamWorld.ts';

const CALLS: Scenario = { roles: ['call', 'call'], places: 1, keeps: true, faults: NO_FAULTS };
const BOTH: Scenario = { roles: ['call', 'standalone'], places: 2, keeps: true, faults: NO_FAULTS };
const some = (faults: Partial<Scenario['faults']>) => ({ faults: { ...NO_FAULTS, ...faults } });

const lastEnd = (world: World, i: number) => world.page?.log[i]?.ends.at(-1);
const allEnded = (world: World): boolean =>
  world.page !== undefined &&
  world.page.held.every(({ stream }) => stream.role !== 'call' || stream.name === 'ended');

function run(scenario: Scenario): Explored<World> {
  const model = new StreamModel(scenario);
  const explored = explore(model, (world) => streamsHold(model, scenario, world));
  tellSize(expect.getState().currentTestName, explored);
  return explored;
}

function noneStuck({ stuck, path, worlds }: Explored<World>, isGoal: (world: World) => boolean): void {
  const [first] = stuck(isGoal);
  const where = first === undefined ? '' : `${path(first).join(' · ')}\n${JSON.stringify(worlds[first])}`;
  expect(where).toBe('');
}

describe('two calls that share one connection', () => {
  it('lose nothing and settle once: a frame, a flush, a death, a refusal and an answer, in every order', () => {
    noneStuck(run({ ...CALLS, places: 2, ...some({ die: 1, refuse: 1 }) }), allEnded);
  });
  it('settle or end honestly, whatever dies, breaks or is closed', () => {
    const explored = run({ ...CALLS, ...some({ die: 1, break: 1 }) });
    noneStuck(explored, allEnded);
    noneStuck(run({ ...CALLS, ...some({ close: 1 }) }), allEnded);
  });
  it('settle although a resume is refused as often as may be', () => {
    const scenario = { ...CALLS, ...some({ refuse: 1, die: 1 }) };
    const explored = run(scenario);
    noneStuck(explored, allEnded);
    const refused = explored.worlds.filter((world) =>
      [0, 1].some((i) => codeOf(world, i) === 'resume-refused'),
    );
    expect(refused).toEqual([]);
  });
  it('settle although a response or a connection is late', () => {
    noneStuck(run({ ...CALLS, ...some({ slow: 2, die: 1 }) }), allEnded);
  });
  it('settle when the server was away for a moment', () => {
    const explored = run({ ...CALLS, ...some({ down: 1 }) });
    noneStuck(explored, allEnded);
    expect(
      explored.worlds.filter((world) => [0, 1].some((i) => codeOf(world, i) === 'resume-blocked')),
    ).toEqual([]);
  });
  it('settle from a server that replays more than it was asked for', () => {
    const explored = run({
      ...CALLS,
      places: 2,
      overReplays: true,
      ...some({ die: 1 }),
    });
    noneStuck(explored, allEnded);
  });
  it('end when the server forgets the session, or cannot replay, or a call is cancelled', () => {
    noneStuck(run({ ...CALLS, ...some({ forget: 1 }) }), allEnded);
    noneStuck(run({ ...CALLS, places: 2, keeps: false, ...some({ die: 1 }) }), allEnded);
    noneStuck(run({ ...CALLS, ...some({ cancel: 1 }) }), allEnded);
  });
});

const codeOf = (world: World, i: number): string | undefined => {
  const end = lastEnd(world, i);
  return end && 'reason' in end ? end.reason.code : undefined;
};

describe('a call and the standalone stream', () => {
  it('a late result on the standalone stream settles what was given up', () => {
    const explored = run({
      ...BOTH,
      respondsElsewhere: true,
      ...some({ die: 1, break: 1 }),
    });
    const corrected = explored.worlds.filter(
      ({ page }) => page?.log[0]?.ends.map(({ how }) => how).join() === 'unknown,answered',
    );
    expect(corrected.length).toBeGreaterThan(0);
  });
  it('a deaf standalone stream is heard again', () => {
    const explored = run({ ...BOTH, deaf: true, ...some({ die: 1 }) });
    noneStuck(
      explored,
      ({ page }) => page?.held[1]?.stream.name === 'open' && page.held[1].stream.via === 'plain',
    );
  });
  it('a server that blocks Last-Event-ID loses calls honestly, and keeps its standalone stream', () => {
    const explored = run({ ...BOTH, blocksResume: true, ...some({ die: 1 }) });
    noneStuck(explored, (world) => allEnded(world) && world.page?.held[1]?.stream.name === 'open');
  });
  it.each([404, 405])(
    'a server without a standalone stream (%i) is never in trouble for it, and missed when it is away',
    (noStandalone) => {
      const explored = run({
        ...BOTH,
        noStandalone,
        ...some({ down: 1 }),
      });
      noneStuck(explored, (world) => allEnded(world) && world.page?.held[1]?.stream.name === 'absent');
      const lies = explored.worlds.filter(
        (world) =>
          !world.isUp && codeOf(world, 0) === 'no-answer' && world.page?.held[1]?.stream.name === 'absent',
      );
      expect(lies).toEqual([]);
      const fresh = run({
        ...BOTH,
        noStandalone,
      });
      expect(
        fresh.worlds.filter(({ page }) =>
          page?.held.some(({ stream }) => 'setbacks' in stream && stream.setbacks.trouble),
        ),
      ).toEqual([]);
    },
  );
});

/** Breaks the stream machine, or the disk, on purpose: the exploration must find each. */
describe('finds a stream machine that', () => {
  const withEffects =
    (change: (effect: Effect) => readonly Effect[]): typeof next =>
    (stream, event, policy) => {
      const step = next(stream, event, policy);
      return { ...step, effects: step.effects.flatMap(change) };
    };
  const without = (kind: Effect['kind']) => withEffects((effect) => (effect.kind === kind ? [] : [effect]));
  const twice = (kind: Effect['kind']) =>
    withEffects((effect) => (effect.kind === kind ? [effect, effect] : [effect]));
  const deafTo =
    (kind: StreamEvent['kind']): typeof next =>
    (stream, event, policy) =>
      event.kind === kind ? { stream, effects: [] } : next(stream, event, policy);
  /** Names the event after the one that it has received. */
  const ahead: typeof next = (stream, event, policy) =>
    event.kind === 'received' && event.eventId !== undefined
      ? next(stream, { ...event, eventId: String(Number(event.eventId) + 1) }, policy)
      : next(stream, event, policy);
  const DIES = some({ die: 1 });
  const BREAKS = some({ break: 1 });

  it.each<[what: string, found: string, scenario: Scenario]>([
    [
      'resumes after an event that it has not received',
      'an event is missing',
      { ...CALLS, ...BREAKS, step: ahead },
    ],
    ['settles a call twice', 'settled twice', { ...CALLS, step: twice('declare') }],
    ['requests a stream that it has', 'is owned twice', { ...CALLS, ...BREAKS, step: twice('get') }],
    [
      'keeps a connection that it gave away',
      'a connection without an owner',
      { ...CALLS, step: without('release') },
    ],
    [
      'does not hear the response',
      'has its result, and is not settled',
      { ...CALLS, step: deafTo('response') },
    ],
    ['runs a call after its result', 'a call runs after its result', { ...CALLS, step: keepsRunning }],
    ['runs a call that it has lost', 'a call is lost and runs', { ...CALLS, step: runsLost }],
    ['waits without a timer', 'waits forever', { ...CALLS, ...BREAKS, step: without('startTimer') }],
    ['asks for no place', 'a place without a stream', { ...CALLS, ...BREAKS, step: without('askForPlace') }],
    ['gives a session up that is alive', 'ended for no reason', { ...CALLS, ...BREAKS, step: lost }],
  ])('%s', (_, found, scenario) => {
    expect(() => run(scenario)).toThrow(found);
  });

  it('has a disk that stores an event ID before its entry', () => {
    expect(() => run({ ...CALLS, ...DIES, tears: true })).toThrow('the cursor is ahead of the entries');
  });
});

/** Takes a broken connection for a session that is gone. */
const lost: typeof next = (stream, event, policy) =>
  next(stream, event.kind === 'network-error' ? { kind: 'session-gone' } : event, policy);

/** Tells that a call has ended, and goes on with its stream. */
const endsWithout =
  (kind: StreamEvent['kind'], as: StreamEvent['kind']): typeof next =>
  (stream, event, policy) => {
    if (event.kind !== kind || stream.name === 'ended') return next(stream, event, policy);
    const { effects } = next(stream, { kind: as } as StreamEvent, policy);
    return { stream: { ...stream }, effects: effects.filter((effect) => effect.kind === 'declare') };
  };
const keepsRunning = endsWithout('response', 'response');
const runsLost = endsWithout('place-wanted', 'session-gone');
