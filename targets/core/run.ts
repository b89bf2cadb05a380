/** A target from one start to the next: whatever it has in memory, of either era. */
import { isLegacyRequest } from '@modelcontextprotocol/server';
import { rpcError } from './messages.ts';
import { ModernEra } from './modern/modernEra.ts';
import type { StateSeal } from './modern/requestState.ts';
import { OpenBodies } from './openBodies.ts';
import type { Handler, TargetOptions } from './options.ts';
import { SessionRegistry } from './sessions.ts';
import { answerStateless } from './stateless.ts';
import { createSessionTasks } from './tasks/sessionTasks.ts';
import { TaskLedger, type TaskSettings } from './tasks/taskLedger.ts';

export interface Run {
  readonly fetch: Handler;
  readonly sessions: SessionRegistry;
  readonly ledger: TaskLedger;
  readonly isBusy: boolean;
  dropStreams(): void;
  announce(number: number): Promise<void>;
  close(): Promise<void>;
}

export function startRun(
  given: TargetOptions,
  seal: StateSeal,
  settingsOf: (tasks: TaskSettings) => TaskSettings,
): Run {
  const { tasks, around, era = 'session' } = given;
  const ledger = new TaskLedger({ now: given.now, log: given.log });
  const settings = tasks && (() => settingsOf(tasks));
  const options: TargetOptions = {
    ...given,
    ...(settings && { sessionTasks: createSessionTasks(ledger, settings) }),
  };
  const sessions = new SessionRegistry(options);
  const modern = new ModernEra({ target: options, seal, tasks: settings && { ledger, settings } });
  const bodies = new OpenBodies();
  const legacy: Handler = (request) =>
    options.stateless ? answerStateless(request, options, bodies) : routeByMethod(request, sessions);
  const routes: Record<typeof era, Handler> = {
    session: legacy,
    stateless: (request) => modern.fetch(request),
    both: async (request) => ((await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request)),
  };
  const route = routes[era];
  const dropStreams = () => {
    bodies.dropAll();
    modern.bodies.dropAll();
    for (const session of sessions.all) session.bodies.dropAll();
  };
  return {
    fetch: around ? (request) => around(request, route, sessions) : route,
    sessions,
    ledger,
    get isBusy() {
      return modern.isBusy || sessions.all.some(({ transport }) => transport.runningCount > 0);
    },
    dropStreams,
    async announce(number) {
      modern.announce();
      for (const { server, id } of sessions.all) {
        await server.sendLoggingMessage({ level: 'notice', logger: 'announce', data: { number } }, id);
      }
    },
    async close() {
      ledger.close();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
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
      return rpcError(405, -32000, 'Method not allowed', { allow: 'GET, POST, DELETE' });
  }
}
