/**
 * Follows tasks to their end, in whatever page: polls at the server's interval, fetches results, passes answers on.
 * What it learns is in the log before it acts on it; the state folds the calls from there.
 */
import type { TaskController } from '@modelcontextprotocol/ext-tasks/client';
import { asText } from '../../base/asText.ts';
import type { Clock } from '../../base/clock.ts';
import { loadPart } from '../../base/loadPart.ts';
import { numberField, stringField, type JsonObject } from '../../base/json.ts';
import { errorMessage } from '../../base/format.ts';
import { isOpen } from '../../log/state/call.ts';
import type { CallChange } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import { isFollowed, isTerminal, type Task, type TaskGeneration } from '../../log/protocol/task.ts';
import { followUpId, type FollowUp } from '../../log/protocol/wireId.ts';
import { backoffMs } from '../../base/backoff.ts';
import type { EmitLinkEvent } from '../streams/linkEvent.ts';
import type { ProtocolDriver } from '../protocol/driver.ts';
import { NoAnswer } from '../protocol/rawRequests.ts';
import { endOfTask, pollDelayMs, type TaskFailure } from './taskPace.ts';
import { TaskResults, type LongRequests } from './taskResults.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export interface TaskConnection extends LongRequests, Pick<ProtocolDriver, 'callFacts'> {
  readonly generation: TaskGeneration | undefined;
  /** `tasks` of the server's capabilities. */
  readonly capabilities: JsonObject;
  ask(id: string, method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject>;
}

export interface TaskFollowerOptions {
  readonly log: ServerLog;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly connection: () => TaskConnection | undefined;
  readonly emit: EmitLinkEvent;
}

const ASK_TIMEOUT_MS = 30_000;
const ROLES: Readonly<Record<string, FollowUp>> = {
  'tasks/get': 'poll',
  'tasks/update': 'update',
  'tasks/cancel': 'cancel',
};

export class TaskFollower {
  readonly #options: TaskFollowerOptions;
  readonly #following = new Set<string>();
  readonly #results: TaskResults;
  readonly #stopListening: () => void;
  /** Ends the pauses of one connection's loops; another connection begins its own. */
  #wakers = new Set<() => void>();
  #generation = 0;

