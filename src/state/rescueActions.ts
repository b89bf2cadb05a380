/** What the page offers for a server that it can't open. The code behind it is loaded when it is needed. */
import type { Rescue, SavedServer } from '../client/inspector/index.ts';

export interface RescueOptions {
  readonly load: () => Promise<Rescue>;
  /** The server that the page tried to draw. */
  readonly suspect: () => string | undefined;
  /** Removes a server that is open after all; without one, only what is stored is removed. */
  readonly workspace: () => { remove(id: string): Promise<void> } | undefined;
  /** Takes away what the browser keeps of a server outside of its log. */
  readonly forget: (id: string) => void;
}

export class RescueActions {
  readonly #o: RescueOptions;

  constructor(options: RescueOptions) {
    this.#o = options;
  }

  /** The server that the page tried to draw, or all of them if it didn't get that far. */
  async servers(): Promise<readonly SavedServer[]> {
    const all = await (await this.#o.load()).servers();
    const suspect = this.#o.suspect();
    return suspect === undefined ? all : all.filter(({ id }) => id === suspect);
  }

  async exportLog(record: SavedServer): Promise<string> {
    return (await this.#o.load()).exportLog(record);
  }

  async remove(record: SavedServer): Promise<void> {
    const workspace = this.#o.workspace();
    if (workspace) return workspace.remove(record.id);
    await (await this.#o.load()).remove(record);
    this.#o.forget(record.id);
  }
}
