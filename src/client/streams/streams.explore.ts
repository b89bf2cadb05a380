/** `npm run explore`: two streams, a page that dies and a server that fails, in every order. */
import { describe, expect, it } from 'vitest';
import { explore, type Explored } from '../testing/explore.ts';
import { streamsHold } from './testing/streamInvariants.ts';
import { NO_FAULTS, StreamModel, type Scenario, type World } from './testing/streamModel.ts';

const CALLS: Scenario = { roles: ['call', 'call'], places: 1, keeps: true, faults: NO_FAULTS };
const BOTH: Scenario = { roles: ['call', 'standalone'], places: 2, keeps: true, faults: NO_FAULTS };
const some = (faults: Partial<Scenario['faults']>) => ({ faults: { ...NO_FAULTS, ...faults } });

const lastEnd = (world: World, i: number) => world.page?.log[i]?.ends.at(-1);
const allEnded = (world: World): boolean =>
  world.page !== undefined &&
  world.page.held.every(({ stream }) => stream.role !== 'call' || stream.name === 'ended');

function run(scenario: Scenario): Explored<World> {
  const model = new StreamModel(scenario);
  return explore(model, (world) => streamsHold(model, scenario, world));
}

function noneStuck({ stuck, path, worlds }: Explored<World>, isGoal: (world: World) => boolean): void {
  const [first] = stuck(isGoal);
  const where = first === undefined ? '' : `${path(first).join(' · ')}\n${JSON.stringify(worlds[first])}`;
  expect(where).toBe('');
}

describe('two calls that share one connection', () => {
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