  constructor(options: TaskFollowerOptions) {
    this.#options = options;
    this.#results = new TaskResults(options);
    this.#stopListening = options.log.changed.on((transitions) => {
      for (const one of transitions) if (one.kind === 'taskChanged') this.heed(one.taskId);
    });
  }

  /** Resumes every task that there is more to learn of, with the connection as it is now. */
  resume(): void {
    this.pause();
    const open = [...this.#tasks()].filter((task) => this.#isWanted(task));
    for (const task of open) this.#follow(task, 0);
  }

  /** The connection is gone; the tasks are not. */
  pause(): void {
    this.#generation += 1;
    this.#following.clear();
    for (const wake of this.#wakers) wake();
    this.#wakers = new Set();
  }

  close(): void {
    this.#stopListening();
    this.pause();
  }

  async answer(taskId: string, key: string, response: object): Promise<void> {
    await (await this.#open(taskId)).updateJson({ [key]: response });
  }

  /** A task is asked to stop; whether it does is its own affair. */
  async cancel(callId: string): Promise<void> {
    const task = this.#options.log.state.continuations.taskOf(callId);
    if (!task) return;
    try {
      await (await this.#open(task.taskId)).cancel();
    } catch (error) {
      this.#note({ code: 'task-odd', how: 'not-cancelled', text: errorMessage(error) });
    }
  }

  /** Follows a task that was not started here, as a request of its own. @returns the ID of that request */
  async adopt(taskId: string): Promise<string> {
    const { log, newId } = this.#options;
    const known = log.state.continuations.tasks.get(taskId);
    if (known) return known.callId;
    const connection = this.#options.connection();
    if (!connection?.generation) throw new NoAnswer('This server doesn’t support tasks.');
    const callId = newId();
    const change: CallChange = {
      name: 'sending',
      method: 'tasks/result',
      tool: taskId,
      args: {},
      timeoutMs: ASK_TIMEOUT_MS,
      repeatable: true,
      ...connection.callFacts,
    };
    log.append({ body: { kind: 'call', callId, change } });
    await log.flushed();
    const id = followUpId(callId, 'poll', newId());
    const answer = await connection
      .ask(id, 'tasks/get', { taskId }, ASK_TIMEOUT_MS)
      .catch((error: unknown): JsonObject => ({ error: { code: 0, message: errorMessage(error) } }));
    await log.folded();
    if (log.state.continuations.taskOf(callId)) return callId;
    const code = numberField(answer['error'], 'code') ?? 0;
    const message = stringField(answer['error'], 'message') ?? 'The response has no task.';
    const failed: CallChange = {
      name: 'failed',
      error: { code, message },
      reason: { code: 'task-unknown', text: message },
    };
    log.append({ body: { kind: 'call', callId, change: failed } });
    throw new Error(message);
  }

  #tasks(): IterableIterator<Task> {
    return this.#options.log.state.continuations.tasks.values();
  }

  /** There is news of this task. */
  heed(taskId: string): void {
    const task = this.#options.log.state.continuations.tasks.get(taskId);
    if (task && this.#options.connection() && this.#isWanted(task)) this.#follow(task, pollDelayMs(task));
  }

  /** Is there anything left to learn? The core generation keeps its result for a request of its own. */
  #isWanted(task: Task): boolean {
    if (isFollowed(task)) return true;
    const call = this.#options.log.state.calls.get(task.callId);
    return task.generation === 'core' && task.ended === undefined && call !== undefined && isOpen(call);
  }

  #follow({ taskId }: Task, delayMs: number): void {
    if (this.#following.has(taskId)) return;
    this.#following.add(taskId);
    const generation = this.#generation;
    void this.#loop(taskId, delayMs, () => generation === this.#generation).finally(() => {
      if (generation === this.#generation) this.#following.delete(taskId);
    });
  }

  async #loop(taskId: string, firstDelayMs: number, isCurrent: () => boolean): Promise<void> {
    // The handle is stored before anything else happens with it.
    await this.#options.log.flushed();
    let delayMs = firstDelayMs;
    let failures = 0;
    for (;;) {
      await this.#pause(delayMs);
      const task = this.#options.log.state.continuations.tasks.get(taskId);
      if (!isCurrent() || !task || !this.#isWanted(task)) return;
      try {
        await this.#step(task);
        if (failures > 0) this.#options.emit({ kind: 'healthy' });
        failures = 0;
      } catch (error) {
        const failure = readFailure(error);
        if (!isCurrent() || this.#ended(task, failure)) return;
        failures += 1;
        const { clock, emit } = this.#options;
        delayMs = Math.max(pollDelayMs(task), backoffMs(failures, 'calm', clock.random()));
        // The server is there, and what could be read of its answer is in the log.
        if (failure.kind === 'unreadable') {
          if (failures === 1) this.#note({ code: 'task-odd', how: 'malformed', text: errorMessage(error) });
        } else {
          emit({
            kind: 'trouble',
            attempt: failures,
            retryAt: clock.now() + delayMs,
            reason: { code: 'no-answer', how: 'connection', text: errorMessage(error) },
          });
        }
        continue;
      }
      delayMs = pollDelayMs(this.#options.log.state.continuations.tasks.get(taskId) ?? task);
    }
  }

  async #step(task: Task): Promise<void> {
    const connection = this.#options.connection();
    if (connection?.generation !== task.generation) {
      throw new OtherGeneration();
    }
    const isAtResult = isTerminal(task.status) || task.status === 'input_required';
    const hasResult = task.generation === 'core' && (isAtResult || this.#results.leftBy(task));
    if (!hasResult) await this.#poll(task);
    else await this.#heedRefusal(task, await this.#results.await(connection, task));
  }

  async #poll({ taskId }: Task): Promise<void> {
    await (await this.#open(taskId)).snapshot();
  }

  /** An error that didn't end the call: the server may have forgotten the task, or not have its result yet. */
  async #heedRefusal(task: Task, { error }: JsonObject): Promise<void> {
    const { log } = this.#options;
    await log.folded();
    const call = log.state.calls.get(task.callId);
    if (error === undefined || !call || !isOpen(call)) return;
    await this.#poll(task);
    await log.folded();
    if (log.state.continuations.tasks.get(task.taskId)?.status !== 'completed') return;
    const text = stringField(error, 'message') ?? '';
    const change: CallChange = {
      name: 'failed',
      error: { code: numberField(error, 'code') ?? 0, message: text },
      reason: { code: 'task-odd', how: 'result-refused', text },
    };
    log.append({ body: { kind: 'call', callId: task.callId, change } });
  }

  /** Some refusals are final: the page says so, and stops. */
  #ended(task: Task, failure: TaskFailure): boolean {
    const end = endOfTask(task, failure, this.#options.clock.now());
    if (!end) return false;
    const { taskId, callId } = task;
    this.#options.log.append(
      { body: { kind: 'task', taskId, callId, change: { name: 'ended', reason: end.reason } } },
      { body: { kind: 'call', callId, change: { name: end.name, reason: end.reason } } },
    );
    return true;
  }

  async #open(taskId: string): Promise<TaskController> {
    const connection = this.#options.connection();
    if (!connection) throw new NoAnswer('Not connected.');
    // Most servers have no tasks: what speaks of them is loaded with the first.
    const { openTask } = await loadPart(() => import('./taskPort.ts'));
    return openTask(taskId, {
      server: this.#options.log.server,
      generation: connection.generation ?? 'extension',
      capabilities: connection.capabilities,
      ask: (method, params) => this.#ask(method, params),
    });
  }

  async #ask(method: string, params: JsonObject): Promise<JsonObject> {
    const connection = this.#options.connection();
    const task = this.#options.log.state.continuations.tasks.get(asText(params['taskId']));
    if (!connection || !task) throw new NoAnswer('Not connected.');
    const role = ROLES[method] ?? 'poll';
    const id = followUpId(task.callId, role, this.#options.newId());
    return connection.ask(id, method, params, ASK_TIMEOUT_MS);
  }

  #note(reason: Reason): void {
    this.#options.log.append({ body: { kind: 'note', level: 'info', reason } });
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.#wakers.delete(wake);
        resolve();
      };
      const cancel = this.#options.clock.after(delayMs, wake);
      this.#wakers.add(wake);
    });
  }
}

class OtherGeneration extends Error {
  override readonly name = 'OtherGeneration';
}

/** The library wraps what the server answered; only the code matters here. */
function readFailure(error: unknown): TaskFailure {
  if (error instanceof OtherGeneration) return { kind: 'other-generation' };
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return { kind: 'error', code, message: errorMessage(error) };
  const isMisread = error instanceof Error && error.name === 'ProtocolDecodeError';
  return isMisread ? { kind: 'unreadable' } : { kind: 'no-answer' };
}
