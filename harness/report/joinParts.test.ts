import { describe, expect, test } from 'vitest';
import { SCENARIOS } from '../scenarios/index.ts';
import { SCHEMA_VERSION, type Report, type ScenarioResult } from './facts.ts';
import { joinParts } from './joinParts.ts';

const RETURNED = {
  givesEventIds: true,
  wasBlind: false,
  restarted: false,
  refused: false,
  resultDelivered: true,
  followedAsTask: false,
  missed: 2,
  recovered: 2,
};
const ALL: readonly ScenarioResult[] = SCENARIOS.map(({ name, interrupts }) => ({
  name,
  verdict: 'pass',
  why: '',
  ...(interrupts && { returned: RETURNED }),
}));

function part(index: number, total: number, target = 'http://a/mcp', more: Partial<Report> = {}): Report {
  const scenarios = ALL.filter(({ name }, at) => name === 'control' || at % total === index - 1);
  return {
    schemaVersion: SCHEMA_VERSION,
    target,
    server: { name: 'a', version: '1' },
    protocolVersion: '2025-11-25',
    outcome: 'A',
    grade: `reload-safe (${scenarios.length} of ${SCENARIOS.length} scenarios)`,
    scenarios,
    part: { index, total, hasSession: true, era: 'session', isBlocked: false },
    startedAt: `2026-01-01T00:00:0${index}.000Z`,
    durationMs: index * 1000,
    seed: 1,
    reprise: '0.1.0',
    ...more,
  };
}

describe('parts of a run', () => {
  test('become one report in the order of the scenarios, with the grade of all of them', () => {
    const [whole, ...others] = joinParts([part(2, 2), part(1, 2)]);
    expect(others).toEqual([]);
    expect(whole).toMatchObject({ outcome: 'A', grade: 'reload-safe', durationMs: 2000 });
    expect(whole?.startedAt).toBe('2026-01-01T00:00:01.000Z');
    expect(whole).not.toHaveProperty('part');
    expect(whole).not.toHaveProperty('incomplete');
    expect(whole?.scenarios.map(({ name }) => name)).toEqual(SCENARIOS.map(({ name }) => name));
  });

  test('of several servers stay apart, and a whole report stays as it is', () => {
    const { part: _part, ...whole } = part(1, 1, 'http://c/mcp');
    const joined = joinParts([
      part(1, 2),
      part(1, 2, 'http://b/mcp'),
      whole,
      part(2, 2, 'http://b/mcp'),
      part(2, 2),
    ]);
    expect(joined.map(({ target }) => target)).toEqual(['http://a/mcp', 'http://b/mcp', 'http://c/mcp']);
    expect(joined[2]).toBe(whole);
  });

  test('one failure counts for all', () => {
    const lost: ScenarioResult = {
      name: 'tab-crash',
      verdict: 'fail',
      why: 'Lost.',
      level: 'should',
      returned: { ...RETURNED, resultDelivered: false },
    };
    const [whole] = joinParts([part(1, 2), part(2, 2, undefined, { scenarios: [lost] })]);
    expect(whole).toMatchObject({ outcome: 'D', grade: expect.stringContaining('loses calls') });
  });

  test('one that is missing makes the report incomplete', () => {
    expect(joinParts([part(1, 3), part(3, 3)])[0]?.incomplete).toBe('Part 2 of 3 is missing.');
  });
});
