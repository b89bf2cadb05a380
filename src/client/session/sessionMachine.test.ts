import { describe, expect, it, test } from 'vitest';
import type { ConnectionState, ReturnCost } from '../../log/state/connectionState.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { Verdict } from '../exchange/classifyFailure.ts';
import { newSession, next, type Phase, type Session, type SessionEvent } from './sessionMachine.ts';

const GONE = { code: 'session-ended', how: 'forgotten', status: 404 } as const;
const LOADED: Reason = { code: 'page-loaded' };
const OLD_SSE: Reason = { code: 'old-sse', how: 'page-ended' };
const NO_ANSWER: Verdict = { name: 'no-answer', reason: { code: 'no-answer', how: 'connection' } };
const COST: ReturnCost = { callsLost: 1, questionsExpired: 0, hasLists: true };
const NOW = { now: 100_000, random: 0.5 };
const ERROR = new Error('fetch failed');

const CONNECTED: ConnectionState = { name: 'connected', how: 'fresh' };
const BACK: ConnectionState = { name: 'reconnecting', attempt: 1, retryAt: 1, reason: LOADED };

const phases = {
  idle: { name: 'idle' },
  connecting: { name: 'beginning', attempt: 1 },
  replacing: { name: 'beginning', attempt: 1, because: GONE },
  waiting: { name: 'waiting', because: GONE },
  comparing: { name: 'comparing', because: GONE },
  resuming: { name: 'resuming' },
  explaining: { name: 'explaining' },
  live: { name: 'live' },
} as const satisfies Record<string, Phase>;
type PhaseName = keyof typeof phases;

const states: Record<PhaseName, ConnectionState> = {
  idle: { name: 'idle' },
  connecting: { name: 'connecting', url: 'u' },
  replacing: BACK,
  waiting: BACK,
  comparing: BACK,
  resuming: BACK,
  explaining: { name: 'connecting', url: 'u' },
  live: CONNECTED,
};

const at = (phase: PhaseName, more: Partial<Session> = {}): Session => ({
  ...newSession(states[phase]),
  phase: phases[phase],
  ...more,
});

const events = {
  connect: { kind: 'connect', url: 'u' },
  resume: { kind: 'resume', how: 'streamable-http', reason: LOADED, ...NOW },
  'resume over HTTP+SSE': { kind: 'resume', how: 'old-sse', reason: LOADED, ...NOW },
  began: { kind: 'began', attempt: 1, now: NOW.now },
  'began: an earlier one': { kind: 'began', attempt: 0, now: NOW.now },
  'begin-failed: an earlier one': {
    kind: 'begin-failed',
    attempt: 0,
    error: ERROR,
    verdict: NO_ANSWER,
    isBlocked: false,
    ...NOW,
  },
  'begin-failed: no answer': {
    kind: 'begin-failed',
    attempt: 1,
    error: ERROR,
    verdict: NO_ANSWER,
    isBlocked: false,
    ...NOW,
  },
  'begin-failed: blocked': {
    kind: 'begin-failed',
    attempt: 1,
    error: ERROR,
    verdict: NO_ANSWER,
    isBlocked: true,
    ...NOW,
  },
  'begin-failed: may pass': {
    kind: 'begin-failed',
    attempt: 1,
    error: ERROR,
    verdict: { name: 'retry', reason: { code: 'broken' } } as Verdict,
    isBlocked: false,
    ...NOW,
  },
  'begin-failed: for good': {
    kind: 'begin-failed',
    attempt: 1,
    error: ERROR,
    verdict: undefined,
    isBlocked: false,
    ...NOW,
  },
  compared: { kind: 'compared', cost: COST },
  'session-gone': { kind: 'session-gone', reason: GONE, ...NOW },
  healthy: { kind: 'healthy' },
  trouble: { kind: 'trouble', attempt: 3, retryAt: 7, reason: { code: 'broken' } },
  'login-needed': { kind: 'login-needed', ask: 'login', reason: { code: 'unauthorized' } },
  explained: { kind: 'explained', failure: { reason: { code: 'broken' } } },
  timer: { kind: 'timer' },
  leave: { kind: 'leave', reason: { code: 'user-disconnected', how: 'connection' } },
} as const satisfies Record<string, SessionEvent>;

/** The phase and the state after it, and the effects; an event that is missing in a phase changes nothing there. */
type Row = readonly [event: keyof typeof events, phase: string, state: string, effects: string];

const anywhere: readonly Row[] = [
  ['connect', 'beginning', 'connecting', 'close begin'],
  ['resume', 'resuming', 'reconnecting', 'close resume'],
  ['resume over HTTP+SSE', 'beginning', 'reconnecting', 'close giveUpOldSse begin'],
  ['login-needed', 'idle', 'authorizing', 'close'],
  ['leave', 'idle', 'disconnected', 'leave'],
];

const replaced: Row = ['session-gone', 'beginning', 'reconnecting', 'close giveUp begin'];
const failedForGood: Row = ['begin-failed: for good', 'explaining', '=', 'close explain'];

