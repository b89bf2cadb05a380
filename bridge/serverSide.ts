/** What stands behind the path of a bridged server. */
import type { BridgeReplay } from '../src/base/bridgeContract.ts';
import { rpcError } from '../targets/core/messages.ts';
import type { BridgeSession } from './session.ts';
import type { BridgeSessions } from './sessions.ts';
import type { OpenUpstream } from './upstream.ts';

export interface SideAnswer {
  readonly response: Response;
  readonly replay: BridgeReplay;
}

export interface ServerSide {
  /** `path`: what follows the path of the server. */
  fetch(request: Request, path: string): Promise<SideAnswer>;
  find(headers: Headers): BridgeSession | undefined;
  close(now?: boolean): Promise<void>;
}

/** A program: every session is the bridge's, with a process of its own. */
export class StdioSide implements ServerSide {
  readonly #sessions: BridgeSessions;
  readonly #open: OpenUpstream;

  constructor(sessions: BridgeSessions, open: OpenUpstream) {
    this.#sessions = sessions;
    this.#open = open;
  }

  async fetch(request: Request, path: string): Promise<SideAnswer> {
    const response =
      path === '' ? await this.#sessions.fetch(request, this.#open) : rpcError(404, -32000, 'Not found');
    return { response, replay: 'bridge' };
  }

  find(headers: Headers): BridgeSession | undefined {
    return this.#sessions.find(headers);
  }

  close(now?: boolean): Promise<void> {
    return this.#sessions.close(now);
  }
}
