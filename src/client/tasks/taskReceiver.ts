/** Lets a server ask for elicitations and sampling as tasks (MCP 2025-11-25): it gets a task at once, and polls it. */
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Log } from '../../log/log.ts';
import { QUESTION_METHODS } from '../../log/state/question.ts';
import { expiresAt, type TaskError, type TaskRequest } from '../../log/state/receivedTask.ts';
import type { Transition } from '../../log/state/transition.ts';
import { describeTask, respondTo, ttlOf, type Response } from '../protocol/taskResponses.ts';

export interface TaskReceiverOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly link: {
    readonly canReply: boolean;
    require(): { respond(rpcId: string | number, body: Body): Promise<void> };
  };
  /** Resolves when everything in the log so far is stored. */
  readonly flushed: () => Promise<void>;
}

type Body = { readonly result: JsonObject } | { readonly error: TaskError };

/** Client tasks are part of this protocol version alone. */
const TASKS_VERSION = '2025-11-25';

const HEEDED: ReadonlySet<Transition['kind']> = new Set([
  'taskRequested',
  'questionAsked',
  'questionChanged',
  'questionClosed',
  'stateChanged',
]);

export class TaskReceiver {
  readonly #options: TaskReceiverOptions;
  /** Results as they were typed: the log holds them without secret values. */
  readonly #typed = new Map<string, object>();
  readonly #sending = new Set<string>();
  readonly #stopListening: () => void;
  #cancelTimer: (() => void) | undefined;

  constructor(options: TaskReceiverOptions) {
    this.#options = options;
    this.#stopListening = options.log.changed.on((transitions) => {
      // The batch is still being handed out: what is appended here comes after it.
      if (transitions.some(({ kind }) => HEEDED.has(kind))) queueMicrotask(() => this.look());
    });
  }

  /** The user has answered: the server fetches this by `tasks/result`. */
  keep(taskId: string, result: object): void {
    this.#typed.set(taskId, result);
  }

  /** Creates, expires and cancels tasks, and responds to what the server waits for. */
  look(): void {
    this.#create();
    this.#expire();
    if (!this.#options.link.canReply) return;
    const { requests } = this.#options.log.state.receivedTasks;
    for (const [id, request] of requests) if (!this.#sending.has(id)) void this.#reply(id, request);
  }

  close(): void {
    this.#stopListening();
    this.#cancelTimer?.();
  }

  /** A task is stored before the server learns its ID, so a page that dies in between responds with the same one. */
  #create(): void {
    const { log, newId } = this.#options;
    if (log.state.era?.protocolVersion !== TASKS_VERSION) return;
    for (const [requestId, request] of log.state.receivedTasks.requests) {
      const question = QUESTION_METHODS.has(request.method) ? log.state.questions.get(requestId) : undefined;
      if (!question || question.task) continue;
      const change = { name: 'task', taskId: newId(), ttlMs: ttlOf(request) } as const;
      log.append({ body: { kind: 'question', requestId, change } });
    }
  }

  #expire(): void {
    const { log, clock } = this.#options;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const open = [...log.state.receivedTasks.tasks.values()].filter(({ end }) => !end);
    const next = Math.min(...open.map(expiresAt));
    for (const task of open) {
      if (clock.now() < expiresAt(task)) continue;
      const change = {
        name: 'expired',
        reason: { code: 'task-expired', how: 'question' },
      } as const;
      log.append({ body: { kind: 'question', requestId: task.question.id, change } });
    }
    if (next === Infinity) return;
    this.#cancelTimer = clock.after(Math.max(0, next - clock.now()), () => this.look());
  }

  async #reply(id: string, request: TaskRequest): Promise<void> {
    const { log, clock, flushed, link } = this.#options;
    // An earlier protocol version knows no tasks: the user's answer is the response.
    if (QUESTION_METHODS.has(request.method) && log.state.era?.protocolVersion !== TASKS_VERSION) return;
    const { tasks } = log.state.receivedTasks;
    const body = this.#bodyOf(respondTo(request, { tasks, typed: this.#typed, now: clock.now() }));
    if (!body) return;
    this.#sending.add(id);
    try {
      await flushed();
      await link.require().respond(request.rpcId, body);
    } catch {
      // The connection's own state says what is wrong; this is tried again when it is back.
    } finally {
      this.#sending.delete(id);
    }
  }

  #bodyOf(response: Response): Body | undefined {
    const { log } = this.#options;
    switch (response.name) {
      case 'wait':
        return undefined;
      case 'result':
        return { result: { ...response.result } };
      case 'error':
        return { error: response.error };
      case 'cancel': {
        const { taskId, question } = response.task;
        const change = { name: 'cancelled', reason: { code: 'taken-back', how: 'task' } } as const;
        log.append({ body: { kind: 'question', requestId: question.id, change } });
        const task = log.state.receivedTasks.tasks.get(taskId) ?? response.task;
        return { result: { ...describeTask(task, { typed: this.#typed }) } };
      }
    }
  }
}
