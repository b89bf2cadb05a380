/**
 * How a session is begun, resumed, replaced and left, as one table of states and events. Pure: time and chance come
 * with the events, and `serverSession.ts` performs the effects.
 */
import { assertNever } from '../../base/assertNever.ts';
import type { ConnectionState, Failure, ReturnCost } from '../../log/state/connectionState.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import { backoffMs } from '../../base/backoff.ts';
import type { Verdict } from '../exchange/classifyFailure.ts';
import type { WireName } from '../link/session.ts';
import { next as show, type ConnectionEvent } from './connectionMachine.ts';

/** A session that ends sooner than this after its handshake counts as a failed try. */
const SHORT_LIFE_MS = 10_000;
const SHORT_LIVES_BEFORE_GIVING_UP = 5;
/**
 * A request that fails while another gets through looks blocked (CORS). A connection that broke for a moment looks the
 * same, and this server could be read before: so it's believed when it happens again and again.
 */
const BLOCKED_BEFORE_BELIEVED = 3;
const OLD_SSE_ENDED: Reason = { code: 'old-sse', how: 'page-ended' };

export type Phase =
  /** Nothing is under way: not connected yet, failed, without a login, or left. */
  | { readonly name: 'idle' }
  /** A handshake is under way. `because`: it replaces a session that is over. */
  | { readonly name: 'beginning'; readonly attempt: number; readonly because?: Reason }
  /** The next handshake waits for its time. */
  | { readonly name: 'waiting'; readonly because: Reason }
  /** The new session is there, and its lists are compared with those of the old one. */
  | { readonly name: 'comparing'; readonly because: Reason }
  | { readonly name: 'resuming' }
  /** The handshake failed, and the page finds out why. */
  | { readonly name: 'explaining' }
  | { readonly name: 'live' };

export interface Session {
  /** As it is shown. */
  readonly state: ConnectionState;
  readonly phase: Phase;
  /** Sessions in a row that ended right after their handshake. */
  readonly shortLives: number;
  /** Handshakes so far: what an earlier one reports late is of the past. */
  readonly attempts: number;
  /** Handshakes in a row that failed. */
  readonly failures: number;
  /** When a session was last replaced. */
  readonly begunAt: number;
}

/** When it happened, and a number from 0 to 1 that spreads the next try. */
export interface Moment {
  readonly now: number;
  readonly random: number;
}

export type SessionEvent =
  | { readonly kind: 'connect'; readonly url: string }
  /** A new page takes a stored session up. */
  | (Moment & { readonly kind: 'resume'; readonly how: WireName; readonly reason: Reason })
  | { readonly kind: 'began'; readonly attempt: number; readonly now: number }
  /** `isBlocked`: the server responds, but the page may not read it. */
  | (Moment & {
      readonly kind: 'begin-failed';
      readonly attempt: number;
      readonly error: unknown;
      readonly verdict: Verdict | undefined;
      readonly isBlocked: boolean;
    })
  | { readonly kind: 'compared'; readonly cost: ReturnCost }
  | (Moment & { readonly kind: 'session-gone'; readonly reason: Reason })
  /** `reason`: what a reload meant for the calls. */
  | { readonly kind: 'healthy'; readonly reason?: Reason }
  | { readonly kind: 'trouble'; readonly attempt: number; readonly retryAt: number; readonly reason: Reason }
  | { readonly kind: 'login-needed'; readonly ask: 'login' | 'client'; readonly reason: Reason }
  | { readonly kind: 'explained'; readonly failure: Failure }
  | { readonly kind: 'timer' }
  | { readonly kind: 'leave'; readonly reason: Reason };

