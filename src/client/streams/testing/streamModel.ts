/**
 * Every interleaving of what a page, its storage and a server do. The streams are moved by the machine alone; the model
 * only performs its effects.
 */
import type { Effect, End, Policy, Stream, StreamEvent, Via } from '../stream.ts';
import { begin, canYield, next, restore } from '../streamMachine.ts';
import type { Model, Move } from '../../testing/explore.ts';
import { POLICY } from '../streamSamples.ts';
import { canDeliver, forgetSession, goDown, letGo, serve, ServerModel } from './serverModel.ts';
import {
  clamp,
  hold,
  openStreams,
  record,
  type Fault,
  type Held,
  type Recorded,
  type Scenario,
  type Served,
  type World,
} from './streamWorld.ts';

const TWICE: Partial<Policy> = { failuresBeforeCheck: 2, refusalsBeforeGivingUp: 2 };

export class StreamModel implements Model<World> {
  readonly #s: Scenario;
  readonly #server: ServerModel;
  readonly #step: typeof next;

  constructor(scenario: Scenario) {
    this.#s = scenario;
    this.#server = new ServerModel(scenario);
    this.#step = scenario.step ?? next;
  }

  start(): World {
    const { roles, faults } = this.#s;
    const disk = roles.map((): Recorded => ({ received: [], wasAnswered: false, ends: [] }));
    const world: World = { disk, server: this.#server.start(), isUp: true, hasSession: true, faults };
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
      (w, one, i) => (isOpenCall(one, i) ? record(w, i, () => ({ ...one, ends: [end] })) : w),
      world,
    );
  }

  isResponse(i: number, event: number): boolean {
    return this.#server.isResponse(i, event);
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
      if (this.#server.canProduce(world, i)) add(`produce ${i}`, this.#server.produce(world, i));
      if (served.connection?.stale) add(`notice ${i}`, serve(world, i, { connection: undefined }));
    });
    if (isUp) fault('down', 'server down', () => this.#down(world));
    else add('server up', { ...world, isUp: true });
    if (isUp && world.hasSession) fault('forget', 'server forgets', () => this.#forget(world));
    if (!page) {
      add('load', this.#restore(world));
      return moves;
    }
    if (page.log !== world.disk) add('flush', { ...world, disk: page.log });
    if (this.#s.tears) add('flush event IDs', { ...world, disk: cursorsFirst(world.disk, page.log) });
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
        else if (canDeliver(world, i)) add(`deliver ${i}`, this.#deliver(world, i));
        fault('break', `break ${i}`, () => send({ kind: 'network-error' }, letGo(world, i)));
        if (!answered && via === 'post') {
          fault('break', `break ${i} after the POST`, () =>
            send({ kind: 'network-error' }, serve(world, i, { posted: true })),
          );
        }
        if (!answered && via !== 'post' && isUp) {
          fault('refuse', `refuse ${i}`, () => send({ kind: 'refused', status: 400 }));
        }
        if (answered) {
          fault('close', `close ${i}`, () =>
            send({ kind: 'closed' }, serve(world, i, { connection: undefined })),
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
    const { stream, effects } = this.#step(before.stream, event, this.#policy(page.log));
    if (stream === before.stream) return world;
    const isOver = ['closed', 'network-error', 'refused', 'unauthorized', 'oversized'].includes(event.kind);
    const held = {
      ...before,
      stream: clamp(stream),
      timer: false,
      ...(isOver && { connections: 0, answered: false }),
    };
    return this.#perform(hold(world, i, held), i, effects);
  }

  #perform(world: World, i: number, effects: readonly Effect[]): World {
    let after = world;
    for (const effect of effects) {
      const held = after.page?.held[i];
      if (!held) return after;
      switch (effect.kind) {
        case 'askForPlace':
          if (held.asked) throw new Error(`stream ${i} asks for two places`);
          after = hold(after, i, { ...held, asked: true });
          break;
        case 'post':
        case 'get':
          if (held.connections > 0) throw new Error(`stream ${i} is owned twice`);
          after = hold(after, i, { ...held, asked: false, connections: 1, answered: false });
          break;
        case 'release':
          after = hold(letGo(after, i), i, {
            ...held,
            asked: false,
            connections: 0,
            answered: false,
          });
          break;
        case 'startTimer':
          after = hold(after, i, { ...held, timer: true });
          break;
        case 'checkSession':
          after = hold(after, i, { ...held, pinging: true });
          break;
        case 'declare':
          after = record(after, i, (one) => ({ ...one, ends: [...one.ends, effect.end] }));
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
    const held = world.page?.held[i] as Held;
    const { stream } = held;
    const lastEventId = 'lastEventId' in stream ? stream.lastEventId : undefined;
    const answer = this.#server.answer(world, i, { via: viaOf(stream), lastEventId });
    switch (answer.how) {
      case 'network-error':
        return this.#send(world, i, { kind: 'network-error' });
      case 'session-gone':
        return this.#gone(world);
      case 'refused':
        return this.#send(world, i, { kind: 'refused', status: answer.status });
      case 'opened': {
        const served = serve(world, i, { posted: true, connection: { at: answer.from, stale: false } });
        const answered = hold(served, i, { ...held, answered: true });
        const recorded = record(answered, i, (one) => ({ ...one, wasAnswered: true }));
        return this.#send(recorded, i, { kind: 'opened' });
      }
    }
  }

  #deliver(world: World, i: number): World {
    const { connection } = world.server[i] as Served;
    const event = connection?.at ?? 0;
    const isNew = !world.page?.log[i]?.received.includes(event);
    let after = serve(world, i, { connection: { at: event + 1, stale: false } });
    const received = (one: Recorded) => (isNew ? [...one.received, event] : one.received);
    after = record(after, i, (one) => ({
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
    const asked = hold(world, i, { ...held, pinging: false });
    if (!world.isUp) return this.#send(asked, i, { kind: 'session-unreachable' });
    return world.hasSession ? this.#send(asked, i, { kind: 'session-alive' }) : this.#gone(asked);
  }

  #gone(world: World): World {
    if (this.#s.tellsSession) return { ...world, isGone: true };
    return this.#s.roles.reduce((w, _, i) => this.#send(w, i, { kind: 'session-gone' }), world);
  }

  #down(world: World): World {
    return openStreams(world).reduce((w, i) => this.#send(w, i, { kind: 'network-error' }), goDown(world));
  }

  #forget(world: World): World {
    return openStreams(world).reduce((w, i) => this.#send(w, i, { kind: 'closed' }), forgetSession(world));
  }

  #die(world: World): World {
    const { page: _, ...rest } = world.server.reduce((w, __, i) => letGo(w, i), world);
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
}

const isSlow = ({ name }: Stream): boolean => name === 'opening' || name === 'queued';
const viaOf = (stream: Stream): Via | undefined => ('via' in stream ? stream.via : undefined);

const cursorsFirst = (disk: readonly Recorded[], log: readonly Recorded[]): readonly Recorded[] =>
  disk.map(
    (one, i) => ({ ...one, ...('cursor' in (log[i] as Recorded) && { cursor: log[i]?.cursor }) }) as Recorded,
  );
