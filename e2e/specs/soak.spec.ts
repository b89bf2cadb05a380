// The soak's own teeth: it calls a good server good, and finds what a bad one loses, doubles or runs twice.
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { MemoryEventStore } from '../../targets/core/memoryEventStore.ts';
import type { TargetOptions } from '../../targets/core/options.ts';
import { PlaywrightSeat } from '../soak/browsers/playwrightSeat.ts';
import { perform, type Bench } from '../soak/perform.ts';
import type { Plan, Step } from '../soak/plan.ts';
import { shrinkPlan } from '../soak/shrinkPlan.ts';
import { openTarget } from '../soak/world.ts';
import { expect, test as base } from './inspector.ts';

const call = (key: string): Step => ({ kind: 'call', afterMs: 0, key, ticks: 8, everyMs: 100, asks: false });
const stored = (key: string): Step => ({ kind: 'stored', afterMs: 0, key });
const later = (afterMs: number, step: Step): Step => ({ ...step, afterMs });
const reload: Step = { kind: 'death', afterMs: 0, death: 'reload', gapMs: 0 };
const away: Step = { kind: 'death', afterMs: 0, death: 'new-tab', gapMs: 500 };
const plan = (...steps: readonly Step[]): Plan => ({ seed: 1, server: 'resumable', steps });

const test = base.extend<{ benchOf: (overrides: Partial<TargetOptions>) => Bench }>({
  benchOf: async ({ browser, baseURL }, use) => {
    await use((overrides) => ({
      site: baseURL ?? '',
      browsers: {
        seat: async () => {
          const context = await browser.newContext({ serviceWorkers: 'block' });
          return new PlaywrightSeat(context, { hasDevtools: true, close: () => context.close() });
        },
      },
      openWorld: (server) => openTarget(server, overrides),
    }));
  },
});

/** Leaves every third notification out of a replay. */
function forgetful(): EventStore {
  const store = new MemoryEventStore();
  return {
    storeEvent: (streamId, message) => store.storeEvent(streamId, message),
    getStreamIdForEventId: (eventId) => store.getStreamIdForEventId(eventId),
    replayEventsAfter: (eventId, { send }) => {
      let replayed = 0;
      return store.replayEventsAfter(eventId, {
        send: async (id, message) => {
          if ('method' in message) replayed += 1;
          if (!('method' in message) || replayed % 3 !== 0) await send(id, message);
        },
      });
    },
  };
}

/** Stores each message twice, so that a replay brings it twice, under two IDs. */
function doubling(): EventStore {
  const store = new MemoryEventStore();
  return {
    async storeEvent(streamId, message) {
      if ('method' in message) await store.storeEvent(streamId, message);
      return store.storeEvent(streamId, message);
    },
    getStreamIdForEventId: (eventId) => store.getStreamIdForEventId(eventId),
    replayEventsAfter: (eventId, sender) => store.replayEventsAfter(eventId, sender),
  };
}

test('a good server is found good, over reloads and a tab that is closed', async ({ benchOf }) => {
  const { verdict } = await perform(
    plan(call('1-0'), call('1-1'), stored('1-0'), stored('1-1'), reload, away),
    benchOf({}),
  );
  expect(verdict.problems).toEqual([]);
  expect(verdict.calls.map(({ fate }) => fate)).toEqual(['whole', 'whole']);
});

test(
  'a replay with gaps is found, and shrinks to a call and a death',
  { tag: '@long' },
  async ({ benchOf }) => {
    const bench = benchOf({ createEventStore: forgetful });
    test.slow();
    // Long enough that a busy machine leaves something to replay.
    const long: Step = { kind: 'call', afterMs: 0, key: '1-0', ticks: 40, everyMs: 75, asks: false };
    const loses = plan(long, stored('1-0'), { kind: 'answer', afterMs: 0 }, away);
    const { verdict } = await perform(loses, bench);
    expect(verdict.problems.join()).toContain('lost: ');
    const small = await shrinkPlan(
      loses,
      verdict.problems[0] ?? '',
      async (shorter) => (await perform(shorter, bench)).verdict.problems,
      1,
    );
    const kinds = small?.steps.map(({ kind }) => kind) ?? [];
    expect(kinds).toContain('death');
    expect(kinds).not.toContain('answer');
  },
);

test('a message that comes twice is found', { tag: '@long' }, async ({ benchOf }) => {
  const { verdict } = await perform(
    plan(call('1-0'), stored('1-0'), away),
    benchOf({ createEventStore: doubling }),
  );
  expect(verdict.problems.join()).toContain('twice: ');
});

test('a tool that is run twice is found', { tag: '@long' }, async ({ benchOf }) => {
  // The connections that the handshake left open end before the head of the next response, and the browser sends it again.
  const fault: Step = { kind: 'fault', afterMs: 500, fault: 'before-head', forMs: 600, atByte: 0 };
  const { verdict } = await perform(plan(fault, later(50, call('1-0'))), benchOf({ runsRepeats: true }));
  expect(verdict.problems.join()).toContain('run-twice: ');
});
