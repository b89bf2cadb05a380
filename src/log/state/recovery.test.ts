import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VERSION, type EntryBody } from '../entry/entry.ts';
import { ServerReducer } from './serverReducer.ts';
import { foldStored } from '../state/foldStored.ts';
import { figuresOf } from './recovery.ts';
import { addTo, spreadOf, type Tally } from './spread.ts';
import { recorded } from '../reasons/reason.ts';

type Timed = readonly [at: number, body: EntryBody];

function figures(log: readonly Timed[]) {
  const state = new ServerReducer('s1');
  foldStored(
    state,
    log.map(([at, body], i) => ({ seq: i + 1, at, load: 1, ...body })),
  );
  return figuresOf(state.recovery);
}

const opened: EntryBody = { kind: 'load', reason: 'opened' };
const reloaded = (pageLeftAt: number): EntryBody => ({ kind: 'load', reason: 'opened', pageLeftAt });
const lost: EntryBody = {
  kind: 'state',
  state: { name: 'reconnecting', attempt: 1, retryAt: 0, reason: recorded('') },
};
const connected = (how: 'fresh' | 'resumed' | 'restarted'): EntryBody => ({
  kind: 'state',
  state: { name: 'connected', how },
});
const sending: EntryBody = {
  kind: 'call',
  callId: 'c1',
  change: { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false },
};
const ends = (name: 'lost' | 'unknown'): EntryBody => ({
  kind: 'call',
  callId: 'c1',
  change: { name, reason: recorded('') },
});
const message = { stream: 'c1', callId: 'c1' } as const;
const posted: EntryBody = { kind: 'sent', ...message, method: 'tools/call', raw: '{"id":"c1"}' };
const tick: EntryBody = {
  kind: 'received',
  ...message,
  eventId: '1',
  method: 'notifications/progress',
  raw: '{}',
};
const response: EntryBody = { kind: 'received', ...message, eventId: '2', raw: '{"id":"c1","result":{}}' };

describe('recovery figures', () => {
  // oxfmt-ignore
  const cases: [string, readonly Timed[], object][] = [
    ['count nothing for a first connection', [[0, opened], [5, connected('fresh')]], { since: 0, resumes: 0, restarts: 0, timeToReturn: { count: 0 } }],
    ['take a reload from the moment the page was left', [[0, connected('fresh')], [130, reloaded(100)], [140, lost], [180, connected('resumed')]], { resumes: 1, timeToReturn: { count: 1, medianMs: 80, worstMs: 80 } }],
    ['do not count the time a tab was closed', [[0, connected('fresh')], [9000, opened], [9010, lost], [9050, connected('resumed')]], { resumes: 1, timeToReturn: { count: 1, worstMs: 50 } }],
    ['take a lost connection from its first trouble', [[0, connected('fresh')], [10, lost], [20, lost], [40, connected('resumed')]], { resumes: 1, timeToReturn: { count: 1, worstMs: 30 } }],
    ['take a reload while the connection is lost from the loss', [[0, connected('fresh')], [10, lost], [60, reloaded(50)], [90, connected('resumed')]], { timeToReturn: { count: 1, worstMs: 80 } }],
    ['count a restart', [[0, connected('fresh')], [10, lost], [40, connected('restarted')]], { resumes: 0, restarts: 1, timeToReturn: { count: 1, worstMs: 30 } }],
    ['do not count the time until a login', [[0, connected('fresh')], [10, lost], [20, { kind: 'state', state: { name: 'authorizing', reason: recorded(''), ask: 'login' } }], [900, lost], [905, connected('resumed')]], { timeToReturn: { count: 1, worstMs: 5 } }],
    ['give the median of several', [[0, connected('fresh')], ...[10, 30, 20, 90].flatMap((ms, i): Timed[] => [[1000 * i, lost], [1000 * i + ms, connected('resumed')]])], { resumes: 4, timeToReturn: { count: 4, medianMs: 25, worstMs: 90 } }],
    ['count what was replayed, and nothing else', [[0, sending], [1, posted], [2, tick], [3, { ...tick, eventId: '7', replayed: true }], [4, { kind: 'duplicate', stream: 'c1', eventId: '1' }]], { eventsRecovered: 1 }],
    ['count lost calls', [[0, sending], [1, ends('lost')]], { callsLost: 1, callsUnknown: 0 }],
    ['count calls whose outcome is unknown', [[0, sending], [1, ends('unknown')]], { callsLost: 0, callsUnknown: 1 }],
    ['take a loss back when the result arrives late', [[0, sending], [1, ends('lost')], [2, response]], { callsLost: 0 }],
    ['measure a blind window up to a priming event', [[0, sending], [5, posted], [12, { kind: 'position', ...message, eventId: '0' }], [90, tick]], { blindWindows: { count: 1, worstMs: 7 } }],
    ['measure a blind window up to the first event ID', [[0, sending], [5, posted], [45, tick], [90, response]], { blindWindows: { count: 1, worstMs: 40 } }],
    ['leave out calls that never had an event ID', [[0, sending], [5, posted], [9, { kind: 'received', ...message, raw: '{"id":"c1","result":{}}' }]], { blindWindows: { count: 0 } }],
  ];
  it.each(cases)('%s', (_, log, expected) => {
    expect(figures(log)).toMatchObject(expected);
  });

  it('are the same when the log is folded in two page loads', () => {
    const kinds = [
      opened,
      lost,
      connected('resumed'),
      connected('restarted'),
      sending,
      posted,
      tick,
      response,
    ];
    const logs = fc.array(fc.tuple(fc.nat(50), fc.constantFrom(...kinds, ends('lost'), ends('unknown'))));
    fc.assert(
      fc.property(logs, fc.nat(), (steps, cut) => {
        let now = 0;
        const entries = steps.map(([ms, body], i) => ({ seq: i + 1, at: (now += ms), load: 1, ...body }));
        const [whole, first] = [new ServerReducer('s1'), new ServerReducer('s1')];
        foldStored(whole, entries);
        const at = cut % (entries.length + 1);
        foldStored(first, entries.slice(0, at));
        const second = new ServerReducer('s1', structuredClone(first.snapshot()));
        foldStored(second, entries.slice(at));
        expect(figuresOf(second.recovery)).toEqual(figuresOf(whole.recovery));
      }),
    );
  });

  it('are empty for a state that was stored before they were counted', () => {
    const { recovery: _, ...old } = new ServerReducer('s1').snapshot();
    expect(figuresOf(new ServerReducer('s1', old).recovery)).toMatchObject({ resumes: 0 });
    expect(VERSION).toBe(5);
  });
});

describe('spreadOf', () => {
  it('finds the same median and worst as a sorted list', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100), { minLength: 1 }), (values) => {
        const tally = values.reduce<Tally>(addTo, {});
        const sorted = [...values].sort((a, b) => a - b);
        const half = (values.length - 1) / 2;
        const median = ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
        expect(spreadOf(tally)).toEqual({
          count: values.length,
          medianMs: median,
          worstMs: sorted.at(-1),
        });
      }),
    );
  });
});
