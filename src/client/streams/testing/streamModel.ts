/**
 * A page, its storage and a server, as small as they can be and still lose things: every interleaving of what they do is
 * explored breadth-first. The streams are moved by the machine alone; the model only performs its effects.
 */
import type { Effect, End, Policy, Setbacks, Stream, StreamEvent, Via } from '../stream.ts';
import { begin, canYield, next, restore } from '../streamMachine.ts';
import type { Model, Move } from '../../testing/explore.ts';
import { POLICY } from '../streamSamples.ts';

export interface Scenario {
  readonly roles: readonly ('call' | 'standalone')[];
  /** Browser connections that the streams share. */
  readonly places: number;
  /** Does the server store events, and replay them? */
  readonly keeps: boolean;
  /** Replays from the first event, whatever it is asked for. */
  readonly overReplays?: boolean;
  /** Answers a resume of the standalone stream with 200, and then nothing for ever. */
  readonly deaf?: boolean;
  /** Sends the response of the first call on the standalone stream. */
  readonly respondsElsewhere?: boolean;
  /** The status of a GET where there is no standalone stream. */
  readonly noStandalone?: number;
  /** CORS does not allow `Last-Event-ID`. */
  readonly blocksResume?: boolean;
  /** That the session is gone is left to a session machine (`isGone`), instead of ending the streams. */
  readonly tellsSession?: boolean;
  /** How often each fault may happen. */
  readonly faults: Readonly<Record<Fault, number>>;
}

export type Fault = 'die' | 'break' | 'refuse' | 'close' | 'down' | 'forget' | 'cancel' | 'slow';
export const NO_FAULTS: Record<Fault, number> = {
  die: 0,
  break: 0,
  refuse: 0,
  close: 0,
  down: 0,
  forget: 0,
  cancel: 0,
  slow: 0,
};

/** What is recorded of a stream: the events that were received, in order, the last event ID, how its call ended. */
interface Recorded {
  readonly received: readonly number[];
  readonly cursor?: number;
  readonly wasAnswered: boolean;
  readonly ends: readonly End[];
}

/** One stream in the page, with what its effects have started. */
interface Held {
  readonly stream: Stream;
  readonly connections: number;
  /** The response of the connection is there. Firefox hands one out only with its first byte, so a GET may wait for it. */
  readonly answered: boolean;
  readonly asked: boolean;
  readonly timer: boolean;
  readonly pinging: boolean;
}

interface Served {
  readonly posted: boolean;
  readonly sent: number;
  /** The connection that the server believes in. `stale`: the page has let go of it. */
  readonly connection?: { readonly at: number; readonly stale: boolean };
}

export interface World {
  readonly page?: { readonly held: readonly Held[]; readonly log: readonly Recorded[] };
  readonly disk: readonly Recorded[];
  readonly server: readonly Served[];
  readonly isUp: boolean;
  readonly hasSession: boolean;
  /** A stream has found out that the session is gone. */
  readonly isGone?: boolean;
  readonly faults: Readonly<Record<Fault, number>>;
}

/** Priming event, progress, response; the second call makes no progress. The standalone stream has two messages. */
const EVENTS_OF = [3, 2];
const DEAF = 99;
const TWICE: Partial<Policy> = { failuresBeforeCheck: 2, refusalsBeforeGivingUp: 2 };

export class StreamModel implements Model<World> {
  readonly #s: Scenario;

  constructor(scenario: Scenario) {
    this.#s = scenario;
  }

  start(): World {
    const { roles, faults } = this.#s;
    const disk = roles.map((): Recorded => ({ received: [], wasAnswered: false, ends: [] }));
    const server = roles.map((role): Served => ({ posted: role === 'standalone', sent: 0 }));
    const world: World = { disk, server, isUp: true, hasSession: true, faults };
    return this.#load(world, (i) => begin(String(i), roles[i] ?? 'call', this.#policy(disk)));
  }

  /** A page that shows what is stored, and has taken nothing up yet. */
  show(world: World): World {
    return this.#load(world, (i) => this.#over(i, { how: 'left' }));
  }

  /** Every call that is open in the page goes on from its event ID. */
  takeUp(world: World): World {
    const { page } = world;
    if (!page) return world;
    const restored = this.#restore({ ...world, disk: page.log });
    return { ...restored, disk: world.disk };
  }

