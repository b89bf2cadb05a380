/** The lists of a session: read when it has begun, and again after a page was away. */
import { errorMessage } from '../../base/format.ts';
import type { Log } from '../../log/log.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { CatalogSync } from '../catalog/catalogSync.ts';
import type { ServerLink } from '../link/serverLink.ts';

export interface SessionListsOptions {
  readonly log: Log;
  readonly lists: CatalogSync;
  readonly link: ServerLink;
}

export class SessionLists {
  readonly #options: SessionListsOptions;
  /** The server may have changed while no page was there. */
  #areOld = false;

  constructor(options: SessionListsOptions) {
    this.#options = options;
  }

  markOld(): void {
    this.#areOld = true;
  }

  async read(): Promise<void> {
    const { lists, link } = this.#options;
    try {
      await lists.refresh();
    } catch (error) {
      if (link.blocked?.name === 'login') return;
      await lists.fail(this.#failed(error));
    }
  }

  /** For the first request after a reload, where one is needed. */
  follow(): Promise<void> {
    this.#areOld = false;
    return this.#options.lists.follow();
  }

  followIfOld(): void {
    if (!this.#areOld) return;
    this.#areOld = false;
    // MCP 2026-07-28: lists say how long they are fresh, and are read again after that.
    if (this.#options.link.stateless) return;
    this.#options.lists.follow().catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): Reason {
    const reason: Reason = { code: 'lists-failed', text: errorMessage(error) };
    this.#options.log.append({ body: { kind: 'note', level: 'warn', reason } });
    return reason;
  }
}
