/** The server of a client as it's open now: after its stored data was removed, it is opened anew. */
import { Emitter } from '../../base/emitter.ts';
import type { EntryBatch } from '../../log/entry/entryBatch.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { watchReturn } from './environment.ts';

export type OpenServer = () => Promise<ServerHandle>;

export class CurrentServer {
  readonly appended = new Emitter<EntryBatch>();
  /** The role, the lists or the settings have changed. */
  readonly changed = new Emitter<undefined>();
  /** Everything that is stored of this server was removed, here or in another tab. */
  readonly forgotten = new Emitter<undefined>();
  readonly #open: OpenServer;
  #handle: ServerHandle;
  #undo: readonly (() => void)[] = [];

  static async open(open: OpenServer): Promise<CurrentServer> {
    return new CurrentServer(open, await open());
  }

  private constructor(open: OpenServer, handle: ServerHandle) {
    this.#open = open;
    this.#handle = handle;
  }

  get handle(): ServerHandle {
    return this.#handle;
  }

  /** Nothing of it is heard: its data was removed, or its client was closed. */
  get isReleased(): boolean {
    return this.#undo.length === 0;
  }

  async reopen(): Promise<void> {
    this.#handle = await this.#open();
  }

  /** From now on its events are told. */
  attach(): void {
    const handle = this.#handle;
    this.#undo = [
      handle.log.appended.on((batch) => this.appended.emit(batch)),
      handle.changed.on(() => this.changed.emit(undefined)),
      handle.forgotten.on(() => this.forgotten.emit(undefined)),
      watchReturn(() => handle.retryNow()),
    ];
  }

  release(): void {
    for (const undo of this.#undo) undo();
    this.#undo = [];
  }
}
