import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from './entry.ts';
import { EntryBatch } from './entryBatch.ts';
import { entriesOf, entryAt, isRun } from './entryRun.ts';
import { packEntries, unpackEntries } from './packedEntries.ts';
import { upgrade } from './upgrade.ts';

const entry = fc.record(
  {
    kind: fc.constant('received' as const),
    stream: fc.constantFrom('a', 'a', 'a', 'b'),
    raw: fc.string(),
    at: fc.nat(3),
    load: fc.constantFrom(1, 1, 1, 2),
    callId: fc.constantFrom('a', 'b'),
    method: fc.constantFrom('notifications/progress', 'notifications/message', 'ping'),
    eventId: fc.oneof(
      fc.nat(5).map((n) => `e${n}`),
      fc.string(),
    ),
    replayed: fc.constant(true as const),
  },
  { requiredKeys: ['kind', 'stream', 'raw', 'at', 'load'] },
);
const note = fc.record({
  kind: fc.constant('note' as const),
  level: fc.constant('info' as const),
  reason: fc.record({ code: fc.constant('recorded' as const), text: fc.string() }),
  at: fc.nat(),
  load: fc.constant(1),
});
const entries = fc
  .array(fc.oneof({ weight: 6, arbitrary: entry }, note), { maxLength: 40 })
  .map((list): Entry[] => list.map((one, i) => ({ ...one, seq: i + 1 })));

function burst(length: number, idOf: (i: number) => string, methods = ['notifications/progress']): Entry[] {
  return Array.from({ length }, (_, i): Entry => ({
    seq: i + 1,
    at: 1,
    load: 1,
    kind: 'received',
    stream: 's',
    method: methods[i % methods.length] ?? '',
    eventId: idOf(i),
    raw: `${i}`,
  }));
}

describe('runs', () => {
  it('give back every entry as it was, also after they were packed twice', () => {
    fc.assert(
      fc.property(entries, fc.nat(40), (list, cut) => {
        const packed = [...packEntries(list.slice(0, cut)), ...list.slice(cut)];
        expect(unpackEntries(structuredClone(packEntries(packed)))).toEqual(list);
        for (const run of packEntries(list).filter(isRun)) {
          expect(entriesOf(run).map((_, i) => entryAt(run, i))).toEqual(entriesOf(run));
        }
      }),
    );
  });

  it('hold only what counts, and of each shape one sample is given', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const { others, samples } = new EntryBatch(packEntries(list));
        const counts = (one: Entry) => one.kind === 'received' && /progress|message/.test(one.method ?? '');
        expect(others.filter((one) => !counts(one))).toEqual(list.filter((one) => !counts(one)));
        const shapes = (all: readonly Entry[]) =>
          new Set(all.map((one) => (one.kind === 'received' ? `${one.method} ${one.callId}` : one.kind)));
        expect(shapes(samples)).toEqual(shapes(list));
      }),
    );
  });

  it('keep a burst as one, with event IDs that count as two values', () => {
    const [run, ...others] = packEntries(burst(500, (i) => `e${i + 8}`));
    expect(others).toEqual([]);
    expect(run).toMatchObject({ eventIds: { prefix: 'e', first: 8 }, times: [1, 500] });
  });

  it('keep a burst of two methods as one', () => {
    const mixed = burst(600, (i) => `${i}`, ['notifications/progress', 'notifications/message']);
    expect(packEntries(mixed)).toHaveLength(1);
  });

  it.each([
    ['with leading zeros', (i: number) => `0${i}`],
    ['that do not count', (i: number) => `e${i * 7}`],
    ['with another beginning', (i: number) => `${i % 2 === 0 ? 'a' : 'b'}${i}`],
  ])('give back event IDs %s', (_, idOf) => {
    const list = burst(20, idOf);
    expect(unpackEntries(packEntries(list))).toEqual(list);
  });
});

it('runs of version 4 are opened, with other messages than those that count', () => {
  const shape = { kind: 'received', stream: 's', load: 1 };
  const old = (method: string, firstSeq: number) => ({
    shape: { ...shape, method },
    firstSeq,
    at: [1, 2],
    eventId: ['e1', undefined],
    raw: ['{"a":1}', '{}'],
  });
  const upgraded = upgrade({ v: 4, runs: [old('notifications/progress', 1), old('ping', 3)] });
  const { runs } = upgraded.ok ? upgraded.value : {};
  expect(unpackEntries(runs as Entry[])).toEqual(
    ['notifications/progress', 'ping'].flatMap((method, i) => [
      { ...shape, method, seq: 2 * i + 1, at: 1, eventId: 'e1', raw: '{"a":1}' },
      { ...shape, method, seq: 2 * i + 2, at: 2, raw: '{}' },
    ]),
  );
});
