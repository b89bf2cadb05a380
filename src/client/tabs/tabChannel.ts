/** How the tabs of one server talk: the leader tells what it has stored, the others send it their commands. */
import type { AppBody, AuthBody } from '../../log/entry/entry.ts';
import type { CallOptions } from '../calls/calls.ts';
import { CommandError, errorOf, tellError } from '../commandError.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { PrimitiveCommand } from '../catalog/primitives.ts';
import type { ServerPreferences } from '../settings/preferences.ts';
import type { ServerSettings } from '../settings/savedServer.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export type TabMessage =
  /** More of the log is on disk. Sending the entries themselves would clone each of them once more. */
  | { readonly type: 'stored' }
  /** A lock does not say who holds it: another tab, or what this page was before it was loaded again. */
  | { readonly type: 'who-leads' }
  | { readonly type: 'i-lead' }
  | { readonly type: 'lists'; readonly lists: Catalog }
  | { readonly type: 'wishes'; readonly wishes: ServerPreferences }
  | { readonly type: 'forgotten' }
  | { readonly type: 'command'; readonly id: string; readonly command: Command }
  | { readonly type: 'reply'; readonly id: string; readonly ok: boolean; readonly value: unknown };

export type Command =
  /** The tab that leads may not have heard yet what was changed in the list. */
  | {
      readonly name: 'connect';
      readonly url: string;
      readonly settings: ServerSettings;
      /** Credentials that only the tab that asks has, sealed. */
      readonly sealed?: string;
      readonly sealedLogin?: string;
    }
  /** Takes up the stored session, or begins one. */
  | { readonly name: 'reconnect' }
  | { readonly name: 'disconnect' }
  | {
      readonly name: 'call';
      readonly tool: string;
      readonly args: object;
      readonly options: CallOptions;
    }
  /** `message`: what the server is told. */
  | { readonly name: 'cancel'; readonly callId: string; readonly message?: string }
  | { readonly name: 'forget-call'; readonly callId: string }
  | { readonly name: 'answer'; readonly requestId: string; readonly result: object }
  | { readonly name: 'decline'; readonly requestId: string; readonly message?: string }
  /** What was begun at the address of this question is done. */
  | { readonly name: 'complete'; readonly requestId: string }
  | { readonly name: 'lists' | 'list-tasks' }
  /** A task that was not started here. */
  | { readonly name: 'follow-task' | 'cancel-task'; readonly taskId: string }
  /** Any request of the protocol, as somebody wrote it. */
  | { readonly name: 'request'; readonly method: string; readonly params: object }
  | { readonly name: 'primitive'; readonly command: PrimitiveCommand }
  /** A person has logged in, in whatever tab, or goes on without. */
  | {
      readonly name: 'authorized';
      readonly reason: Reason;
      /** The login, where only the tab that asks has it, sealed. */
      readonly sealedLogin?: string;
    }
  | { readonly name: 'login-failed'; readonly reason: Reason }
  /** Storage is full: the oldest entries of this server go, until so much is left. */
  | { readonly name: 'free-space'; readonly keepBytes: number }
  /** Only the leader writes the log. */
  | { readonly name: 'record-auth'; readonly body: AuthBody }
  | { readonly name: 'record-app'; readonly bodies: readonly AppBody[] };

const REPLY_TIMEOUT_MS = 30_000;

export class TabChannel {
  readonly #channel: BroadcastChannel;
  #isClosed = false;
  readonly #replies = new Map<string, (reply: TabMessage & { type: 'reply' }) => void>();

  /** @param channel the server's alone */
  constructor(channel: BroadcastChannel, onMessage: (message: TabMessage) => void) {
    this.#channel = channel;
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (data.type === 'reply') this.#replies.get(data.id)?.(data);
      else onMessage(data);
    };
  }

  tell(message: TabMessage): void {
    if (!this.#isClosed) this.#channel.postMessage(message);
  }

  /** Has the leader carry out a command. */
  ask(command: Command): Promise<unknown> {
    const id = crypto.randomUUID();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#replies.delete(id);
        reject(
          new CommandError('other-tab', 'The owner tab isn’t responding. Close it to use this tab instead.'),
        );
      }, REPLY_TIMEOUT_MS);
      this.#replies.set(id, (reply) => {
        clearTimeout(timer);
        this.#replies.delete(id);
        if (reply.ok) resolve(reply.value);
        else reject(errorOf(reply.value));
      });
      this.tell({ type: 'command', id, command });
    });
  }

  async reply(id: string, work: Promise<unknown>): Promise<void> {
    try {
      const value = await work;
      this.tell({ type: 'reply', id, ok: true, value });
    } catch (error) {
      this.tell({ type: 'reply', id, ok: false, value: tellError(error) });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#channel.close();
  }
}
