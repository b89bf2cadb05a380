/** The tasks of a target, as both generations of the protocol need them: handles, states, questions, time to live. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { silent, type LogSink } from '../log.ts';
import { RpcFault, type Answer, type InputRequest } from '../toolContext.ts';

export type TaskState =
  | { readonly name: 'working' }
  | { readonly name: 'input_required'; readonly requests: ReadonlyMap<string, InputRequest> }
  | { readonly name: 'completed'; readonly result: CallToolResult }
  | { readonly name: 'failed'; readonly fault: RpcFault }
  | { readonly name: 'cancelled' };

type TaskEnd = Extract<TaskState, { name: 'completed' | 'failed' | 'cancelled' }>;

export interface TargetTask {
  readonly id: string;
  readonly tool: string;
  readonly createdAt: number;
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
  readonly state: TaskState;
  readonly message: string | undefined;
  readonly updatedAt: number;
  /** Aborted when the task is cancelled, or gone. */
  readonly signal: AbortSignal;
}

export interface TaskSettings {
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Kept {
  readonly task: Mutable<TargetTask>;
  readonly abort: AbortController;
  readonly waiting: Map<string, { request: InputRequest; resolve: (answer: Answer) => void }>;
}

const INVALID_PARAMS = -32602;

const isOver = ({ name }: TaskState) => name === 'completed' || name === 'failed' || name === 'cancelled';

export class TaskLedger {
  readonly #now: () => number;
  readonly #log: LogSink;
  readonly #kept = new Map<string, Kept>();
  readonly #expired = new Set<string>();
  readonly #listeners = new Set<(task: TargetTask) => void>();
  #closed = false;

  constructor({
    now = Date.now,
    log = silent,
  }: { now?: (() => number) | undefined; log?: LogSink | undefined } = {}) {
    this.#now = now;
    this.#log = log;
  }

  get all(): readonly TargetTask[] {
    this.#prune();
    return [...this.#kept.values()].map(({ task }) => task);
  }

  /** Every change of any task. Returns the undo. */
  onChange(listener: (task: TargetTask) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A task that exists before anybody is told of it; `run` starts when the caller is done. */
  create(tool: string, settings: TaskSettings): TargetTask {
    const abort = new AbortController();
    const createdAt = this.#now();
    const task: Mutable<TargetTask> = {
      id: crypto.randomUUID(),
      tool,
      createdAt,
      ...settings,
      state: { name: 'working' },
      message: undefined,
      updatedAt: createdAt,
      signal: abort.signal,
    };
    this.#kept.set(task.id, { task, abort, waiting: new Map() });
    this.#log({ event: 'task.created', task: task.id, tool });
    return task;
  }

  find(id: string): TargetTask | undefined {
    return this.#find(id)?.task;
  }

  /** As `find`, for a request that names the task. */
  demand(id: string): TargetTask {
    const task = this.find(id);
    if (task) return task;
    const why = this.#expired.has(id) ? 'Task has expired' : 'Task not found';
    throw new RpcFault(INVALID_PARAMS, `Failed to retrieve task: ${why}`);
  }

  /** Where the work has got to. */
  say(id: string, message: string): void {
    this.#change(id, ({ task }) => (task.message = message));
  }

  /** The task waits for the client until every key has its answer. */
  ask(
    id: string,
    requests: Readonly<Record<string, InputRequest>>,
  ): Promise<Readonly<Record<string, Answer>>> {
    const kept = this.#find(id);
    if (!kept) return Promise.reject(new Error('Cancelled'));
    const answers: Record<string, Answer> = {};
    return new Promise((resolve, reject) => {
      kept.abort.signal.addEventListener('abort', () => reject(new Error('Cancelled')), { once: true });
      for (const [key, request] of Object.entries(requests)) {
        kept.waiting.set(key, {
          request,
          resolve: (answer) => {
            answers[key] = answer;
            if (Object.keys(requests).every((asked) => asked in answers)) resolve(answers);
          },
        });
      }
      this.#change(id, () => this.#showQuestions(kept));
    });
  }

  /** Keys that nobody asked for, or that have their answer, are passed over. */
  answer(id: string, responses: Readonly<Record<string, Answer>>): void {
    this.demand(id);
    this.#change(id, (kept) => {
      const answered = Object.entries(responses).flatMap(([key, answer]) => {
        const question = kept.waiting.get(key);
        kept.waiting.delete(key);
        return question ? [() => question.resolve(answer)] : [];
      });
      this.#showQuestions(kept);
      for (const resolve of answered) resolve();
    });
  }

  /** A question that goes to the client in another way than by `ask`. */
  showWaiting(id: string, waits: boolean): void {
    this.#change(id, ({ task }) => {
      task.state = waits ? { name: 'input_required', requests: new Map() } : { name: 'working' };
    });
  }

  /** The first end counts. */
  settle(id: string, state: TaskEnd): void {
    this.#change(id, (kept) => {
      kept.task.state = state;
      kept.waiting.clear();
      if (state.name === 'cancelled') kept.abort.abort();
      this.#log({ event: `task.${state.name}`, task: id, tool: kept.task.tool });
    });
  }

  /** As if its time had passed. */
  expire(id: string): void {
    this.#expire(id);
  }

  /** All of them, as if their time had passed. */
  expireAll(): void {
    for (const id of [...this.#kept.keys()]) this.#expire(id);
  }

  close(): void {
    this.#closed = true;
    for (const { abort } of this.#kept.values()) abort.abort();
    this.#listeners.clear();
  }

  get isBusy(): boolean {
    return !this.#closed && this.all.some(({ state }) => state.name === 'working');
  }

  #find(id: string): Kept | undefined {
    this.#prune();
    return this.#kept.get(id);
  }

  #change(id: string, change: (kept: Kept) => void): void {
    const kept = this.#find(id);
    if (!kept || isOver(kept.task.state)) return;
    change(kept);
    kept.task.updatedAt = this.#now();
    for (const listener of this.#listeners) listener(kept.task);
  }

  #showQuestions({ task, waiting }: Kept): void {
    const requests = new Map([...waiting].map(([key, { request }]) => [key, request]));
    task.state = requests.size > 0 ? { name: 'input_required', requests } : { name: 'working' };
  }

  #prune(): void {
    for (const { task } of this.#kept.values()) {
      if (task.ttlMs !== null && this.#now() > task.createdAt + task.ttlMs) this.#expire(task.id);
    }
  }

  #expire(id: string): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    kept.abort.abort();
    this.#kept.delete(id);
    this.#expired.add(id);
    this.#log({ event: 'task.expired', task: id, tool: kept.task.tool });
  }
}
