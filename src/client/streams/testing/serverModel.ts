/** The server of the model: what it has sent, which connection it believes in, and what it answers to a request. */
import type { Via } from '../stream.ts';
import type { Scenario, Served, World } from './streamWorld.ts';

/** Priming event, progress, response; the second call makes no progress. The standalone stream has two messages. */
const EVENTS_OF = [3, 2];
const DEAF = 99;

/** A request of the page, as the server gets it. */
export interface Asked {
  readonly via: Via | undefined;
  readonly lastEventId: string | undefined;
}

export type Answer =
  | { readonly how: 'network-error' | 'session-gone' }
  | { readonly how: 'refused'; readonly status: number }
  /** `from`: the next event of the connection. */
  | { readonly how: 'opened'; readonly from: number };

export class ServerModel {
  readonly #s: Scenario;

  constructor(scenario: Scenario) {
    this.#s = scenario;
  }

  start(): readonly Served[] {
    return this.#s.roles.map((role): Served => ({ posted: role === 'standalone', sent: 0 }));
  }

  isResponse(i: number, event: number): boolean {
    if (this.#s.respondsElsewhere) return this.#s.roles[i] === 'standalone' && event === 1;
    return this.#s.roles[i] === 'call' && event === this.#produces(i) - 1;
  }

  canProduce({ server, isUp, hasSession }: World, i: number): boolean {
    const { posted, sent } = server[i] as Served;
    return posted && sent < this.#produces(i) && isUp && hasSession;
  }

  produce(world: World, i: number): World {
    const { sent, connection } = world.server[i] as Served;
    const isHeard = connection && !connection.stale;
    // Who stores nothing loses what nobody listens to.
    const skipped =
      !this.#s.keeps && !isHeard && connection ? { connection: { ...connection, at: sent + 1 } } : {};
    return serve(world, i, { sent: sent + 1, ...skipped });
  }

  answer(world: World, i: number, { via, lastEventId }: Asked): Answer {
    const { deaf, noStandalone, blocksResume, overReplays, keeps, roles } = this.#s;
    const serving = world.server[i] as Served;
    const isStandalone = roles[i] === 'standalone';
    const refused = (status: number): Answer => ({ how: 'refused', status });
    if (!world.isUp || (blocksResume && via === 'resume')) return { how: 'network-error' };
    // Of a POST the status alone tells: the session is gone.
    if (!world.hasSession) return via === 'post' ? { how: 'session-gone' } : refused(404);
    if (isStandalone && noStandalone !== undefined) return refused(noStandalone);
    if (via !== 'post' && serving.connection) return refused(409);
    // An event ID of another session.
    if (via === 'resume' && !serving.posted) return refused(400);
    if (deaf && isStandalone && via === 'resume') return { how: 'opened', from: DEAF };
    if (via === 'post' || overReplays) return { how: 'opened', from: 0 };
    const from = via === 'plain' || !keeps ? serving.sent : Number(lastEventId ?? -1) + 1;
    return { how: 'opened', from };
  }

  #produces(i: number): number {
    const role = this.#s.roles[i] ?? 'call';
    return (EVENTS_OF[i] ?? 0) - (this.#s.respondsElsewhere && role === 'call' ? 1 : 0);
  }
}

export function serve(
  world: World,
  i: number,
  change: { [K in keyof Served]?: Served[K] | undefined },
): World {
  const server = world.server.map((one, j) => (j === i ? ({ ...one, ...change } as Served) : one));
  return { ...world, server };
}

/** The page has let the connection go, and the server doesn't know it yet. */
export function letGo(world: World, i: number): World {
  const connection = world.server[i]?.connection;
  return connection ? serve(world, i, { connection: { ...connection, stale: true } }) : world;
}

export function canDeliver({ server }: World, i: number): boolean {
  const { connection, sent } = server[i] as Served;
  return connection !== undefined && !connection.stale && connection.at < sent;
}

/** Every connection breaks. */
export function goDown(world: World): World {
  return world.server.reduce<World>((w, _, i) => serve(w, i, { connection: undefined }), {
    ...world,
    isUp: false,
  });
}

export function forgetSession(world: World): World {
  return {
    ...world,
    server: world.server.map((): Served => ({ posted: false, sent: 0 })),
    hasSession: false,
  };
}
