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
    const why = "DELETE isn't allowed, so a page can't end its session. Headers not allowed: last-event-id.";
    expect(agrees({ name: 'cors', verdict: 'fail', why })).toBe(true);
    expect(agrees({ name: 'cors', verdict: 'fail', why: 'Headers not allowed: last-event-id.' })).toBe(false);
    expect(agrees({ name: 'cors', verdict: 'pass', why: 'A page can connect.' })).toBe(false);
  });

  it('about a status agrees only with that status', () => {
    const said = (why: string) => agrees({ name: 'ended-session', verdict: 'fail', why });
    expect(said('A request in an ended session returns HTTP 400 instead of 404.')).toBe(false);
    expect(
      agrees({ name: 'ended-session', verdict: 'pass', why: 'The ended session returned HTTP 404.' }),
    ).toBe(true);
  });

  it('about a whole call disagrees where a message was lost', () => {
    const passed: ScenarioResult = { name: 'tab-crash', verdict: 'pass', why: 'All 11 messages arrived.' };
    expect(agrees(passed)).toBe(true);
    expect(agrees(passed, facts({ cut: { ...CUT, after: 7 } }))).toBe(false);
  });

  it('about silence after an unknown event ID disagrees with a stream that ends', () => {
    const why = 'An unknown Last-Event-ID returns HTTP 200 and no events, so a page would wait forever.';
    const failed: ScenarioResult = { name: 'unknown-cursor', verdict: 'fail', why };
    expect(agrees(failed)).toBe(true);
    const ended = facts({}, { unknownEventId: { status: 200, messages: 0, ended: true } });
    expect(agrees(failed, ended)).toBe(false);
  });

  const said = (remark: string, found = facts()): boolean | null | undefined =>
    compareWithRaw(
      {
        outcome: 'A',
        protocolVersion: '2025-11-25',
        scenarios: [{ name: 'repeated-request', verdict: 'pass', why: 'Once.', remarks: [remark] }],
      },
      found,
    )[2]?.agrees;

  it('of a remark about the head of the response agrees with when that head came', () => {
    const atOnce = 'The response head is sent immediately, so a browser rarely repeats a call.';
    expect(said(atOnce)).toBe(true);
    expect(said(atOnce, facts({ headMs: 2900 }))).toBe(false);
    expect(said('The response head is not sent immediately.', facts({ headMs: 2900 }))).toBe(true);
    expect(said('Something else.')).toBeUndefined();
  });

  it('of a remark about the blind window agrees with the first event', () => {
    const primed =
      'Blind window: 3 of 3000 ms, because the server sends an event ID before the first message.';
    const late = 'Blind window: 90 of 3000 ms, because the first event ID arrives with the first message.';
    const none = 'Blind window: the whole call (3000 ms), because the server sends no event IDs.';
    const json = 'Blind window: the whole call (3000 ms), because the server responds with JSON.';
    const all = (found: RawFacts) => [primed, late, none, json].map((remark) => said(remark, found));
    expect(all(facts())).toEqual([true, false, false, false]);
    expect(all(facts({ isPrimed: false }))).toEqual([false, true, false, false]);
    expect(all(facts({ givesEventIds: false }))).toEqual([false, false, true, false]);
    expect(all(facts({ response: 'json' }))).toEqual([false, false, false, true]);
  });
});