const table: Record<PhaseName, readonly Row[]> = {
  idle: [],
  connecting: [
    ['began', 'live', 'connected', 'followTasks readLists'],
    ['begin-failed: no answer', 'explaining', '=', 'close explain'],
    ['begin-failed: may pass', 'explaining', '=', 'close explain'],
    ['begin-failed: blocked', 'explaining', '=', 'close explain'],
    failedForGood,
  ],
  replacing: [
    ['began', 'comparing', '=', 'followTasks compareLists'],
    ['begin-failed: no answer', 'waiting', 'reconnecting', 'close startTimer'],
    ['begin-failed: may pass', 'waiting', 'reconnecting', 'close startTimer'],
    ['begin-failed: blocked', 'waiting', 'reconnecting', 'close startTimer'],
    failedForGood,
    ['trouble', 'beginning', 'reconnecting', ''],
  ],
  waiting: [
    ['timer', 'beginning', '=', 'begin'],
    ['trouble', 'waiting', 'reconnecting', ''],
  ],
  comparing: [['compared', 'live', 'connected', ''], replaced, ['trouble', 'comparing', 'reconnecting', '']],
  resuming: [
    ['healthy', 'live', 'connected', 'followLists'],
    replaced,
    ['trouble', 'resuming', 'reconnecting', ''],
  ],
  explaining: [['explained', 'idle', 'failed', '']],
  live: [['healthy', 'live', '=', 'followLists'], replaced, ['trouble', 'live', 'reconnecting', '']],
};

describe.each(Object.keys(phases) as PhaseName[])('while %s', (phase) => {
  const rows = [...table[phase], ...anywhere];
  it.each(Object.keys(events) as (keyof typeof events)[])('%s', (name) => {
    const before = at(phase);
    const { session, effects } = next(before, events[name]);
    const row = rows.find(([event]) => event === name);
    if (!row) {
      expect(session.phase).toBe(before.phase);
      expect(session.state).toBe(before.state);
      expect(effects).toEqual([]);
      return;
    }
    const [, nextPhase, state, kinds] = row;
    expect(session.phase.name).toBe(nextPhase);
    if (state === '=') expect(session.state).toBe(before.state);
    else expect(session.state.name).toBe(state);
    expect(effects.map(({ kind }) => kind).join(' ')).toBe(kinds);
  });
});

describe('the data of a step', () => {
  const stepOf = (phase: PhaseName, name: keyof typeof events, more: Partial<Session> = {}) =>
    next(at(phase, more), events[name]);

  test('a new page shows why it reconnects', () => {
    expect(stepOf('idle', 'resume').session.state).toEqual({
      name: 'reconnecting',
      attempt: 1,
      retryAt: NOW.now,
      reason: LOADED,
    });
  });

  test('a page that finds HTTP+SSE shows why it was loaded, and gives up what the session had', () => {
    const { session, effects } = stepOf('idle', 'resume over HTTP+SSE');
    expect(session.state).toMatchObject({ name: 'reconnecting', reason: LOADED });
    expect(session.phase).toEqual({ name: 'beginning', attempt: 1, because: OLD_SSE });
    expect(effects).toContainEqual({ kind: 'giveUpOldSse', reason: OLD_SSE });
  });

  test('a session that is gone is replaced at once, and the state says so', () => {
    const { session, effects } = stepOf('live', 'session-gone');
    expect(session).toMatchObject({
      state: { name: 'reconnecting', attempt: 1, retryAt: NOW.now, reason: { ...GONE, so: 'new-session' } },
      phase: { name: 'beginning', attempt: 1, because: GONE },
      shortLives: 0,
    });
    expect(effects).toContainEqual({ kind: 'giveUp', reason: GONE });
  });

  test('one that ends while its lists are compared keeps the first reason', () => {
    const event = { kind: 'session-gone', reason: { code: 'broken' }, ...NOW } as const;
    expect(next(at('comparing'), event).session.phase).toEqual({
      name: 'beginning',
      attempt: 1,
      because: GONE,
    });
  });

  test('a new session clears the count of failed handshakes, and starts its life', () => {
    expect(stepOf('replacing', 'began', { failures: 4 }).session).toMatchObject({
      phase: { name: 'comparing', because: GONE },
      failures: 0,
      begunAt: NOW.now,
    });
  });

  test('the first session of a page has no life to count', () => {
    expect(stepOf('connecting', 'began').session.begunAt).toBe(-Infinity);
  });

  test('each failed handshake is waited for a little longer', () => {
    const { session, effects } = stepOf('replacing', 'begin-failed: no answer', { failures: 2 });
    const [, timer] = effects;
    expect(timer).toEqual({ kind: 'startTimer', delayMs: 1000 });
    expect(session).toMatchObject({
      phase: { name: 'waiting', because: GONE },
      failures: 3,
      state: { name: 'reconnecting', attempt: 3, retryAt: NOW.now + 1000, reason: NO_ANSWER.reason },
    });
  });

  test('a server that could be read is blocked only if it seems so three times in a row', () => {
    const phases = [0, 1, 2].map(
      (failures) => stepOf('replacing', 'begin-failed: blocked', { failures }).session.phase.name,
    );
    expect(phases).toEqual(['waiting', 'waiting', 'explaining']);
  });

  test('what can’t pass is explained by its error', () => {
    expect(stepOf('connecting', 'begin-failed: for good').effects).toContainEqual({
      kind: 'explain',
      error: ERROR,
    });
  });

  test('a restart says why and what it cost', () => {
    expect(stepOf('comparing', 'compared').session.state).toEqual({
      name: 'connected',
      how: 'restarted',
      reason: GONE,
      cost: COST,
    });
  });

  test('a resumed page says what the reload meant', () => {
    const reason: Reason = { code: 'reloaded', how: 'call' };
    expect(next(at('resuming'), { kind: 'healthy', reason }).session.state).toEqual({
      name: 'connected',
      how: 'resumed',
      reason,
    });
    expect(next(at('resuming'), { kind: 'healthy' }).session.state).not.toHaveProperty('reason');
  });

  test('the timer goes on for the same reason', () => {
    expect(stepOf('waiting', 'timer').session.phase).toEqual({
      name: 'beginning',
      attempt: 1,
      because: GONE,
    });
  });

  test('a login, a failure, trouble and a farewell are shown as they are', () => {
    expect(stepOf('live', 'login-needed').session.state).toEqual({
      name: 'authorizing',
      ask: 'login',
      reason: { code: 'unauthorized' },
    });
    expect(stepOf('explaining', 'explained').session.state).toEqual({
      name: 'failed',
      reason: { code: 'broken' },
    });
    expect(stepOf('live', 'trouble').session.state).toEqual({
      name: 'reconnecting',
      attempt: 3,
      retryAt: 7,
      reason: { code: 'broken' },
    });
    expect(stepOf('live', 'leave').session.state).toEqual({
      name: 'disconnected',
      reason: { code: 'user-disconnected', how: 'connection' },
    });
  });

  test('a session that is well stays the same one', () => {
    const before = at('live');
    expect(next(before, { kind: 'healthy' }).session.phase).toBe(before.phase);
  });
});

