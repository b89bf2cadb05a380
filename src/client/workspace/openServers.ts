/** The servers of the list that are open in this tab, and why the others can't be. */
import { Emitter } from '../../base/emitter.ts';
import { errorMessage } from '../../base/format.ts';
import type { ServerEnvironment } from '../servers/serverEnvironment.ts';
import { ServerHandle } from '../servers/serverHandle.ts';
import type { SavedServer } from '../settings/savedServer.ts';
import { noServer } from './listEdits.ts';
import type { ServerDirectory } from './serverDirectory.ts';

export class OpenServers {
  /** There are other servers than before, or they have other settings. */
  readonly changed = new Emitter<undefined>();
  /** Another tab has taken this one away. */
  readonly removed = new Emitter<string>();
  readonly opened = new Emitter<ServerHandle>();
  readonly #env: ServerEnvironment;
  readonly #list: ServerDirectory;
  readonly #handles = new Map<string, ServerHandle>();
  readonly #problems = new Map<string, string>();
  #opening: Promise<void> = Promise.resolve();

  constructor(env: ServerEnvironment, list: ServerDirectory) {
    this.#env = env;
    this.#list = list;
    list.changed.on(() => void this.follow());
  }

  get all(): readonly ServerHandle[] {
    return [...this.#handles.values()];
  }

  /** In the order that the user gave them, without those that are hidden. */
  get shown(): readonly ServerHandle[] {
    return this.#list.all.flatMap(({ id, forgottenAt }) => {
      const handle = forgottenAt === undefined ? this.#handles.get(id) : undefined;
      return handle ? [handle] : [];
    });
  }

  find(id: string): ServerHandle | undefined {
    return this.#handles.get(id);
  }

  require(id: string): ServerHandle {
    const handle = this.#handles.get(id);
    if (handle) return handle;
    const why = this.#problems.get(id);
    const name = this.#list.find(id)?.name ?? id;
    throw why === undefined ? noServer(id) : new Error(`“${name}” can’t be opened: ${why}`);
  }

  problemOf(id: string): string | undefined {
    return this.#problems.get(id);
  }

  /** It is taken away here. */
  drop(id: string): void {
    this.#handles.delete(id);
    this.#problems.delete(id);
  }

  /** Opens what is on the list. One after the other: a server that two of them opened would be led twice. */
  follow(): Promise<void> {
    this.#opening = this.#opening.then(() => this.#openMissing());
    return this.#opening;
  }

  /** As many as there are servers on the list, each with the address and the settings that it has there. */
  async #openMissing(): Promise<void> {
    await Promise.all(this.#list.all.map((record) => this.#open(record)));
    for (const [id, handle] of this.#handles) {
      if (this.#list.find(id)) continue;
      this.#handles.delete(id);
      this.removed.emit(id);
      void handle.close();
    }
    this.changed.emit(undefined);
  }

  async #open(record: SavedServer): Promise<void> {
    const { id } = record;
    try {
      const open = this.#handles.get(id);
      if (open) await open.configure(record);
      else await this.#openNew(record);
      this.#problems.delete(id);
    } catch (error) {
      // The others must open. This one is offered for export and removal.
      this.#problems.set(id, errorMessage(error));
    }
  }

  async #openNew(record: SavedServer): Promise<void> {
    const handle = await ServerHandle.open(this.#env, record);
    this.#handles.set(record.id, handle);
    this.opened.emit(handle);
  }
}