export type SessionEffect =
  /** Lets the connection go; the session stays on the server. */
  | { readonly kind: 'close' }
  /** Shakes hands, and stores the new session. */
  | { readonly kind: 'begin'; readonly attempt: number }
  /** Opens the stored session, with what was open in it. */
  | { readonly kind: 'resume' }
  /** Nothing that the old session has begun can end. */
  | { readonly kind: 'giveUp'; readonly reason: Reason }
  | { readonly kind: 'giveUpOldSse'; readonly reason: Reason }
  | { readonly kind: 'readLists' }
  | { readonly kind: 'compareLists' }
  /** Reads the lists again where they may have changed. */
  | { readonly kind: 'followLists' }
  | { readonly kind: 'followTasks' }
  | { readonly kind: 'startTimer'; readonly delayMs: number }
  | { readonly kind: 'explain'; readonly error: unknown }
  /** Ends everything that is open, the session and what is stored of it. */
  | { readonly kind: 'leave' };

export interface SessionStep {
  readonly session: Session;
  readonly effects: readonly SessionEffect[];
}

export const newSession = (state: ConnectionState): Session => ({
  state,
  phase: { name: 'idle' },
  shortLives: 0,
  attempts: 0,
  failures: 0,
  begunAt: -Infinity,
});

export function next(session: Session, event: SessionEvent): SessionStep {
  const { phase } = session;
  switch (event.kind) {
    case 'connect':
      return begin(shown(session, { type: 'connect', url: event.url }), undefined, CLOSE);
    case 'resume':
      return resume(session, event);
    case 'began':
      return isBeginning(phase, event.attempt) ? began(session, phase, event.now) : stay(session);
    case 'begin-failed':
      return isBeginning(phase, event.attempt) ? beginFailed(session, phase, event) : stay(session);
    case 'compared': {
      if (phase.name !== 'comparing') return stay(session);
      const restarted = { type: 'restarted', reason: phase.because, cost: event.cost } as const;
      return step(session, { name: 'live' }, restarted);
    }
    case 'session-gone':
      // Several requests of one session are told that it's gone: the first is enough.
      if (!isUnderWay(phase)) return stay(session);
      return replace(session, phase.name === 'comparing' ? phase.because : event.reason, event);
    case 'healthy': {
      if (phase.name !== 'live' && phase.name !== 'resuming') return stay(session);
      const { reason } = event;
      const cameBack = { type: 'came-back', ...(reason && { reason }) } as const;
      const live = phase.name === 'live' ? phase : ({ name: 'live' } as const);
      return step(session, live, cameBack, { kind: 'followLists' });
    }
    case 'trouble': {
      const { kind: _, ...trouble } = event;
      return step(session, phase, { type: 'trouble', ...trouble });
    }
    case 'login-needed': {
      const { ask, reason } = event;
      return step(session, { name: 'idle' }, { type: 'authorize', ask, reason }, CLOSE);
    }
    case 'explained':
      // The user has left or tried again meanwhile: it's an explanation of the past.
      if (phase.name !== 'explaining') return stay(session);
      return step(session, { name: 'idle' }, { type: 'failed', ...event.failure });
    case 'timer':
      if (phase.name !== 'waiting') return stay(session);
      return begin(session, phase.because);
    case 'leave': {
      const left = { type: 'disconnected', reason: event.reason } as const;
      return step(session, { name: 'idle' }, left, { kind: 'leave' });
    }
    default:
      return assertNever(event);
  }
}

const CLOSE: SessionEffect = { kind: 'close' };
const FOLLOW_TASKS: SessionEffect = { kind: 'followTasks' };

function resume(session: Session, event: SessionEvent & { kind: 'resume' }): SessionStep {
  const { how, reason, now } = event;
  if (how === 'old-sse') {
    // The session has ended with the page that had it.
    return replace(shown(session, { type: 'come-back', reason, now }), OLD_SSE_ENDED, event, 'giveUpOldSse');
  }
  return step(session, { name: 'resuming' }, { type: 'come-back', reason, now }, CLOSE, { kind: 'resume' });
}

type Beginning = Phase & { name: 'beginning' };

/** Is this handshake still wanted? The user may have left, or begun another one, while it was under way. */
export function isBeginning(phase: Phase, attempt: number): phase is Beginning {
  return phase.name === 'beginning' && phase.attempt === attempt;
}

