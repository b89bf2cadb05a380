/** The part of the page that draws a server. A page that comes back to one loads it beside the server's log. */
import { loadPart } from '../../base/loadPart.ts';
import type * as serverPart from './serverPart.ts';

type ServerPart = typeof serverPart;

export class LazyServer {
  #part = $state.raw<ServerPart>();
  #isMissing = $state(false);
  #loading: Promise<void> | undefined;

  get part(): ServerPart | undefined {
    return this.#part;
  }

  /** It couldn't be fetched. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** Resolves when it's there, or is known to be missing. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    this.#isMissing = false;
    try {
      this.#part = await loadPart(() => import('./serverPart.ts'));
    } catch {
      this.#loading = undefined;
      this.#isMissing = true;
    }
  }
}