/** A server that forgets each session after `livesMs`, on a clock that jumps from event to event. */
function forgetfulServer(livesMs: number, untilMs: number) {
  let now = 0;
  let session = at('live');
  const begun: number[] = [];
  const due: { readonly at: number; readonly event: () => SessionEvent }[] = [];
  const gone = (): SessionEvent => ({ kind: 'session-gone', reason: GONE, now, random: 0.5 });
  const tell = (event: SessionEvent): void => {
    const step = next(session, event);
    ({ session } = step);
    for (const effect of step.effects) {
      if (effect.kind === 'begin') {
        begun.push(now);
        due.push({ at: now + livesMs, event: gone });
        tell({ kind: 'began', attempt: effect.attempt, now });
      } else if (effect.kind === 'compareLists') tell({ kind: 'compared', cost: COST });
      else if (effect.kind === 'startTimer')
        due.push({ at: now + effect.delayMs, event: () => ({ kind: 'timer' }) });
    }
  };
  tell(gone());
  for (;;) {
    const first = due.sort((a, b) => a.at - b.at).shift();
    if (!first || first.at > untilMs) return { session, begun };
    now = first.at;
    tell(first.event());
  }
}

describe('a server that forgets its sessions', () => {
  it('right after the handshake gets a few, ever more slowly, and then the reason is told', () => {
    const { session, begun } = forgetfulServer(10, 60_000);
    const pauses = begun.slice(1).map((time, i) => time - (begun[i] ?? 0));
    expect(pauses).toEqual([260, 510, 1010, 2010]);
    expect(session).toMatchObject({
      state: { name: 'failed', reason: { code: 'sessions-forgotten', because: GONE } },
      phase: { name: 'idle' },
      shortLives: 0,
    });
  });

  it('every minute gets a new one at once, for ever', () => {
    const { begun } = forgetfulServer(60_000, 600_000);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => n * 60_000));
  });

  it('after ten seconds gets a new one at once, too', () => {
    expect(forgetfulServer(10_000, 50_000).begun).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
    expect(forgetfulServer(9_999, 11_000).begun).toEqual([0, 10_249]);
  });

  it('is shown to try again, with the time of the next try', () => {
    const before = at('live', { begunAt: NOW.now - 1, shortLives: 1 });
    const { session, effects } = next(before, events['session-gone']);
    expect(session).toMatchObject({
      shortLives: 2,
      phase: { name: 'waiting', because: GONE },
      state: { name: 'reconnecting', attempt: 3, retryAt: NOW.now + 500, reason: GONE },
    });
    expect(effects.map(({ kind }) => kind)).toEqual(['close', 'giveUp', 'startTimer']);
  });
});
