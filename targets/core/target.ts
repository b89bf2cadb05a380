/** A target server as a function from Request to Response: the same in Node and in a service worker. */
import { StateSeal } from './modern/requestState.ts';
import type { Era, Handler, TargetOptions } from './options.ts';
import { startRun } from './run.ts';
import type { SessionRegistry } from './sessions.ts';
import { Stats } from './stats.ts';
import type { TaskSettings } from './tasks/taskLedger.ts';
import { touchWatched } from './watched.ts';

/** `restart` and the refusal of connections need a host; what is here works anywhere. */
export const CONTROL_ACTIONS = [
  'restart',
  'drop-streams',
  'expire-sessions',
  'reset',
  'announce',
  'touch',
  'era-session',
  'era-stateless',
  'era-both',
  'short-tasks',
  'long-tasks',
  'expire-tasks',
  'expire-states',
  'rename-header',
] as const;

export type ControlAction = (typeof CONTROL_ACTIONS)[number];

const ERAS: Partial<Record<ControlAction, Era>> = {
  'era-session': 'session',
  'era-stateless': 'stateless',
  'era-both': 'both',
};

/** Whether what is in memory, and who is connected, goes with it. */
export const restarts = (action: ControlAction): boolean => action === 'restart' || action in ERAS;

const SHORT_TTL_MS = 3000;

export interface Target {
  readonly fetch: Handler;
  readonly stats: Stats;
  readonly sessions: SessionRegistry;
  /** Whether a tool runs. */
  readonly isBusy: boolean;
  control(action: ControlAction): Promise<void>;
  close(): Promise<void>;
}

/** `options` is a function because a restart starts over: whatever a profile remembers is gone with it. */
export function createTarget(options: () => TargetOptions): Target {
  const stats = options().stats ?? new Stats();
  const seal = new StateSeal();
  /** What a control has changed, for good or until the next `reset`. */
  let changes: Pick<TargetOptions, 'era'> & { shortTasks?: boolean; renamedHeader?: boolean } = {};
  const settingsOf = (tasks: TaskSettings): TaskSettings =>
    changes.shortTasks ? { ...tasks, ttlMs: SHORT_TTL_MS } : tasks;
  const start = () => {
    const renamesHeader = () => changes.renamedHeader === true;
    const era = changes.era && { era: changes.era };
    return startRun({ ...options(), stats, renamesHeader, ...era }, seal, settingsOf);
  };
  let running = start();
  const restart = async () => {
    const old = running;
    running = start();
    old.dropStreams();
    await old.close();
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
    get isBusy() {
      return running.isBusy;
    },
    async control(action) {
      switch (action) {
        case 'restart':
          return restart();
        case 'era-session':
        case 'era-stateless':
        case 'era-both':
          changes = { ...changes, era: ERAS[action] ?? 'session' };
          return restart();
        case 'drop-streams':
          return running.dropStreams();
        case 'expire-sessions':
          return running.sessions.endAll('expired');
        case 'short-tasks':
        case 'long-tasks':
          changes = { ...changes, shortTasks: action === 'short-tasks' };
          return;
        case 'rename-header':
          changes = { ...changes, renamedHeader: true };
          return;
        case 'expire-tasks':
          return running.ledger.expireAll();
        case 'expire-states':
          return seal.expireAll();
        case 'reset':
          changes = {};
          await restart();
          return stats.reset();
        case 'announce':
          announced += 1;
          return running.announce(announced);
        case 'touch':
          for (const { server } of running.sessions.all) await touchWatched(server);
          return;
        default:
          return unknownAction(action);
      }
    },
    close: () => running.close(),
  };
}

/** Refused requests count too: a client that asks too often shows. */
function countRequest(request: Request, sessions: SessionRegistry, stats: Stats): void {
  const session = sessions.find(request);
  if (!session) return;
  if (request.method === 'GET') stats.session(session.id).gets += 1;
  if (request.method === 'DELETE') stats.session(session.id).deletes += 1;
}

function unknownAction(action: never): never {
  throw new Error(`Unknown control action: ${String(action)}`);
}
