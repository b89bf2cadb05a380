/** What a person can do with the list of servers, and with each of them beside the one that is looked at. */
import { errorMessage } from '../base/format.ts';
import {
  type AddedBy,
  type ConnectOptions,
  type Credentials,
  type Revision,
  type SavedServer,
  type ServerSettings,
  UNDO_MS,
  type Workspace,
} from '../client/inspector/index.ts';
import type { Toasts } from './toasts.svelte.ts';

export class ServerActions {
  readonly #workspace: Workspace;
  readonly #toasts: Toasts;

  constructor(workspace: Workspace, toasts: Toasts) {
    this.#workspace = workspace;
    this.#toasts = toasts;
  }

  /** @returns the new id, or what is wrong with the address */
  async add(
    address: string,
    options: ConnectOptions,
    by: AddedBy,
  ): Promise<{ id: string } | { problem: string }> {
    try {
      return { id: await this.#workspace.add(address, options, by) };
    } catch (error) {
      return { problem: errorMessage(error) };
    }
  }

  /** When a server was added, and how. */
  addedOf(id: string): Pick<SavedServer, 'addedAt' | 'addedBy'> {
    return this.#workspace.addedOf(id);
  }

  /** @returns what is wrong, if something is */
  edit(
    id: string,
    address: string,
    settings: ServerSettings & { readonly name: string },
    credentials: Credentials | undefined,
  ): Promise<string | undefined> {
    return problemOf(this.#workspace.edit(id, address, settings, credentials));
  }

  connect(id: string): Promise<string | undefined> {
    return problemOf(this.#workspace.connectTo(id));
  }

  /** Keeps the choice, and connects anew with it. */
  useRevision(name: string, url: string, revision: Revision): Promise<string | undefined> {
    return problemOf(this.#workspace.connect(url, { name, revision }));
  }

  disconnect(id: string): Promise<string | undefined> {
    return problemOf(this.#workspace.disconnectFrom(id));
  }

  async move(id: string, by: -1 | 1): Promise<void> {
    await this.#workspace.move(id, by);
  }

  /** Nothing is gone until the notice is: it can be taken back. */
  async forget(id: string, name: string): Promise<void> {
    await this.#workspace.hide(id);
    this.#toasts.show(
      {
        text: `“${name}” removed, with its log, saved calls and credentials.`,
        action: { label: 'Undo', run: () => void this.#workspace.restore(id) },
        onDismiss: () => void this.#workspace.remove(id),
      },
      UNDO_MS,
    );
  }
}

async function problemOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}
