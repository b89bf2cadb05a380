import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { CallProgress } from '../log/state/call.ts';
import { ServerReducer } from '../log/state/serverReducer.ts';
import { Log } from '../log/log.ts';
import { foldStored } from '../log/state/foldStored.ts';
import type { Frame } from '../wire/exchange.ts';
import { Redactor } from '../wire/redact.ts';
import { MessageForms } from './messageForms.ts';
import { recordFrames } from './recordFrames.ts';
import { RunWatch } from './runWatch.ts';
import { ReplayFilter } from './replayFilter.ts';
import { reasonText } from '../log/reasons/reasonText.ts';

/** Progress as `[value, total]`, a value without a total, or one with words. */
type Told = number | readonly [number, number] | { readonly progress: number; readonly message: string };

function progressOf(told: Told): CallProgress {
  if (typeof told === 'number') return { progress: told };
  if ('message' in told) return told;
  const [progress, total] = told;
  return { progress, total };
}

const said = (progress: number, message = `step ${progress}`) => ({ progress, message });
const twice = (values: readonly number[]) => values.flatMap((value) => [said(value), said(value)]);

function firstSign(watch: RunWatch, told: readonly Told[], callId = 'a'): string | undefined {
  for (const one of told) {
    const sign = watch.progress(callId, progressOf(one));
    if (sign) return reasonText(sign);
  }
  return undefined;
}

describe('a tool that seems to have run twice', () => {
  test.each<[string, readonly Told[], string]>([
    ['the first run is ahead of the second', [4, 1, 5, 2], 'Progress went back from 4 to 1.'],
    [
      'both count to the same total',
      [
        [7, 12],
        [1, 12],
      ],
      'Progress went back from 7 to 1.',
    ],
    ['it counts in fractions', [0.5, 0.25], 'Progress went back from 0.5 to 0.25.'],
    ['both run in step', twice([1, 2, 3, 4]), 'Each of the first 4 progress notifications arrived twice.'],
  ])('is noticed on the stream of a POST: %s', (_, told, why) => {
    expect(firstSign(new RunWatch(false), told)).toBe(why);
  });

  test.each<[string, readonly Told[]]>([
    ['each value is higher', [1, 2, 3]],
    ['a value is told again', [1, 1, 2, 2, 2, 3]],
    [
      'two phases have two totals',
      [
        [9, 10],
        [10, 10],
        [1, 50],
        [2, 50],
      ],
    ],
    ['there is one value', [5]],
    [
      'each step is told at its start and at its end',
      [1, 2, 3, 4].flatMap((n) => [said(n, 'start'), said(n, 'end')]),
    ],
    ['values without words are told again', [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]],
    ['one of them came once', [...twice([1, 2]), said(3), ...twice([4, 5, 6, 7, 8])]],
    ['only three were told twice', [...twice([1, 2, 3]), said(4), said(5)]],
  ])('is not claimed on the stream of a POST: %s', (_, told) => {
    expect(firstSign(new RunWatch(false), told)).toBeUndefined();
  });

  test.each<[string, readonly Told[], string | undefined]>([
    ['both runs sent the same value', [4, 1, 5, 2, 6, 3, 7, 4], 'Progress went back from 7 to 4.'],
    ['a live value was faster than the missed ones', [6, 3, 4, 5, 7], undefined],
    ['live values came between the missed ones', [6, 3, 7, 4, 8, 5, 9], undefined],
    ['a value is told again', [3, 3, 4, 4], undefined],
    ['each value comes twice', twice([1, 2, 3, 4, 5]), undefined],
  ])('is noticed on a GET only where a value comes back: %s', (_, told, why) => {
    expect(firstSign(new RunWatch(true), told)).toBe(why);
  });

  it('is noticed by a second response to one request', () => {
    const watch = new RunWatch(false);
    expect(watch.response('a')).toBeUndefined();
    expect(watch.response('b')).toBeUndefined();
    expect(watch.response('a')).toMatchObject({ code: 'second-response' });
  });

  it('is not mixed up with another call on the same stream', () => {
    const watch = new RunWatch(false);
    expect(firstSign(watch, [4, 5], 'a')).toBeUndefined();
    expect(firstSign(watch, [1, 2], 'b')).toBeUndefined();
    expect(firstSign(watch, [6], 'a')).toBeUndefined();
  });

  it('is never claimed of runs that only go forward, however they are mixed and cut into connections', () => {
    const run = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }).map((steps) => {
      let value = 0;
      return steps.map((step) => (value += step));
    });
    const connections = fc.array(fc.record({ mayReplay: fc.boolean(), size: fc.nat({ max: 8 }) }));
    fc.assert(
      fc.property(run, run, fc.infiniteStream(fc.boolean()), connections, (a, b, picks, cuts) => {
        let watch = new RunWatch(false);
        let left = Infinity;
        const next = [...cuts];
        const queues = { a: [...a], b: [...b] };
        while (queues.a.length + queues.b.length > 0) {
          const wanted = picks.next().value ? ('a' as const) : ('b' as const);
          const callId = queues[wanted].length > 0 ? wanted : wanted === 'a' ? 'b' : 'a';
          const progress = queues[callId].shift() ?? 0;
          expect(watch.progress(callId, { progress })).toBeUndefined();
          left -= 1;
          const cut = left <= 0 || left === Infinity ? next.shift() : undefined;
          if (cut) [watch, left] = [new RunWatch(cut.mayReplay), cut.size];
        }
      }),
    );
  });

  it('is noticed on the stream of a POST wherever the second run begins behind the first', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 20 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        (lead, order) => {
          const values = { first: lead, second: 0 };
          const told = [lead];
          for (const isFirst of [...order, false]) told.push((values[isFirst ? 'first' : 'second'] += 1));
          expect(firstSign(new RunWatch(false), told)).toMatch(/went back/);
        },
      ),
    );
  });
});

describe('two runs on one stream', () => {
  const tick = (id: string, progress: number): Frame => {
    const params = { progressToken: 'a', progress };
    return { id, data: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }) };
  };

  it.each([
    ['one by one', 1],
    ['at once', 4],
  ])('are recorded once, with what was seen, and counted in the call: messages come %s', (_, size) => {
    const log = new Log('s', { now: () => 0 });
    const change = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
    log.append({ body: { kind: 'call', callId: 'a', change } });
    const context = {
      stream: 'a',
      callId: 'a',
      listens: false,
      replaying: false,
      seen: new ReplayFilter(),
      runs: new RunWatch(false),
      forms: new MessageForms(),
      redactor: new Redactor(),
      calls: log.state.calls,
      awaits: () => false,
    };
    const ticks = [4, 1, 5, 2].map((value, i) => tick(`e${i}`, value));
    for (let i = 0; i < ticks.length; i += size) {
      const frames = ticks.slice(i, i + size).flatMap((frame) => [frame, frame]);
      log.appendAll(recordFrames(frames, context).drafts);
    }
    const state = new ServerReducer('s');
    foldStored(state, log.tail);
    for (const { calls } of [log.state, state]) {
      expect(calls.get('a')).toMatchObject({
        runs: 2,
        received: 4,
        ranAgain: { code: 'progress-went-back' },
      });
    }
    const told = log.tail.filter((entry) => entry.kind === 'call' && entry.change.name === 'ran-again');
    expect(told).toMatchObject([{ change: { runs: 2, reason: { from: 4, to: 1 } } }]);
  });
});
