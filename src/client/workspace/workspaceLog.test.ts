import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SavedServer } from '../settings/savedServer.ts';
import { appendEntries, describeListChange, forgetNames, parseWorkspaceEntries } from './workspaceLog.ts';

const one: SavedServer = { id: '1', name: 'one', url: 'http://a.example/', addedBy: 'typed' };
const two: SavedServer = { id: '2', name: 'two', url: 'http://b.example/' };
const hidden = { ...two, forgottenAt: 5 };

describe('a change of the list', () => {
  // oxfmt-ignore
  const cases: [string, readonly SavedServer[], readonly SavedServer[], string | undefined, readonly object[]][] = [
    ['that adds a server says how', [], [one], undefined, [{ serverId: '1', server: 'one', change: { name: 'added', by: 'typed' } }]],
    ['that renames a server has both names', [one], [{ ...one, name: 'uno' }], undefined, [{ server: 'uno', change: { name: 'renamed', from: 'one' } }]],
    ['that moves a server has both places', [one, two], [two, one], '2', [{ server: 'two', change: { name: 'moved', from: 1, to: 0 } }]],
    ['that hides a server removes it', [one, two], [one, hidden], undefined, [{ server: 'two', change: { name: 'removed' } }]],
    ['that removes a hidden server is none', [one, hidden], [one], undefined, []],
    ['that removes a server at once', [one], [], undefined, [{ server: 'one', change: { name: 'removed' } }]],
    ['that takes a removal back', [one, hidden], [one, two], undefined, [{ server: 'two', change: { name: 'restored' } }]],
    ['of an address or a setting is none', [one], [{ ...one, url: two.url, timeoutMs: 5 }], undefined, []],
  ];
  it.each(cases)('%s', (_, before, after, moved, entries) => {
    expect(describeListChange(before, after, moved)).toMatchObject(entries);
  });
});

const change = fc.oneof(
  fc.constantFrom(
    { name: 'added' },
    { name: 'added', by: 'link' },
    { name: 'removed' },
    { name: 'restored' },
  ),
  fc.record({ name: fc.constant('renamed'), from: fc.string() }),
  fc.record({ name: fc.constant('moved'), from: fc.nat(), to: fc.nat() }),
);

it('reads back what it stores, numbered without a gap, the newest 500', () => {
  const added = fc.array(fc.record({ serverId: fc.string(), server: fc.string(), change }));
  fc.assert(
    fc.property(fc.array(added, { maxLength: 5 }), (batches) => {
      let stored = parseWorkspaceEntries(undefined);
      for (const batch of batches) stored = appendEntries(stored, batch, 7);
      expect(parseWorkspaceEntries(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
      expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, i) => (stored[0]?.seq ?? 1) + i));
    }),
  );
  const many = Array.from({ length: 600 }, () => describeListChange([], [one])).flat();
  expect(appendEntries([], many, 7).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 500 }, (_, i) => 101 + i),
  );
});

it('keeps no name of a server that is gone for good', () => {
  const renamed = [
    ...describeListChange([], [one, two]),
    ...describeListChange([one], [{ ...one, name: 'uno' }]),
  ];
  const stored = appendEntries([], renamed, 7);
  expect(forgetNames(stored, [one, hidden])).toEqual(stored);
  const left = JSON.stringify(forgetNames(stored, [two]));
  expect(left).not.toMatch(/one|uno/);
  expect(left).toContain('two');
});

it('passes over what it does not know', () => {
  const known = { seq: 1, at: 2, serverId: '1', server: 'one', change: { name: 'removed' } };
  const damaged = [5, {}, { ...known, change: { name: 'painted' } }, { ...known, seq: 'x' }];
  expect(parseWorkspaceEntries([...damaged, known])).toEqual([known]);
});
