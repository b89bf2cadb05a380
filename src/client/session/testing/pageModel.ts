/**
 * A page with its session and two calls, its disk and a server. The two machines meet as in `serverSession.ts`: a stream
 * finds out that the session is gone, the session lets the streams go. Effects are performed one by one, so that
 * everything else can happen in between.
 */
import type { ReturnCost } from '../../../log/state/connectionState.ts';
import type { Reason } from '../../../log/reasons/reason.ts';
import type { Stream } from '../../streams/stream.ts';
import { healthOf } from '../../streams/streamMachine.ts';
import { StreamModel } from '../../streams/testing/streamModel.ts';
import { NO_FAULTS, type Fault, type Scenario, type World } from '../../streams/testing/streamWorld.ts';
import type { Model, Move } from '../../testing/explore.ts';
import { newSession, next, type Session, type SessionEffect, type SessionEvent } from '../sessionMachine.ts';

const GONE: Reason = { code: 'session-ended', how: 'forgotten', status: 404 };
const LOADED: Reason = { code: 'page-loaded' };
const LEFT: Reason = { code: 'user-disconnected', how: 'connection' };
const BROKEN: Reason = { code: 'broken' };
const COST: ReturnCost = { callsLost: 0, questionsExpired: 0, hasLists: true };
/** Long after the last handshake. */
const LATER = { now: 1_000_000, random: 0 };

/** What has nothing to do with calls. */
const BESIDE = new Set<SessionEffect['kind']>(['readLists', 'followLists', 'followTasks']);

/** `standalone`: the stream that every page opens, which finds out whether the session is there. */
type Wait = 'handshake' | 'comparison' | 'explanation' | 'timer' | 'standalone' | 'goodbye';

export interface PageWorld {
  readonly streams: World;
  /** Of the page that is open. */
  readonly session?: Session;
  /** What the session has asked for, and is not done. */
  readonly effects: readonly SessionEffect[];
  readonly waits: readonly { readonly for: Wait; readonly attempt: number }[];
  /** What the disk has beside the calls. */
  readonly disk: { readonly state: Session['state']; readonly hasSession: boolean };
  /** How often the user may still disconnect. */
  readonly mayLeave: number;
}

export interface PageScenario extends Partial<Record<Fault, number>> {
  readonly calls: 1 | 2;
  /** How often the user may disconnect. */
  readonly mayLeave?: number;
  /** The session machine, so that a broken one can be put in its place. */
  readonly step?: typeof next;
}

export class PageModel implements Model<PageWorld> {
  readonly streams: StreamModel;
  readonly scenario: Scenario;
  readonly mayLeave: number;
  readonly #step: typeof next;

  constructor({ calls, mayLeave = 0, step = next, ...faults }: PageScenario) {
    this.scenario = {
      roles: calls === 1 ? ['call'] : ['call', 'call'],
      places: 2,
      keeps: true,
      faults: { ...NO_FAULTS, ...faults },
      tellsSession: true,
    };
    this.streams = new StreamModel(this.scenario);
    this.mayLeave = mayLeave;
    this.#step = step;
  }

  start(): PageWorld {
    const connecting = this.#step(newSession({ name: 'idle' }), { kind: 'connect', url: 'u' }).session;
    const session = this.#step(connecting, { kind: 'began', attempt: 1, now: 0 }).session;
    const disk = { state: session.state, hasSession: true };
    return {
      streams: this.streams.start(),
      session,
      effects: [],
      waits: [],
      disk,
      mayLeave: this.mayLeave,
    };
  }

