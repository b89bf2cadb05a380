/** `npm run explore`: two streams, a page that dies and a server that fails, in every order. */
import { describe, expect, it } from 'vitest';
import { explore, type Explored } from '../testing/explore.ts';
import { NO_FAULTS, StreamModel, type Scenario, type World } from './testing/streamModel.ts';

const CALLS: Scenario = { roles: ['call', 'call'], places: 1, keeps: true, faults: NO_FAULTS };
const BOTH: Scenario = { roles: ['call', 'standalone'], places: 2, keeps: true, faults: NO_FAULTS };
const some = (faults: Partial<Scenario['faults']>) => ({ faults: { ...NO_FAULTS, ...faults } });

/** Where a call may end without its response, if the server keeps its session and its events. */
const HONEST = new Set(['page-closed', 'no-event-id', 'no-answer']);

function holds(
  model: StreamModel,
  { roles, keeps, places, faults: granted }: Scenario,
  { page, disk, faults }: World,
): void {
  if (page)
    expectThat(
      sum(page.held.map(({ connections }) => connections)) <= places,
      'more connections than places',
    );
  page?.held.forEach(({ stream, connections, asked, timer }) => {
    expectThat(
      connections > 0 === (stream.name === 'opening' || stream.name === 'open'),
      'a connection without an owner',
    );
    expectThat(asked === (stream.name === 'queued'), 'a place without a stream that waits for it');
    expectThat(stream.name !== 'waiting' || timer, 'waits forever');
    expectThat(
      stream.name !== 'open' || stream.via !== 'resume' || timer,
      'a resumed stream without a timer',
    );
    expectThat(stream.name !== 'ended' || !timer, 'a timer of an ended stream');
  });
  for (const log of page ? [page.log, disk] : [disk]) {
    log.forEach(({ received, cursor, ends }, i) => {
      expectThat(cursor === undefined || received.includes(cursor), 'the cursor is ahead of the entries');
      expectThat(new Set(received).size === received.length, 'an event was delivered twice');
      if (roles[i] !== 'call') return;
      if (keeps)
        expectThat(
          received.every((event, n) => event === n),
          'an event is missing, or out of order',
        );
      const names = ends.map(({ how }) => how);
      expectThat(names.filter((how) => how === 'answered').length <= 1, 'settled twice');
      expectThat(names.length <= 2 && (names.length < 2 || names[1] === 'answered'), 'two ends');
      expectThat(
        names.length < 2 || names[0] === 'lost' || names[0] === 'unknown',
        'an end that was no guess was changed',
      );
      const wasCancelled = names[0] === 'cancelled';
      const hasResponse = log.some(
        (one, j) =>
          one.received.some((event) => model.isResponse(j, event)) && (roles[j] !== 'call' || j === i),
      );
      const isOwn = roles.includes('standalone') || received.some((event) => model.isResponse(i, event));
      if (hasResponse && isOwn)
        expectThat(wasCancelled || names.at(-1) === 'answered', 'has its result, and is not settled');
      for (const end of ends) {
        if (!('reason' in end)) continue;
        const { code } = end.reason;
        if (code === 'no-event-id' || code === 'page-closed')
          expectThat(cursor === undefined, 'it had an event ID');
        const isHonest = HONEST.has(code) || (code === 'no-replay' && !keeps);
        const isExplained =
          faults.forget < granted.forget ||
          isHonest ||
          code === 'resume-blocked' ||
          code === 'resume-refused';
        expectThat(isExplained, `ended for no reason: ${code}`);
      }
    });
  }
}

function expectThat(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const lastEnd = (world: World, i: number) => world.page?.log[i]?.ends.at(-1);
const allEnded = (world: World): boolean =>
  world.page !== undefined &&
  world.page.held.every(({ stream }) => stream.role !== 'call' || stream.name === 'ended');

function run(scenario: Scenario): Explored<World> {
  const model = new StreamModel(scenario);
  return explore(model, (world) => holds(model, scenario, world));
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