  /** Lets every connection of the page go. */
  leave({ isGone: _, ...world }: World): World {
    const { page } = world;
    return page ? page.held.reduce<World>((w, __, i) => this.#send(w, i, { kind: 'leaving' }), world) : world;
  }

  /** No call that is open can end. */
  lose(world: World): World {
    const isOpenCall = (one: Recorded, i: number) => this.#s.roles[i] === 'call' && one.ends.length === 0;
    const end: End = { how: 'lost', reason: { code: 'session-gone' } };
    const { page } = world;
    if (!page) return world;
    return page.log.reduce(
      (w, one, i) => (isOpenCall(one, i) ? this.#record(w, i, () => ({ ...one, ends: [end] })) : w),
      world,
    );
  }

  isResponse(i: number, event: number): boolean {
    if (this.#s.respondsElsewhere) return this.#s.roles[i] === 'standalone' && event === 1;
    return this.#s.roles[i] === 'call' && event === this.#produces(i) - 1;
  }

  moves(world: World): readonly Move<World>[] {
    const moves: Move<World>[] = [];
    const add = (label: string, after: World, isFault = false) =>
      moves.push({ label, isFault, world: after });
    const fault = (name: Fault, label: string, after: () => World) => {
      if (world.faults[name] === 0) return;
      const faults = { ...world.faults, [name]: world.faults[name] - 1 };
      add(label, { ...after(), faults }, true);
    };
    const { page, server, isUp } = world;
    server.forEach((served, i) => {
      const isLast = served.sent >= this.#produces(i);
      if (served.posted && !isLast && isUp && world.hasSession) add(`produce ${i}`, this.#produce(world, i));
      if (served.connection?.stale) add(`notice ${i}`, this.#serve(world, i, { connection: undefined }));
    });
    if (isUp) fault('down', 'server down', () => this.#down(world));
    else add('server up', { ...world, isUp: true });
    if (isUp && world.hasSession) fault('forget', 'server forgets', () => this.#forget(world));
    if (!page) {
      add('load', this.#restore(world));
      return moves;
    }
    if (page.log !== world.disk) add('flush', { ...world, disk: page.log });
    fault('die', 'die', () => this.#die(world));
    fault('die', 'leave', () =>
      this.#die(page.held.reduce((w, _, i) => this.#send(w, i, { kind: 'leaving' }), world)),
    );
    const isFull = page.held.reduce((sum, one) => sum + one.connections, 0) >= this.#s.places;
    const isWanted = isFull && page.held.some(({ asked }) => asked);
    page.held.forEach(({ stream, answered, asked, timer, pinging, connections }, i) => {
      const send = (event: StreamEvent, from = world) => this.#send(from, i, event);
      if (asked && !isFull) add(`grant ${i}`, send({ kind: 'place-granted' }));
      if (isWanted && canYield(stream, this.#policy(page.log)))
        add(`yield ${i}`, send({ kind: 'place-wanted' }));
      const timerEnds = () => send({ kind: 'timer', awaitsUser: false });
      // Nearly all responses and places come before these timers: without a limit the states have no end.
      if (timer && isSlow(stream)) fault('slow', `timer ${i}`, timerEnds);
      else if (timer) add(`timer ${i}`, timerEnds());
      if (pinging) add(`pong ${i}`, this.#pong(world, i));
      if (connections > 0) {
        const via = viaOf(stream);
        if (!answered) add(`answer ${i}`, this.#answer(world, i));
        else if (this.#canDeliver(world, i)) add(`deliver ${i}`, this.#deliver(world, i));
        fault('break', `break ${i}`, () => send({ kind: 'network-error' }, this.#letGo(world, i)));
        if (!answered && via === 'post') {
          fault('break', `break ${i} after the POST`, () =>
            send({ kind: 'network-error' }, this.#serve(world, i, { posted: true })),
          );
        }
        if (!answered && via !== 'post' && isUp) {
          fault('refuse', `refuse ${i}`, () => send({ kind: 'refused', status: 400 }));
        }
        if (answered) {
          fault('close', `close ${i}`, () =>
            send({ kind: 'closed' }, this.#serve(world, i, { connection: undefined })),
          );
        }
      }
      if (stream.name !== 'ended' && stream.role === 'call')
        fault('cancel', `cancel ${i}`, () => send({ kind: 'cancelled' }));
    });
    return moves;
  }

  /** Performs what the machine asks for; throws where two things would own one stream. */
  #send(world: World, i: number, event: StreamEvent): World {
    const { page } = world;
    const before = page?.held[i];
    if (!page || !before) return world;
    const { stream, effects } = next(before.stream, event, this.#policy(page.log));
    if (stream === before.stream) return world;
    const isOver = ['closed', 'network-error', 'refused', 'unauthorized', 'oversized'].includes(event.kind);
    const held = {
      ...before,
      stream: clamp(stream),
      timer: false,
      ...(isOver && { connections: 0, answered: false }),
    };
    return this.#perform(this.#hold(world, i, held), i, effects);
  }

  #perform(world: World, i: number, effects: readonly Effect[]): World {
    let after = world;
    for (const effect of effects) {
      const held = after.page?.held[i];
      if (!held) return after;
      switch (effect.kind) {
        case 'askForPlace':
          if (held.asked) throw new Error(`stream ${i} asks for two places`);
          after = this.#hold(after, i, { ...held, asked: true });
          break;
        case 'post':
        case 'get':
          if (held.connections > 0) throw new Error(`stream ${i} is owned twice`);
          after = this.#hold(after, i, { ...held, asked: false, connections: 1, answered: false });
          break;
        case 'release':
          after = this.#hold(this.#letGo(after, i), i, {
            ...held,
            asked: false,
            connections: 0,
            answered: false,
          });
          break;
        case 'startTimer':
          after = this.#hold(after, i, { ...held, timer: true });
          break;
        case 'checkSession':
          after = this.#hold(after, i, { ...held, pinging: true });
          break;
        case 'declare':
          after = this.#record(after, i, (one) => ({ ...one, ends: [...one.ends, effect.end] }));
          break;
        case 'suspectServer':
          after = this.#s.roles.reduce(
            (w, role, j) => (role === 'standalone' ? this.#send(w, j, { kind: 'server-suspected' }) : w),
            after,
          );
          break;
        case 'awaitLogin':
          break;
      }
    }
    return after;
  }

  #answer(world: World, i: number): World {
    const stream = world.page?.held[i]?.stream;
    const via = stream && viaOf(stream);
    const { deaf, noStandalone, blocksResume, overReplays } = this.#s;
    const serving = world.server[i] as Served;
    const isStandalone = this.#s.roles[i] === 'standalone';
    const refuse = (status: number) => this.#send(world, i, { kind: 'refused', status });
    if (!world.isUp || (blocksResume && via === 'resume'))
      return this.#send(world, i, { kind: 'network-error' });
    if (!world.hasSession) {
      // Of a POST the status alone tells: the session is gone.
      return via === 'post' ? this.#gone(world) : refuse(404);
    }
    if (isStandalone && noStandalone !== undefined) return refuse(noStandalone);
    if (via !== 'post' && serving.connection) return refuse(409);
    // An event ID of another session.
    if (via === 'resume' && !serving.posted) return refuse(400);
    const asked = stream && 'lastEventId' in stream ? stream.lastEventId : undefined;
    const first =
      via === 'post' || overReplays
        ? 0
        : via === 'plain' || !this.#s.keeps
          ? serving.sent
          : Number(asked ?? -1) + 1;
    const at = deaf && isStandalone && via === 'resume' ? DEAF : first;
    const held = world.page?.held[i] as Held;
    const served = this.#serve(world, i, { posted: true, connection: { at, stale: false } });
    const answered = this.#hold(served, i, { ...held, answered: true });
    return this.#send(
      this.#record(answered, i, (one) => ({ ...one, wasAnswered: true })),
      i,
      { kind: 'opened' },
    );
  }

  #produces(i: number): number {
    const role = this.#s.roles[i] ?? 'call';
    return (EVENTS_OF[i] ?? 0) - (this.#s.respondsElsewhere && role === 'call' ? 1 : 0);
  }

  #produce(world: World, i: number): World {
    const { sent, connection } = world.server[i] as Served;
    const isHeard = connection && !connection.stale;
    // Who stores nothing loses what nobody listens to.
    const skipped =
      !this.#s.keeps && !isHeard && connection ? { connection: { ...connection, at: sent + 1 } } : {};
    return this.#serve(world, i, { sent: sent + 1, ...skipped });
  }

  #canDeliver(world: World, i: number): boolean {
    const { connection, sent } = world.server[i] as Served;
    return connection !== undefined && !connection.stale && connection.at < sent;
  }

  #deliver(world: World, i: number): World {
    const { connection } = world.server[i] as Served;
    const event = connection?.at ?? 0;
    const isNew = !world.page?.log[i]?.received.includes(event);
    let after = this.#serve(world, i, { connection: { at: event + 1, stale: false } });
    const received = (one: Recorded) => (isNew ? [...one.received, event] : one.received);
    after = this.#record(after, i, (one) => ({
      ...one,
      received: received(one),
      ...(this.#s.keeps && { cursor: event }),
    }));
    const isPriming = this.#s.roles[i] === 'call' && event === 0;
    const eventId = this.#s.keeps ? { eventId: String(event) } : {};
    after = this.#send(after, i, { kind: 'received', isNew: isNew && !isPriming, ...eventId });
    if (!isNew || !this.isResponse(i, event)) return after;
    return this.#send(after, this.#s.respondsElsewhere ? 0 : i, { kind: 'response' });
  }

  #pong(world: World, i: number): World {
    const held = world.page?.held[i] as Held;
    const asked = this.#hold(world, i, { ...held, pinging: false });
    if (!world.isUp) return this.#send(asked, i, { kind: 'session-unreachable' });
    return world.hasSession ? this.#send(asked, i, { kind: 'session-alive' }) : this.#gone(asked);
  }

  #gone(world: World): World {
    if (this.#s.tellsSession) return { ...world, isGone: true };
    return this.#s.roles.reduce((w, _, i) => this.#send(w, i, { kind: 'session-gone' }), world);
  }

  #down(world: World): World {
    const cut = world.server.reduce((w, _, i) => this.#serve(w, i, { connection: undefined }), {
      ...world,
      isUp: false,
    });
    const open = openStreams(world);
    return open.reduce((w, i) => this.#send(w, i, { kind: 'network-error' }), cut);
  }

  #forget(world: World): World {
    const server = world.server.map((): Served => ({ posted: false, sent: 0 }));
    const forgot: World = { ...world, server, hasSession: false };
    const open = openStreams(world);
    return open.reduce((w, i) => this.#send(w, i, { kind: 'closed' }), forgot);
  }

  #die(world: World): World {
    const { page: _, ...rest } = world.server.reduce((w, __, i) => this.#letGo(w, i), world);
    return rest;
  }

  #restore(world: World): World {
    return this.#load(world, (i) => {
      const { cursor, wasAnswered, ends } = world.disk[i] as Recorded;
      const role = this.#s.roles[i] ?? 'call';
      const end = ends.at(-1);
      if (end) return this.#over(i, end);
      const lastEventId = cursor === undefined ? undefined : String(cursor);
      return restore({ id: String(i), role, lastEventId, wasAnswered }, this.#policy(world.disk));
    });
  }

  #over(i: number, end: End): { stream: Stream; effects: readonly Effect[] } {
    return {
      stream: { name: 'ended', id: String(i), role: this.#s.roles[i] ?? 'call', end },
      effects: [],
    };
  }

  #load(world: World, make: (i: number) => { stream: Stream; effects: readonly Effect[] }): World {
    const steps = this.#s.roles.map((_, i) => make(i));
    const idle = { connections: 0, answered: false, asked: false, timer: false, pinging: false };
    const held = steps.map(({ stream }): Held => ({ stream, ...idle }));
    const loaded: World = { ...world, page: { held, log: world.disk } };
    return steps.reduce((w, { effects }, i) => this.#perform(w, i, effects), loaded);
  }

  #policy(log: readonly Recorded[]): Policy {
    const isAny = log.some(({ received }) => received.length > 0);
    return { ...POLICY, ...TWICE, sendsEventIds: isAny ? this.#s.keeps : undefined };
  }

  #letGo(world: World, i: number): World {
    const connection = world.server[i]?.connection;
    return connection ? this.#serve(world, i, { connection: { ...connection, stale: true } }) : world;
  }

  #serve(world: World, i: number, change: { [K in keyof Served]?: Served[K] | undefined }): World {
    const server = world.server.map((one, j) => (j === i ? ({ ...one, ...change } as Served) : one));
    return { ...world, server };
  }

  #hold(world: World, i: number, held: Held): World {
    if (!world.page) return world;
    return {
      ...world,
      page: { ...world.page, held: world.page.held.map((one, j) => (j === i ? held : one)) },
    };
  }

  #record(world: World, i: number, change: (one: Recorded) => Recorded): World {
    if (!world.page) return world;
    return {
      ...world,
      page: { ...world.page, log: world.page.log.map((one, j) => (j === i ? change(one) : one)) },
    };
  }
}

const isSlow = ({ name }: Stream): boolean => name === 'opening' || name === 'queued';
const viaOf = (stream: Stream): Via | undefined => ('via' in stream ? stream.via : undefined);

/** Those whose response is there: a request that is still under way breaks when it is answered. */
const openStreams = ({ page }: World): readonly number[] =>
  (page?.held ?? []).flatMap(({ answered }, i) => (answered ? [i] : []));

/** Delays and high counts make no difference to what can happen next: without this there is no end of states. */
function clamp(stream: Stream): Stream {
  if (!('setbacks' in stream)) return stream;
  const { failed, refused, trouble } = stream.setbacks;
  const some: Setbacks = { failed: Math.min(failed, 1), refused: Math.min(refused, 1), silent: 0 };
  const setbacks = trouble
    ? { ...some, trouble: { code: trouble.code === 'page-loaded' ? trouble.code : 'broken' } }
    : some;
  return { ...stream, setbacks, ...(stream.name === 'waiting' && { delayMs: 0 }) } as Stream;
}
