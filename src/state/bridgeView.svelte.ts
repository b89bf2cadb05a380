/** The bridge in front of a server, followed while somebody looks at it. Nothing of it is in the server's log. */
import type { BridgeStderrLine } from '../base/bridgeContract.ts';
import { errorMessage } from '../base/format.ts';
import { readBridge, type ShownBridge } from './bridgeStatus.ts';
import type { ServerView } from './serverView.svelte.ts';

/** Often enough to read along; a long poll would take one of the few connections that calls need. */
const POLL_MS = 1000;
const MAX_LINES = 1000;

export class BridgeView {
  readonly #server: ServerView;
  #status = $state.raw<ShownBridge>();
  #stderr = $state.raw<readonly BridgeStderrLine[]>([]);
  #problem = $state<string>();
  #session: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(server: ServerView) {
    this.#server = server;
    void this.#poll();
  }

  get status(): ShownBridge | undefined {
    return this.#status;
  }

  /** Oldest first. */
  get stderr(): readonly BridgeStderrLine[] {
    return this.#stderr;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #poll(): Promise<void> {
    if (document.visibilityState === 'visible') await this.#read();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS);
  }

  async #read(): Promise<void> {
    const { url, session } = this.#server;
    const sessionId = session?.sessionId;
    // A new session has a new process, whose lines are counted from 1.
    if (sessionId !== this.#session) this.#stderr = [];
    this.#session = sessionId;
    try {
      const after = this.#stderr.at(-1)?.number ?? 0;
      const status = await readBridge({ url, sessionId }, after, (input, init) => fetch(input, init));
      this.#status = status;
      if (status.stderr.length > 0) this.#stderr = [...this.#stderr, ...status.stderr].slice(-MAX_LINES);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = errorMessage(error);
    }
  }
}