  moves(world: PageWorld): readonly Move<PageWorld>[] {
    const moves: Move<PageWorld>[] = [];
    const add = (label: string, after: PageWorld, isFault = false) =>
      moves.push({ label, isFault, world: after });
    for (const { label, isFault, world: streams } of this.streams.moves(world.streams)) {
      if (label === 'load') add(label, this.#load(world));
      else add(label, this.#heed(world, streams), isFault);
    }
    const { session, effects, waits, mayLeave, streams } = world;
    if (!session) return moves;
    if (session.state !== world.disk.state && streams.page?.log === streams.disk)
      add('flush the state', { ...world, disk: { ...world.disk, state: session.state } });
    const [effect, ...rest] = effects;
    if (effect) add(effect.kind, this.#perform({ ...world, effects: rest }, effect));
    for (const [i, wait] of waits.entries()) {
      // The log is stored before the session is removed.
      if (wait.for === 'goodbye' && !isStored(world)) continue;
      // It's asked for again and again until the server is there.
      if (wait.for === 'standalone' && !streams.isUp) continue;
      const over = { ...world, waits: waits.filter((_, j) => j !== i) };
      add(wait.for, this.#end(over, wait));
    }
    if (mayLeave > 0)
      add(
        'disconnect',
        this.#tell({ ...world, mayLeave: mayLeave - 1 }, { kind: 'leave', reason: LEFT }),
        true,
      );
    return moves;
  }

  /** What the streams have done is told to the session, as their runner does. */
  #heed(world: PageWorld, streams: World): PageWorld {
    if (!streams.page) {
      const { session: _, ...dead } = world;
      return { ...dead, streams, effects: [], waits: [] };
    }
    const after = { ...world, streams, disk: this.#flushed(world, streams) };
    if (streams.isGone) {
      const { isGone: _, ...told } = streams;
      return this.#tell({ ...after, streams: told }, { kind: 'session-gone', reason: GONE, ...LATER });
    }
    const running = streams.page.held.map(({ stream }) => stream);
    const trouble = running.some(
      (stream) =>
        stream.name === 'waiting' && (stream.setbacks.trouble?.code ?? 'page-loaded') !== 'page-loaded',
    );
    if (trouble && after.session?.state.name === 'connected')
      return this.#tell(after, { kind: 'trouble', attempt: 1, retryAt: 0, reason: BROKEN });
    const { phase, state } = after.session ?? {};
    // Once the session is taken up, the standalone stream proves that it's there.
    const all = phase?.name === 'live' ? [...running, STANDALONE] : running;
    const isBack = state?.name === 'reconnecting' && healthOf(all) === 'well';
    return isBack ? this.#tell(after, { kind: 'healthy' }) : after;
  }

  /** The log is one: what is shown of the connection is stored with the calls. */
  #flushed(world: PageWorld, streams: World): PageWorld['disk'] {
    const isFlushed = streams.page?.log === streams.disk && world.streams.page?.log !== world.streams.disk;
    return isFlushed && world.session ? { ...world.disk, state: world.session.state } : world.disk;
  }

  #load(world: PageWorld): PageWorld {
    const { state, hasSession } = world.disk;
    const shown: PageWorld = {
      ...world,
      streams: this.streams.show(world.streams),
      session: newSession(state),
    };
    const isWanted = state.name === 'connected' || state.name === 'reconnecting';
    if (!isWanted) return shown;
    return this.#tell(
      shown,
      hasSession
        ? { kind: 'resume', how: 'streamable-http', reason: LOADED, ...LATER }
        : { kind: 'connect', url: 'u' },
    );
  }

  #tell(world: PageWorld, event: SessionEvent): PageWorld {
    if (!world.session) return world;
    const { session, effects: asked } = this.#step(world.session, event);
    const effects = asked.filter(({ kind }) => !BESIDE.has(kind));
    const isSame = session.phase === world.session.phase;
    // A new phase ends the timer of the old one, and what it has not done yet.
    const waits = isSame ? world.waits : world.waits.filter((wait) => wait.for !== 'timer');
    const told = { ...world, session: clamp(session, waits), waits };
    if (isSame && world.effects.length > 0) return { ...told, effects: [...world.effects, ...effects] };
    // The first one begins in the same turn, so nothing is stored in between.
    const [first, ...rest] = effects;
    return first ? this.#perform({ ...told, effects: rest }, first) : { ...told, effects: [] };
  }

  #perform(world: PageWorld, effect: SessionEffect): PageWorld {
    const { streams: model } = this;
    const { streams, waits } = world;
    const wait = (what: Wait, attempt = 0): PageWorld => ({
      ...world,
      waits: [...waits, { for: what, attempt }],
    });
    switch (effect.kind) {
      case 'close':
        return { ...withoutStandalone(world), streams: model.leave(streams) };
      case 'resume':
        return { ...wait('standalone'), streams: model.takeUp(streams) };
      case 'giveUp':
      case 'giveUpOldSse':
        return { ...world, streams: model.lose(streams) };
      case 'leave': {
        const left = model.lose(model.leave(streams));
        return { ...withoutStandalone(world), streams: left, waits: [{ for: 'goodbye', attempt: 0 }] };
      }
      case 'begin':
        return wait('handshake', effect.attempt);
      case 'compareLists':
        return wait('comparison');
      case 'explain':
        return wait('explanation');
      case 'startTimer':
        return wait('timer');
      default:
        return world;
    }
  }

  #end(world: PageWorld, wait: PageWorld['waits'][number]): PageWorld {
    switch (wait.for) {
      case 'handshake':
        return this.#shakeHands(world, wait.attempt);
      case 'comparison':
        return this.#tell(world, { kind: 'compared', cost: COST });
      case 'explanation':
        return this.#tell(world, { kind: 'explained', failure: { reason: BROKEN } });
      case 'timer':
        return this.#tell(world, { kind: 'timer' });
      case 'goodbye':
        return { ...world, disk: { ...world.disk, hasSession: false } };
      case 'standalone':
        return this.#tell(
          world,
          world.streams.hasSession ? { kind: 'healthy' } : { kind: 'session-gone', reason: GONE, ...LATER },
        );
    }
  }

  #shakeHands(world: PageWorld, attempt: number): PageWorld {
    const { streams, disk } = world;
    if (!streams.isUp) {
      const verdict = { name: 'no-answer', reason: { code: 'no-answer', how: 'connection' } } as const;
      const failed = { kind: 'begin-failed', attempt, error: 'e', isBlocked: false, verdict } as const;
      return this.#tell(world, { ...failed, ...LATER });
    }
    const begun = {
      ...world,
      streams: { ...streams, hasSession: true },
      disk: { ...disk, hasSession: true },
    };
    return this.#tell(begun, { kind: 'began', attempt, now: LATER.now });
  }
}

function withoutStandalone(world: PageWorld): PageWorld {
  return { ...world, waits: world.waits.filter((wait) => wait.for !== 'standalone') };
}

/** As little of it as health is read from. */
const STANDALONE = { name: 'absent', id: 's', role: 'standalone' } as Stream;

function isStored({ streams, session, disk }: PageWorld): boolean {
  return streams.page?.log === streams.disk && session?.state === disk.state;
}

const ENOUGH = 2;

/** A server may be away for any number of tries: without a limit to the counts, the states have no end. */
function clamp(session: Session, waits: PageWorld['waits']): Session {
  const { state, phase } = session;
  const isCounted = phase.name === 'beginning' || waits.some((wait) => wait.for === 'handshake');
  const shown = { attempt: 1, retryAt: 0 };
  return {
    ...session,
    failures: Math.min(session.failures, ENOUGH),
    attempts: isCounted ? session.attempts : 0,
    state: state.name === 'reconnecting' ? { ...state, ...shown } : state,
  };
}
