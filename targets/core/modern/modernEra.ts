/** The side of a target that speaks 2026-07-28: no sessions, no replay, each request by itself. */
import {
  createMcpHandler,
  type McpServer,
  type MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server';
import { silent } from '../log.ts';
import { isRecord, rpcError } from '../messages.ts';
import { OpenBodies } from '../openBodies.ts';
import type { TargetOptions } from '../options.ts';
import { toolsOf } from '../server.ts';
import { isEventStream, pipeFrames } from '../sse.ts';
import { countCancelled, countSent, countSettled, countStarted, Stats, type SessionStats } from '../stats.ts';
import type { TaskLedger, TaskSettings } from '../tasks/taskLedger.ts';
import { TASKS_EXTENSION } from './envelope.ts';
import { createModernServer } from './modernServer.ts';
import {
  answerWithTask,
  becomesTask,
  declaresTasks,
  serveTaskMethods,
  tasksNotDeclared,
} from './modernTasks.ts';
import type { StateSeal } from './requestState.ts';
import { asTaskListen, listenToTasks } from './taskListen.ts';

/** The key under which the counts of all requests are kept. */
const STATELESS = 'stateless';
const CLIENT_CLOSED_REQUEST = 499;
const COMMENT = ':'.charCodeAt(0);

export interface ModernTasks {
  readonly ledger: TaskLedger;
  readonly settings: () => TaskSettings;
}

export interface ModernEraOptions {
  readonly target: TargetOptions;
  readonly seal: StateSeal;
  readonly tasks: ModernTasks | undefined;
}

export class ModernEra {
  readonly bodies = new OpenBodies();
  readonly #options: ModernEraOptions;
  readonly #allStats: Stats;
  readonly #handler: ReturnType<typeof createMcpHandler>;
  /** The handler makes a server for each request, and tells which one, but not what is in it. */
  readonly #messages = new WeakMap<Request, unknown>();
  #running = 0;

  constructor(options: ModernEraOptions) {
    const { target } = options;
    const log = target.log ?? silent;
    this.#options = options;
    this.#allStats = target.stats ?? new Stats();
    this.#handler = createMcpHandler(
      ({ requestInfo }) => this.#serverFor(requestInfo && this.#messages.get(requestInfo)),
      {
        legacy: 'reject',
        onerror: (error) => log({ event: 'request.error', message: error.message }),
      },
    );
  }

  /** Whether a tool runs, in a request or as a task. */
  get isBusy(): boolean {
    return this.#running > 0 || (this.#options.tasks?.ledger.isBusy ?? false);
  }

  get #stats(): SessionStats {
    return this.#allStats.session(STATELESS);
  }

  /** Whoever listens hears that something has changed. */
  announce(): void {
    this.#handler.notify.toolsChanged();
    this.#handler.notify.resourceUpdated('reprise://about');
  }

  async close(): Promise<void> {
    this.#options.tasks?.ledger.close();
    await this.#handler.close();
  }

  async fetch(request: Request): Promise<Response> {
    if (request.method !== 'POST') return rpcError(405, -32000, 'Method not allowed', { allow: 'POST' });
    const message = parseJson(await request.text());
    if (message === undefined) return rpcError(400, -32700, "Parse error: the body isn't JSON");
    const id = this.#count(message);
    const isCall = isRecord(message) && message['method'] === 'tools/call';
    if (isCall) this.#running += 1;
    const done = () => {
      if (isCall) this.#running -= 1;
    };
    try {
      return this.#watch(await this.#answer(request, message), id, done);
    } catch (error) {
      done();
      throw error;
    }
  }

  #answer(request: Request, message: unknown): Promise<Response> {
    const listen = asTaskListen(message);
    const { tasks } = this.#options;
    if (tasks && listen && isRecord(message)) {
      return Promise.resolve(
        declaresTasks(message['params'])
          ? listenToTasks(listen, tasks.ledger, this.#handler.bus)
          : refusal(listen.id, tasksNotDeclared()),
      );
    }
    this.#messages.set(request, message);
    return this.#handler.fetch(request, { parsedBody: message });
  }

  #serverFor(message: unknown): McpServer {
    const { target, seal, tasks } = this.#options;
    const tools = toolsOf(target);
    const { modernExtension } = target;
    const extensions = { ...modernExtension?.declares, ...(tasks && { [TASKS_EXTENSION]: {} }) };
    const announceChange = (list: 'tools' | 'prompts') =>
      list === 'tools' ? this.#handler.notify.toolsChanged() : this.#handler.notify.promptsChanged();
    const mcp = createModernServer({ target, tools, rounds: { seal, announceChange }, extensions });
    modernExtension?.serve(mcp);
    if (!tasks) return mcp;
    serveTaskMethods(mcp, tasks.ledger);
    const name = calledTool(message);
    const definition = tools.find(({ tool }) => tool.name === name);
    const params = isRecord(message) ? message['params'] : undefined;
    if (definition && becomesTask(definition, params)) {
      answerWithTask(mcp, definition, {
        ledger: tasks.ledger,
        settings: tasks.settings(),
        seal,
        log: target.log ?? silent,
      });
    }
    return mcp;
  }

  /** Counts a request; returns its id. */
  #count(message: unknown): string | number | undefined {
    this.#stats.posts += 1;
    if (!isRecord(message)) return undefined;
    const { id, method } = message;
    if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
    countStarted(this.#stats, id, method, calledTool(message));
    return id;
  }

  /** Counts what is sent; a client that leaves before the end has cancelled (2026-07-28, "Cancellation"). */
  #watch(response: Response, id: string | number | undefined, done: () => void): Response {
    const stats = this.#stats;
    if (!isEventStream(response)) {
      done();
      if (id !== undefined && response.status === CLIENT_CLOSED_REQUEST) countCancelled(stats, id);
      else if (id !== undefined) countSent(stats, id, true);
      return response;
    }
    stats.openStreams += 1;
    const counted = pipeFrames(response, {
      decide: (frame) => {
        if (id !== undefined && frame[0] !== COMMENT) countSent(stats, id, false);
        return 'pass';
      },
    });
    return this.bodies.track(counted, (how) => {
      stats.openStreams -= 1;
      done();
      if (id === undefined) return;
      if (how === 'ended') countSettled(stats, id);
      else countCancelled(stats, id);
    });
  }
}

function calledTool(message: unknown): string | undefined {
  if (!isRecord(message) || message['method'] !== 'tools/call' || !isRecord(message['params']))
    return undefined;
  const { name } = message['params'];
  return typeof name === 'string' ? name : undefined;
}

function refusal(
  id: string | number,
  { code, message, data }: MissingRequiredClientCapabilityError,
): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { status: 400 });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
