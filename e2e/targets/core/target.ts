/** A target server as a function from Request to Response: the same in Node and in a service worker. */
import { rpcError } from './messages.ts';
import { OpenBodies } from './openBodies.ts';
import type { Handler, TargetOptions } from './options.ts';
import { SessionRegistry } from './sessions.ts';
import { answerStateless } from './stateless.ts';
import { Stats } from './stats.ts';

/** `restart` and the refusal of connections need a host; what is here works anywhere. */
export type ControlAction = 'restart' | 'drop-streams' | 'expire-sessions' | 'reset' | 'announce';

export const CONTROL_ACTIONS: readonly ControlAction[] = [
  'restart',
  'drop-streams',
  'expire-sessions',
  'reset',
  'announce',
];

export interface Target {
  readonly fetch: Handler;
  readonly stats: Stats;
  readonly sessions: SessionRegistry;
  control(action: ControlAction): Promise<void>;
  close(): Promise<void>;
}

/** `options` is a function because a restart starts over: whatever a profile remembers is gone with it. */
export function createTarget(options: () => TargetOptions): Target {
  const stats = options().stats ?? new Stats();
  const start = () => {
    const current = { ...options(), stats };
    const sessions = new SessionRegistry(current);
    const bodies = new OpenBodies();
    const route: Handler = (request) =>
      current.stateless ? answerStateless(request, current, bodies) : routeByMethod(request, sessions);
    const around = current.around;
    const dropStreams = () => {
      bodies.dropAll();
      for (const session of sessions.all) session.bodies.dropAll();
    };
    return {
      sessions,
      dropStreams,
      fetch: around ? (request: Request) => around(request, route, sessions) : route,
    };
  };
  let running = start();
  const restart = async () => {
    const old = running;
    running = start();
    old.dropStreams();
    await old.sessions.close();
  };
  let announced = 0;
  return {
    fetch: (request) => {
      countRequest(request, running.sessions, stats);
      return running.fetch(request);
    },
    stats,
    get sessions() {
      return running.sessions;
    },
    async control(action) {
      const { sessions } = running;
      switch (action) {
        case 'restart':
          return restart();
        case 'drop-streams':
          return running.dropStreams();
        case 'expire-sessions':
          return sessions.endAll('expired');
        case 'reset':
          await restart();
          return stats.reset();
        case 'announce':
          announced += 1;
          for (const { server } of sessions.all) {
            await server.sendLoggingMessage({
              level: 'notice',
              logger: 'announce',
              data: { number: announced },
            });
          }
          return;
        default:
          return unknownAction(action);
      }
    },
    close: () => running.sessions.close(),
  };
}

/** Refused requests count too: a client that asks too often shows. */
function countRequest(request: Request, sessions: SessionRegistry, stats: Stats): void {
  const session = sessions.find(request);
  if (!session) return;
  if (request.method === 'GET') stats.session(session.id).gets += 1;
  if (request.method === 'DELETE') stats.session(session.id).deletes += 1;
}

async function routeByMethod(request: Request, sessions: SessionRegistry): Promise<Response> {
  switch (request.method) {
    case 'POST':
      return sessions.post(request);
    case 'GET':
      return sessions.get(request);
    case 'DELETE':
      return sessions.delete(request);
    default:
      return methodNotAllowed('GET, POST, DELETE');
  }
}

const methodNotAllowed = (allow: string) => rpcError(405, -32000, 'Method not allowed', { allow });

function unknownAction(action: never): never {
  throw new Error(`Unknown control action: ${String(action)}`);
}
