/** The tasks of a server. Most servers have none: what follows them is loaded with the first. */
import { loadPartPatiently } from '../../base/loadPart.ts';
import type { TaskFollower, TaskFollowerOptions } from './taskFollower.ts';

export class Tasks {
  readonly #options: TaskFollowerOptions;
  readonly #stopListening: () => void;
  #follower: TaskFollower | undefined;
  #loading: Promise<TaskFollower> | undefined;
  /** For the follower, when it is loaded. */
  #waiting: ((follower: TaskFollower) => void)[] = [];
  #isClosed = false;

  constructor(options: TaskFollowerOptions) {
    this.#options = options;
    this.#stopListening = options.log.changed.on((transitions) => {
      // Once it is there, it listens by itself.
      if (this.#follower) return;
      for (const one of transitions)
        if (one.kind === 'taskChanged') this.#tell((follower) => follower.heed(one.taskId));
    });
  }

  /** Resumes every task that there is more to learn of, with the connection as it is now. */
  resume(): void {
    this.pause();
    if (this.#options.log.state.continuations.tasks.size > 0) this.#tell((follower) => follower.resume());
  }

  /** The connection is gone; the tasks are not. */
  pause(): void {
    this.#waiting = [];
    this.#follower?.pause();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#waiting = [];
    this.#follower?.close();
  }

  async answer(taskId: string, key: string, response: object): Promise<void> {
    await (await this.#load()).answer(taskId, key, response);
  }

  async cancel(callId: string): Promise<void> {
    await (await this.#load()).cancel(callId);
  }

  async adopt(taskId: string): Promise<string> {
    return (await this.#load()).adopt(taskId);
  }

  #tell(act: (follower: TaskFollower) => void): void {
    if (this.#follower) return act(this.#follower);
    this.#waiting.push(act);
    void this.#load();
  }

  #load(): Promise<TaskFollower> {
    this.#loading ??= this.#make();
    return this.#loading;
  }

  async #make(): Promise<TaskFollower> {
    const { TaskFollower } = await loadPartPatiently(() => import('./taskFollower.ts'));
    const follower = new TaskFollower(this.#options);
    if (this.#isClosed) follower.close();
    this.#follower = follower;
    for (const act of this.#waiting) act(follower);
    this.#waiting = [];
    return follower;
  }
}
