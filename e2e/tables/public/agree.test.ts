import { describe, expect, it } from 'vitest';
import type { ScenarioResult } from '../../../harness/report/facts.ts';
import { compareWithRaw, letterFrom } from './agree.ts';
import type { CallFacts, CutFacts, RawFacts, SessionFacts } from './rawFacts.ts';

const CUT: CutFacts = {
  before: 3,
  resumed: 200,
  after: 8,
  again: 0,
  result: true,
  stalled: false,
  ping: 200,
};
const CALL: CallFacts = {
  response: 'stream',
  headMs: 10,
  durationMs: 3000,
  messages: 11,
  isError: false,
  givesEventIds: true,
  isPrimed: true,
  cut: CUT,
};
const facts = (call: Partial<CallFacts> = {}, session: Partial<SessionFacts> = {}): RawFacts => ({
  speaksStateless: false,
  declaresTasks: false,
  session: {
    protocolVersion: '2025-11-25',
    hasSession: true,
    declaresTasks: false,
    get: 200,
    call: { ...CALL, ...call },
    ended: { deleted: 200, then: 404, hasNewId: false },
    unknownEventId: { status: 200, messages: 0, ended: false },
    ...session,
  },
  cors: {
    preflight: 204,
    preflightOrigin: '*',
    allowMethods: 'GET,POST',
    allowed: ['content-type', 'mcp-protocol-version', 'mcp-session-id'],
    refused: ['last-event-id', 'mcp-method', 'mcp-name'],
    actual: 200,
    actualOrigin: '*',
    exposes: 'mcp-session-id',
  },
});

describe('the letter that raw HTTP shows', () => {
  it.each<[string, RawFacts, string | null]>([
    ['replayed with its result', facts(), 'A'],
    ['no event ID before the first message', facts({ isPrimed: false }), 'D'],
    ['no event IDs and no result', facts({ givesEventIds: false, cut: { ...CUT, result: false } }), 'D'],
    ['a resume that is rejected', facts({ cut: { ...CUT, resumed: 405, result: false } }), 'E'],
    ['a session that is gone', facts({ cut: { ...CUT, result: false, ping: 404 } }), 'B'],
    ['no session', facts({}, { hasSession: false }), 'S'],
    ['a result without what came before it', facts({ givesEventIds: false }), null],
  ])('%s', (_name, found, letter) => {
    expect(letterFrom(found, false)).toBe(letter);
  });

  it('is none for a call that was never cut', () => {
    const { cut: _cut, ...call } = CALL;
    expect(letterFrom(facts({}, { call }), false)).toBeNull();
  });
});

describe('a sentence', () => {
  const agrees = (result: ScenarioResult, found = facts()): boolean | null | undefined =>
    compareWithRaw({ outcome: 'A', protocolVersion: '2025-11-25', scenarios: [result] }, found)[1]?.agrees;

  it('that names every CORS header and no other agrees', () => {
    const why =
      'A page may not send DELETE, so it cannot end its session. A page may not send last-event-id.';
    expect(agrees({ name: 'cors', verdict: 'fail', why })).toBe(true);
    expect(agrees({ name: 'cors', verdict: 'fail', why: 'A page may not send last-event-id.' })).toBe(false);
    expect(agrees({ name: 'cors', verdict: 'pass', why: 'A page may connect.' })).toBe(false);
  });

  it('about a status agrees only with that status', () => {
    const said = (why: string) => agrees({ name: 'ended-session', verdict: 'fail', why });
    expect(said('A request of an ended session gets 400 instead of 404.')).toBe(false);
    expect(agrees({ name: 'ended-session', verdict: 'pass', why: 'The ended session got 404.' })).toBe(true);
  });

  it('about a whole call disagrees where a message was lost', () => {
    const passed: ScenarioResult = { name: 'tab-crash', verdict: 'pass', why: 'All 11 messages came.' };
    expect(agrees(passed)).toBe(true);
    expect(agrees(passed, facts({ cut: { ...CUT, after: 7 } }))).toBe(false);
  });

  it('about silence after an unknown event ID disagrees with a stream that ends', () => {
    const why = 'A position that does not exist gets 200 and silence: a page would wait for ever.';
    const failed: ScenarioResult = { name: 'unknown-cursor', verdict: 'fail', why };
    expect(agrees(failed)).toBe(true);
    const ended = facts({}, { unknownEventId: { status: 200, messages: 0, ended: true } });
    expect(agrees(failed, ended)).toBe(false);
  });

  it('of a remark about the head of the response agrees with when that head came', () => {
    const said = (remark: string, found = facts()): boolean | null | undefined =>
      compareWithRaw(
        {
          outcome: 'A',
          protocolVersion: '2025-11-25',
          scenarios: [{ name: 'repeated-request', verdict: 'pass', why: 'Once.', remarks: [remark] }],
        },
        found,
      )[2]?.agrees;
    const atOnce = 'The head of the response is sent at once, so a browser rarely repeats a call.';
    expect(said(atOnce)).toBe(true);
    expect(said(atOnce, facts({ headMs: 2900 }))).toBe(false);
    expect(said('The head of the response is not sent at once.', facts({ headMs: 2900 }))).toBe(true);
    expect(said('Something else.')).toBeUndefined();
  });
});
