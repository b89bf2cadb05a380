/** The tasks of one server: those that were started here, those that the server lists, and what it offers. */
import { otherTasks } from '../client/inspector/index.ts';
import type { Call } from '../log/state/call.ts';
import type { ListedTask, Task } from '../log/protocol/task.ts';
import type { ShownServer } from './shownServer.ts';

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export class ServerTasks {
  readonly #tab: ShownServer;
  /** The tab, for what is drawn. */
  readonly #track: () => ShownServer;

  constructor(tab: ShownServer, track: () => ShownServer) {
    this.#tab = tab;
    this.#track = track;
  }

  /** Started here, the newest first. */
  get started(): readonly Task[] {
    return [...this.#track().log.state.continuations.tasks.values()].reverse();
  }

  /** Not started here, as the server listed them last. */
  get others(): readonly ListedTask[] {
    return otherTasks(this.#track());
  }

  get areOffered(): boolean {
    const capabilities = this.#track().session?.handshake.capabilities;
    return capabilities?.tasks !== undefined || capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;
  }

  /** MCP 2025-11-25, Tasks: what the server offers beside the tasks themselves. */
  get abilities(): { readonly lists: boolean; readonly cancels: boolean } {
    const { list, cancel } = this.#track().session?.handshake.capabilities.tasks ?? {};
    return { lists: list !== undefined, cancels: cancel !== undefined };
  }

  /**
   * Whether the server may have made a task of a call whose response was lost. Nothing in `tasks/list` says which call
   * a task belongs to, so it's for the user to find it there.
   */
  mayHold({ name, tool, taskId }: Call): boolean {
    const support = this.#track().lists.tools.find((one) => one.name === tool)?.execution?.taskSupport;
    const isCutOff = (name === 'unknown' || name === 'lost') && taskId === undefined;
    return isCutOff && this.abilities.lists && (support === 'optional' || support === 'required');
  }

  async refresh(): Promise<void> {
    await this.#tab.execute({ name: 'list-tasks' });
  }

  async follow(taskId: string): Promise<void> {
    await this.#tab.execute({ name: 'follow-task', taskId });
  }

  async cancel(taskId: string): Promise<void> {
    await this.#tab.execute({ name: 'cancel-task', taskId });
  }
}
