import { describe, expect, test } from 'vitest';
import { drawAnnotations } from './annotations.ts';
import { drawBadge } from './badge.ts';
import { compareReports, describeChanges } from './compareReports.ts';
import type { Report, ScenarioResult } from './facts.ts';
import { drawMarkdown } from './markdown.ts';
import { drawWaterfallText } from './waterfallText.ts';

const WATERFALL = {
  durationMs: 1600,
  lanes: [
    {
      name: 'call',
      marks: [
        { at: 0, kind: 'live', label: '' },
        { at: 400, kind: 'lost', label: '' },
        { at: 410, kind: 'replayed', label: '' },
        { at: 1600, kind: 'result', label: '' },
      ],
    },
  ],
  gaps: [{ from: 100, to: 300, label: 'reload' }],
} as const;

const LOST: ScenarioResult = {
  name: 'reload-mid-call',
  verdict: 'fail',
  why: 'Never | came',
  cause: 'events-lost',
  level: 'should',
  lost: 2,
  fix: 'Store `every` event.\nAll of them.',
  waterfall: WATERFALL,
  traces: ['out/reload-mid-call.zip'],
  returned: {
    givesEventIds: true,
    wasBlind: false,
    restarted: false,
    refused: false,
    resultDelivered: true,
    followedAsTask: false,
    missed: 2,
    recovered: 0,
  },
};
const PASSED: ScenarioResult = { name: 'tab-crash', verdict: 'pass', why: 'All came.' };

const reportOf = (scenarios: readonly ScenarioResult[], more: Partial<Report> = {}): Report => ({
  schemaVersion: 1,
  target: 'http://127.0.0.1:3000/mcp',
  server: { name: 'a::error::b', version: '1' },
  protocolVersion: '2025-11-25',
  outcome: 'A',
  grade: 'resumes, with issues',
  scenarios,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 12_000,
  seed: 1,
  reprise: '0.1.0',
  ...more,
});

test('a waterfall as text has a sign for each mark, the gap, and a legend', () => {
  const [lane = '', legend = ''] = drawWaterfallText(WATERFALL).split('\n');
  expect(lane).toHaveLength('call '.length + 64);
  expect(lane).toMatch(/^call \| +\.{9} +x +#$/);
  expect(legend).toBe('     0 to 1.6 s: | received, r replayed, # result, x lost, . reload (200 ms)');
});

describe('the summary', () => {
  test('has the problem with its waterfall, its fix and its trace, and the table, failures first', () => {
    const text = drawMarkdown([reportOf([PASSED, LOST])]);
    expect(text).toContain('## a::error::b 1: resumes, with issues');
    expect(text).toContain('```text\ncall |');
    expect(text).toContain('**Fix:** Store \\`every\\` event. All of them.');
    expect(text).toContain('Trace: `npx playwright show-trace out/reload-mid-call.zip`');
    expect(text.indexOf('| ❌ reload-mid-call')).toBeLessThan(text.indexOf('| ✅ tab-crash'));
    expect(text).toContain('Never \\| came');
  });

  test('has what is new since the last report on top', () => {
    const now = [reportOf([LOST, PASSED])];
    const before = [
      reportOf([
        { ...LOST, verdict: 'pass' },
        { ...PASSED, verdict: 'fail' },
      ]),
    ];
    const changes = compareReports(before, now);
    expect(drawMarkdown(now, changes)).toMatch(
      /^# mcp-reprise verify\n\n\*\*New failures since the last report: reload-mid-call\.\*\*\n\n\*\*Fixed [^]*tab-crash/,
    );
  });

  test("has no markup of the server's", () => {
    const evil = { ...LOST, why: '<img src=x>\n# head', exchange: exchangeWith('```\n</details><b>') };
    const text = drawMarkdown([reportOf([evil], { server: { name: '[x](http://evil)', version: '' } })]);
    expect(text).not.toMatch(/(^|[^\\])<img/);
    expect(text).not.toContain('[x](');
    expect(text).not.toMatch(/^# head/m);
    expect(text).toContain('````text\n> GET');
  });
});

const exchangeWith = (body: string) => ({
  method: 'GET',
  url: 'http://a/mcp',
  requestHeaders: {},
  status: 200,
  responseHeaders: {},
  body,
});

describe('the comparison', () => {
  test.each([
    ['a failure that passed before is new', [PASSED], [{ ...PASSED, verdict: 'fail' }], ['tab-crash'], []],
    ['one that failed before is not', [LOST], [LOST], [], []],
    ['one that was not there before is', [], [LOST], ['reload-mid-call'], []],
    ['what passes now is fixed', [LOST], [{ ...LOST, verdict: 'pass' }], [], ['reload-mid-call']],
    ['what is skipped now is not', [LOST], [{ ...LOST, verdict: 'skipped' }], [], []],
  ] as const)('%s', (_title, before, now, newFailures, fixed) => {
    // Another port of the same machine is the same server.
    const found = compareReports(
      [reportOf(before)],
      [reportOf(now, { target: 'http://localhost:4711/mcp' })],
    );
    expect(found.newFailures.map(({ scenario }) => scenario)).toEqual(newFailures);
    expect(found.fixed.map(({ scenario }) => scenario)).toEqual(fixed);
    expect(describeChanges(found)).toHaveLength(newFailures.length + fixed.length);
  });
});

test('annotations are one line each, and a server cannot add another command', () => {
  const lines = drawAnnotations([reportOf([LOST, PASSED])]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^::error title=mcp-reprise%3A a%3A%3Aerror%3A%3Ab::/);
  expect(lines[0]).toContain('%0AFix: Store `every` event.%0AAll of them.');
  const terms = { expectedFailures: ['reload-mid-call'] };
  expect(drawAnnotations([reportOf([LOST], { terms })])[0]).toMatch(/^::warning /);
  expect(drawAnnotations([reportOf([], { incomplete: 'Gone.' })])).toEqual([
    '::error title=mcp-reprise::Gone.',
  ]);
});

test.each([
  [[reportOf([PASSED], { grade: 'reload-safe' })], 'reload-safe', 'brightgreen'],
  [[reportOf([PASSED], { grade: 'reload-safe (5 of 22 scenarios)' })], 'reload-safe', 'brightgreen'],
  [[reportOf([LOST], { grade: 'loses calls', outcome: 'D' })], 'loses calls', 'red'],
  [[reportOf([PASSED], { grade: 'reload-safe' }), reportOf([LOST])], 'resumes, with issues', 'yellow'],
  [[reportOf([], { incomplete: 'Gone.', grade: 'not tested', outcome: null })], 'not reached', 'lightgrey'],
] as const)('a badge shows the worst server (%#)', (reports, message, color) => {
  expect(drawBadge(reports)).toEqual({ schemaVersion: 1, label: 'MCP page reload', message, color });
});
