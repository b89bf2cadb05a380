import { describe, expect, it } from 'vitest';
import { CAUSE_NAMES, rankOf, type Cause } from '../judge/causes.ts';
import type { Report, ScenarioResult } from './facts.ts';
import { commandFor, evidenceOf, problemsIn, sumOf } from './problems.ts';
import { snippetsFor } from './snippets.ts';

const failed = (name: string, cause: Cause, more: Partial<ScenarioResult> = {}): ScenarioResult => ({
  name,
  verdict: 'fail',
  why: 'It failed.',
  cause,
  level: rankOf(cause).level,
  ...more,
});
const LOST = { received: 14, control: 25, lost: 11, resultDelivered: false };
const REPORT: Report = {
  schemaVersion: 1,
  target: 'http://localhost:3000/mcp',
  server: { name: 'my-server', version: '1' },
  protocolVersion: '2025-11-25',
  outcome: 'D',
  grade: 'loses calls',
  startedAt: '',
  durationMs: 1,
  seed: 1,
  reprise: '',
  tool: { name: 'countdown', args: { ticks: 12 }, why: '' },
  scenarios: [
    { name: 'cors', verdict: 'pass', why: '' },
    failed('unknown-cursor', 'unknown-event-id'),
    failed('ended-session', 'ended-session-status'),
    failed('reload-mid-call', 'no-event-ids', LOST),
    { name: 'reload-twice', verdict: 'unsupported', why: '', cause: 'no-event-ids' },
    failed('pending-question', 'no-event-ids'),
    { name: 'reload-with-task', verdict: 'unsupported', why: 'The server declares no tasks.' },
    { name: 'browser-restart', verdict: 'skipped', why: '' },
  ],
};

describe('problemsIn', () => {
  const problems = problemsIn(REPORT);

  it('makes one problem of findings with one cause, the most binding ones first', () => {
    expect(problems.map(({ shown, others }) => [shown.name, ...others.map(({ name }) => name)])).toEqual([
      ['ended-session'],
      ['reload-mid-call', 'pending-question'],
      ['unknown-cursor'],
    ]);
    const lost = failed('tab-crash', 'events-lost', { returned: { resultDelivered: false } as never });
    expect(problemsIn({ ...REPORT, scenarios: [...REPORT.scenarios, lost] })[0]?.shown.name).toBe(
      'tab-crash',
    );
  });

  it('says in one sentence what it is, and once what could not be tested because of it', () => {
    expect(problems[1]).toMatchObject({
      title: "The server sends no event IDs, so an interrupted call can't be resumed.",
      hidden: ['reload-twice'],
    });
    expect(problems[0]).toMatchObject({ title: 'It failed.', hidden: [] });
  });

  it('names the command that tests it again, with the tool and its arguments', () => {
    expect(problems[1]?.command).toBe(
      `npx mcp-reprise verify http://localhost:3000/mcp --tool countdown --args '{"ticks":12}' --scenario reload-mid-call,pending-question`,
    );
    const other = {
      ...REPORT,
      seed: 7,
      revision: 'stateless',
      withoutCors: true,
      expectError: true,
    } as const;
    expect(commandFor(other)).toContain('--expect-error --revision stateless --allow-no-cors --seed 7');
  });

  it('quotes what a shell would read otherwise', () => {
    const [problem] = problemsIn({ ...REPORT, target: "http://h/mcp?a=1&b=$(x)'" });
    expect(problem?.command).toContain(`verify 'http://h/mcp?a=1&b=$(x)'\\''' --tool`);
  });
});

describe('evidenceOf', () => {
  it('counts what was lost, and says in words what cannot be counted', () => {
    expect(evidenceOf(failed('x', 'events-lost', LOST))).toBe(
      '14 of 25 messages received, 11 lost, result not delivered',
    );
    expect(evidenceOf(failed('x', 'out-of-order', { received: 25, control: 25 }))).toBe('It failed.');
  });
});

describe('sumOf', () => {
  it('tells what a problem hides from what the server does not offer', () => {
    expect(sumOf(REPORT.scenarios).map((part) => part.join(' '))).toEqual([
      '4 failed',
      '1 passed',
      '2 not testable',
      '1 not offered',
    ]);
  });
});

describe('snippetsFor', () => {
  it('has code for both TypeScript SDKs and for Python where the fix is a setting of the transport', () => {
    for (const cause of ['no-event-ids', 'json-response', 'no-priming', 'cors'] as const) {
      expect(snippetsFor(cause).map(({ sdk }) => sdk)).toEqual([
        'TypeScript SDK v1',
        'TypeScript SDK v2',
        'Python SDK',
      ]);
    }
  });

  it('marks in each what changes', () => {
    for (const { code } of CAUSE_NAMES.flatMap(snippetsFor)) expect(code).toMatch(/^[+-] /m);
    expect(snippetsFor(undefined)).toEqual([]);
  });
});
