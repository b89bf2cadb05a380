import { describe, expect, it } from 'vitest';
import type { Report, ScenarioResult } from './facts.ts';
import { describeOther, problemsIn } from './problems.ts';

const STORE = 'Give the transport an event store.';
const failed = (name: string, fix: string, why = 'It failed.'): ScenarioResult => ({
  name,
  verdict: 'fail',
  why,
  fix,
  received: 14,
  control: 25,
  resultDelivered: false,
});
const hidden = (name: string): ScenarioResult => ({
  name,
  verdict: 'unsupported',
  why: 'The server gives no event ids: none was in the stream of the control call.',
});

describe('problemsIn', () => {
  const report = {
    target: 'http://localhost:3000/mcp',
    scenarios: [
      failed('reload-mid-call', STORE, 'The server gives no event ids, so the call is lost.'),
      hidden('reload-twice'),
      failed('pending-question', STORE),
      failed('ended-session', 'Answer with 404.'),
      { name: 'cors', verdict: 'pass', why: '' },
    ],
  } as unknown as Report;

  it('makes one problem of findings with one cause', () => {
    const [store, session, ...others] = problemsIn(report);
    expect(store).toMatchObject({
      shown: { name: 'reload-mid-call' },
      others: [{ name: 'pending-question' }],
    });
    expect(session).toMatchObject({ shown: { name: 'ended-session' }, others: [], hidden: [] });
    expect(others).toEqual([]);
  });

  it('says once what could not be tested because of it, and how to test it again', () => {
    expect(problemsIn(report)[0]).toMatchObject({
      hidden: ['reload-twice'],
      command: 'npx mcp-reprise verify http://localhost:3000/mcp --scenario reload-mid-call,pending-question',
    });
  });

  it('quotes what a shell would read otherwise', () => {
    const [problem] = problemsIn({ ...report, target: "http://h/mcp?a=1&b=$(x)'" });
    expect(problem?.command).toContain(`verify 'http://h/mcp?a=1&b=$(x)'\\''' --scenario`);
  });

  it('adds what each of the others found', () => {
    expect(describeOther(failed('tab-crash', STORE))).toBe('tab-crash (14 of 25 messages, no result)');
    expect(describeOther({ name: 'cors', verdict: 'fail', why: '' })).toBe('cors');
  });
});