function begin(
  session: Session,
  because: Reason | undefined,
  ...before: readonly SessionEffect[]
): SessionStep {
  const attempt = session.attempts + 1;
  return {
    session: {
      ...session,
      attempts: attempt,
      phase: { name: 'beginning', attempt, ...(because && { because }) },
    },
    effects: [...before, { kind: 'begin', attempt }],
  };
}

function began(session: Session, { because }: Beginning, now: number): SessionStep {
  if (!because) {
    const fresh = { ...session, failures: 0 };
    return step(fresh, { name: 'live' }, { type: 'handshake-done' }, FOLLOW_TASKS, { kind: 'readLists' });
  }
  return {
    session: { ...session, phase: { name: 'comparing', because }, failures: 0, begunAt: now },
    effects: [FOLLOW_TASKS, { kind: 'compareLists' }],
  };
}

function beginFailed(
  session: Session,
  { because }: Beginning,
  { error, verdict, isBlocked, now, random }: SessionEvent & { kind: 'begin-failed' },
): SessionStep {
  const failures = session.failures + 1;
  const isSurelyBlocked = isBlocked && failures >= BLOCKED_BEFORE_BELIEVED;
  const mayPass = verdict?.name === 'retry' || (verdict?.name === 'no-answer' && !isSurelyBlocked);
  if (!because || !mayPass) {
    return {
      session: { ...session, phase: { name: 'explaining' } },
      effects: [CLOSE, { kind: 'explain', error }],
    };
  }
  const delayMs = backoffMs(failures, 'calm', random);
  const trouble = { attempt: failures, retryAt: now + delayMs, reason: verdict.reason };
  return step(
    { ...session, failures },
    { name: 'waiting', because },
    { type: 'trouble', ...trouble },
    CLOSE,
    { kind: 'startTimer', delayMs },
  );
}

/** A new session: at once or, if the server forgets them as fast as they are begun, later. */
function replace(
  session: Session,
  because: Reason,
  { now, random }: Moment,
  giveUp: 'giveUp' | 'giveUpOldSse' = 'giveUp',
): SessionStep {
  const shortLives = now - session.begunAt < SHORT_LIFE_MS ? session.shortLives + 1 : 0;
  const lost: readonly SessionEffect[] = [CLOSE, { kind: giveUp, reason: because }];
  if (shortLives >= SHORT_LIVES_BEFORE_GIVING_UP) {
    const forgotten: Failure = { reason: { code: 'sessions-forgotten', because } };
    return step({ ...session, shortLives: 0 }, { name: 'idle' }, { type: 'failed', ...forgotten }, ...lost);
  }
  if (shortLives === 0) {
    const reason: Reason =
      giveUp === 'giveUp' ? { ...because, so: 'new-session' } : reasonOf(session, because);
    const comeBack = { type: 'come-back', reason, now } as const;
    return begin(shown({ ...session, shortLives }, comeBack), because, ...lost);
  }
  const delayMs = backoffMs(shortLives, 'calm', random);
  const trouble = { attempt: shortLives + 1, retryAt: now + delayMs, reason: because };
  return step(
    { ...session, shortLives },
    { name: 'waiting', because },
    { type: 'trouble', ...trouble },
    ...lost,
    { kind: 'startTimer', delayMs },
  );
}

/** There is a session that can be over. */
function isUnderWay({ name }: Phase): boolean {
  return name === 'live' || name === 'resuming' || name === 'comparing';
}

function reasonOf({ state }: Session, otherwise: Reason): Reason {
  return state.name === 'reconnecting' ? state.reason : otherwise;
}

function stay(session: Session): SessionStep {
  return { session, effects: [] };
}

function shown(session: Session, event: ConnectionEvent): Session {
  return { ...session, state: show(session.state, event) };
}

function step(
  session: Session,
  phase: Phase,
  event: ConnectionEvent,
  ...effects: readonly SessionEffect[]
): SessionStep {
  return { session: { ...shown(session, event), phase }, effects };
}
