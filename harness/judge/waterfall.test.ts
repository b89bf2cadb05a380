import { describe, expect, it } from 'vitest';
import type { Control } from '../context.ts';
import type { Call, Entry } from '../contract.ts';
import { observe } from './observe.ts';
import { drawWaterfall, nameGaps } from './waterfall.ts';

const CALL = { id: 'c', name: 'settled', startedAt: 1000 } as Call;
const own = (at: number, load: number, rest: Partial<Entry>): Entry => ({
  seq: at,
  at,
  load,
  kind: 'http',
  callId: 'c',
  stream: 'c',
  ...rest,
});

function gapsOf(entries: readonly Entry[]) {
  const observed = observe(entries, CALL);
  const comparison = { lost: 0, outOfOrder: 0, missing: [] };
  return drawWaterfall(observed, { observed } as Control, comparison).gaps;
}

describe('drawWaterfall', () => {
  const posted = own(1000, 1, { method: 'POST', status: 200 });
  const broken = own(1200, 1, { kind: 'stream-end', how: 'broken' });

  it('draws the gap of a lost connection while the page stays', () => {
    const resumed = own(1900, 1, { method: 'GET', status: 200 });
    expect(gapsOf([posted, broken, resumed])).toEqual([{ from: 200, to: 900, label: 'connection lost' }]);
  });

  it('draws a reload once, although its stream broke too', () => {
    const load: Entry = { seq: 1500, at: 1500, load: 2, kind: 'load' };
    const resumed = own(1900, 2, { method: 'GET', status: 200 });
    expect(gapsOf([posted, broken, load, resumed])).toEqual([{ from: 200, to: 500, label: 'reload' }]);
  });
});

describe('nameGaps', () => {
  const waterfall = { durationMs: 1, lanes: [], gaps: [{ from: 0, to: 1, label: 'reload' }] };

  it('calls a crash a crash, and a reload a reload', () => {
    expect(nameGaps({ name: 'tab-crash', waterfall }).waterfall.gaps[0]?.label).toBe('tab crashed');
    expect(nameGaps({ name: 'reload-mid-call', waterfall }).waterfall.gaps[0]?.label).toBe('reload');
  });
});
