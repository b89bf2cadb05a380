/** Runs jobs in a worker, one after the other, and ends the worker when a job exceeds its time. */
import type { Clock } from '../base/clock.ts';
import { errorMessage } from '../base/format.ts';
import type { JobInput, JobName, JobOutput, JobReport, JobRequest } from './jobs.ts';

export type Limited<T> =
  | { readonly name: 'done'; readonly value: T }
  | { readonly name: 'too-slow' }
  /** No worker could be started, or the job threw. */
  | { readonly name: 'failed'; readonly why: string };

export type RunLimited = <N extends JobName>(name: N, input: JobInput<N>) => Promise<Limited<JobOutput<N>>>;

/** What this needs of a `Worker`. */
export interface WorkerLike {
  postMessage(request: JobRequest): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<JobReport>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface LimitedWorkerOptions {
  /** Throws where there are no workers. */
  readonly start: () => WorkerLike;
  readonly clock: Pick<Clock, 'after'>;
}

/** Counted in steps: while the page itself is busy, only one of them passes. */
const STEPS = 4;
const STEP_MS = 250;
/** The script may have to come over a slow network. */
const START_MS = 10_000;

interface Waiting {
  readonly request: JobRequest;
  readonly end: (end: Limited<unknown>) => void;
}

export class LimitedWorker {
  readonly #o: LimitedWorkerOptions;
  readonly #queue: Waiting[] = [];
  #worker: WorkerLike | undefined;
  #current: Waiting | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(options: LimitedWorkerOptions) {
    this.#o = options;
  }

  readonly run: RunLimited = (name, input) =>
    new Promise((resolve) => {
      // The output of a job is typed by its name; in between it is a message.
      const end = resolve as (end: Limited<unknown>) => void;
      this.#queue.push({ request: { name, input }, end });
      this.#next();
    });

  #next(): void {
    if (this.#current) return;
    this.#current = this.#queue.shift();
    if (!this.#current) return;
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage(this.#current.request);
      this.#limit(1, START_MS, { name: 'failed', why: 'The worker didn’t start.' });
    } catch (error) {
      // There are no workers here, or the input is too deep to be copied.
      this.#end({ name: 'failed', why: errorMessage(error) });
    }
  }

  #start(): WorkerLike {
    const worker = this.#o.start();
    worker.onmessage = ({ data }) => {
      if (worker === this.#worker) this.#take(data);
    };
    worker.onerror = ({ message }) => {
      if (worker === this.#worker) this.#stop({ name: 'failed', why: message || 'The worker didn’t load.' });
    };
    return worker;
  }

  #take(report: JobReport): void {
    if (report.name === 'began') this.#limit(STEPS, STEP_MS, { name: 'too-slow' });
    else if (report.name === 'done') this.#end({ name: 'done', value: report.output });
    else this.#end(report);
  }

  #limit(steps: number, stepMs: number, end: Limited<never>): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#o.clock.after(stepMs, () => {
      if (steps > 1) this.#limit(steps - 1, stepMs, end);
      else this.#stop(end);
    });
  }

  /** A job cannot be interrupted: the worker ends with it, and the next job gets a new one. */
  #stop(end: Limited<never>): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#end(end);
  }

  #end(end: Limited<unknown>): void {
    this.#cancelTimer?.();
    const current = this.#current;
    this.#current = undefined;
    current?.end(end);
    this.#next();
  }
}
