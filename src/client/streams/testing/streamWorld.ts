/** A page, its storage and a server as data: as small as they can be and still lose things. */
import type { End, Setbacks, Stream } from '../stream.ts';
import type { next } from '../streamMachine.ts';

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
  /** Broken on purpose: a disk that stores event IDs before their entries. */
  readonly tears?: boolean;
  /** The stream machine, so that a broken one can be put in its place. */
  readonly step?: typeof next;
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
export interface Recorded {
  readonly received: readonly number[];
  readonly cursor?: number;
  readonly wasAnswered: boolean;
  readonly ends: readonly End[];
}

/** One stream in the page, with what its effects have started. */
export interface Held {
  readonly stream: Stream;
  readonly connections: number;
  /** The response of the connection is there. Firefox hands one out only with its first byte, so a GET may wait for it. */
  readonly answered: boolean;
  readonly asked: boolean;
  readonly timer: boolean;
  readonly pinging: boolean;
}

export interface Served {
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

export function hold(world: World, i: number, held: Held): World {
  if (!world.page) return world;
  return { ...world, page: { ...world.page, held: world.page.held.map((one, j) => (j === i ? held : one)) } };
}

export function record(world: World, i: number, change: (one: Recorded) => Recorded): World {
  if (!world.page) return world;
  const log = world.page.log.map((one, j) => (j === i ? change(one) : one));
  return { ...world, page: { ...world.page, log } };
}

/** Those whose response is there: a request that is still under way breaks when it is answered. */
export const openStreams = ({ page }: World): readonly number[] =>
  (page?.held ?? []).flatMap(({ answered }, i) => (answered ? [i] : []));

/** Delays and high counts make no difference to what can happen next: without this there is no end of states. */
export function clamp(stream: Stream): Stream {
  if (!('setbacks' in stream)) return stream;
  const { failed, refused, trouble } = stream.setbacks;
  const some: Setbacks = { failed: Math.min(failed, 1), refused: Math.min(refused, 1), silent: 0 };
  const setbacks = trouble
    ? { ...some, trouble: { code: trouble.code === 'page-loaded' ? trouble.code : 'broken' } }
    : some;
  return { ...stream, setbacks, ...(stream.name === 'waiting' && { delayMs: 0 }) } as Stream;
}
