import { describe, expect, it } from 'vitest';
import type { Entry } from '../log/entry/entry.ts';
import { parseSegment, segmentRecord } from './records.ts';

const entries = [1, 2, 3].map((seq): Entry => ({
  seq,
  at: seq,
  load: 1,
  kind: 'received',
  stream: 's',
  method: seq === 2 ? 'notifications/message' : 'notifications/progress',
  eventId: `x${seq * 5}`,
  raw: '{}',
}));

describe('a segment', () => {
  it('gives back its entries', () => {
    expect(parseSegment(structuredClone(segmentRecord(entries)))).toEqual({ ok: true, value: entries });
  });

  it.each([
    ['shapes', []],
    ['shapes', [{ method: 'notifications/progress' }]],
    ['times', 'now'],
    ['raw', { text: 'x' }],
    ['eventIds', 5],
    ['stream', undefined],
  ])('with a run whose %s are damaged says so', (name, value) => {
    const record = segmentRecord(entries);
    const damaged = { ...record, runs: record.runs.map((run) => ({ ...run, [name]: value })) };
    expect(parseSegment(damaged)).toEqual({ ok: false, error: 'entries damaged' });
  });
});
