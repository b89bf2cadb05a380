/** Every interleaving of a user, a server and the session machine, with what its effects have started. */
import { describe, expect, it } from 'vitest';
import type { ReturnCost } from '../../log/state/connectionState.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import { explore, type Model, type Move } from '../testing/explore.ts';
import {
  isBeginning,
  newSession,
  next,
  type Session,
  type SessionEffect,
  type SessionEvent,
} from './sessionMachine.ts';

const GONE: Reason = { code: 'session-ended', how: 'forgotten', status: 404 };
const LOADED: Reason = { code: 'page-loaded' };
const LEFT: Reason = { code: 'user-disconnected', how: 'connection' };
const COST: ReturnCost = { callsLost: 0, questionsExpired: 0, hasLists: true };
const NOW = { now: 0, random: 0 };

/** What an effect has started, and what ends some time later, whatever happens to the session meanwhile. */
interface Job {
  readonly kind: 'handshake' | 'resumption' | 'comparison' | 'explanation';
  /** Of a handshake. */
  readonly attempt: number;
}

interface World {
  readonly session: Session;
  readonly jobs: readonly Job[];
  readonly hasTimer: boolean;
  readonly isConnected: boolean;
  /** What the user may still do, and how often the server may still fail. */
  readonly left: { readonly user: number; readonly faults: number };
}

const JOB_OF: Partial<Record<SessionEffect['kind'], Job['kind']>> = {
  begin: 'handshake',
  resume: 'resumption',
  compareLists: 'comparison',
  explain: 'explanation',
};

class SessionModel implements Model<World> {
  start(): World {
    const left = { user: 3, faults: 3 };
    return { session: newSession({ name: 'idle' }), jobs: [], hasTimer: false, isConnected: false, left };
  }

  moves(world: World): readonly Move<World>[] {
    const { session, jobs, hasTimer, isConnected, left } = world;
    const moves: Move<World>[] = [];
    const add = (label: string, from: World, event: SessionEvent, isFault = false) =>
      moves.push({ label, isFault, world: tell(from, event) });
    const fault = (label: string, from: World, event: SessionEvent) => {
      if (left.faults > 0) add(label, { ...from, left: { ...left, faults: left.faults - 1 } }, event, true);
    };
    if (left.user > 0) {
      const used = { ...world, left: { ...left, user: left.user - 1 } };
      add('connect', used, { kind: 'connect', url: 'u' }, true);
      add('load', used, { kind: 'resume', how: 'streamable-http', reason: LOADED, ...NOW }, true);
      add('load over HTTP+SSE', used, { kind: 'resume', how: 'old-sse', reason: LOADED, ...NOW }, true);
      add('leave', used, { kind: 'leave', reason: LEFT }, true);
    }
    jobs.forEach(({ kind, attempt }, i) => {
      const done = { ...world, jobs: jobs.filter((_, at) => at !== i) };
      switch (kind) {
        case 'handshake': {
          add('began', done, { kind: 'began', attempt, now: 0 });
          const failed = { kind: 'begin-failed', attempt, error: 'e', isBlocked: false, ...NOW } as const;
          const verdict = { name: 'no-answer', reason: { code: 'no-answer', how: 'connection' } } as const;
          fault('no answer', done, { ...failed, verdict });
          fault('rejected', done, { ...failed, verdict: undefined });
          break;
        }
        case 'resumption':
          add('healthy', done, { kind: 'healthy' });
          fault('session gone', done, { kind: 'session-gone', reason: GONE, ...NOW });
          break;
        case 'comparison':
          add('compared', done, { kind: 'compared', cost: COST });
          break;
        case 'explanation':
          add('explained', done, { kind: 'explained', failure: { reason: { code: 'broken' } } });
      }
    });
    if (hasTimer) add('timer', { ...world, hasTimer: false }, { kind: 'timer' });
    if (isConnected && session.phase.name !== 'beginning') {
      fault('session gone', world, { kind: 'session-gone', reason: GONE, ...NOW });
      fault('trouble', world, { kind: 'trouble', attempt: 1, retryAt: 0, reason: { code: 'broken' } });
      fault('login needed', world, { kind: 'login-needed', ask: 'login', reason: { code: 'unauthorized' } });
      if (session.state.name === 'reconnecting') add('healthy', world, { kind: 'healthy' });
    }
    return moves;
  }
}

/** Performs the effects as `serverSession.ts` does: a new phase ends the timer of the old one. */
function tell(world: World, event: SessionEvent): World {
  const { session, effects } = next(world.session, event);
  const hasTimer = world.hasTimer && session.phase === world.session.phase;
  let after: World = { ...world, session, hasTimer };
  for (const effect of effects) {
    const { kind } = effect;
    const job = JOB_OF[kind];
    const attempt = kind === 'begin' ? effect.attempt : 0;
    if (job) after = { ...after, jobs: [...after.jobs, { kind: job, attempt }] };
    if (kind === 'startTimer') after = { ...after, hasTimer: true };
    if (kind === 'begin' || kind === 'resume') after = { ...after, isConnected: true };
    if (kind === 'close' || kind === 'leave') after = { ...after, isConnected: false };
  }
  return after;
}

const ENDED = ['failed', 'disconnected', 'authorizing', 'idle'];

function holds({ session: { phase, state }, jobs, hasTimer, isConnected }: World): void {
  const has = (job: Job['kind']): boolean => jobs.some(({ kind }) => kind === job);
  const must = (isTrue: boolean, what: string) => {
    if (!isTrue) throw new Error(what);
  };
  must(phase.name !== 'waiting' || hasTimer, 'waits for ever');
  const isMade = jobs.some(({ kind, attempt }) => kind === 'handshake' && isBeginning(phase, attempt));
  must(phase.name !== 'beginning' || isMade, 'a handshake that nobody makes');
  must(phase.name !== 'comparing' || has('comparison'), 'lists that nobody compares');
  must(phase.name !== 'explaining' || has('explanation'), 'a failure that nobody explains');
  const isLive = phase.name === 'live';
  must(!isLive || ['connected', 'reconnecting'].includes(state.name), `live, and shown as ${state.name}`);
  must(phase.name !== 'idle' || ENDED.includes(state.name), `over, and shown as ${state.name}`);
  must(state.name !== 'connected' || phase.name !== 'idle', 'shown as connected without a session');
  must(!['idle', 'waiting', 'explaining'].includes(phase.name) || !isConnected, 'a connection nobody owns');
}

const isSettled = ({ session: { phase, state } }: World): boolean =>
  (phase.name === 'live' && state.name === 'connected') ||
  (phase.name === 'idle' && ENDED.includes(state.name));

describe('a session, whatever the user does and the server fails at', () => {
  it('is live or over in the end, and is shown as what it is', () => {
    const { worlds, stuck, path } = explore(new SessionModel(), holds);
    expect(worlds.length).toBeGreaterThan(1000);
    const [first] = stuck(isSettled);
    expect(first === undefined ? '' : `${path(first).join(' · ')}\n${JSON.stringify(worlds[first])}`).toBe(
      '',
    );
  });
});
