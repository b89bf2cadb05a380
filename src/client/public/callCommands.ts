/** What an app can do with a call that it has. */
import type { CallMessage, MessagesOptions } from './callTypes.ts';
import type { CommandRunner } from './commandRunner.ts';
import type { CurrentServer } from './currentServer.ts';
import { messagesOf } from './messagesOf.ts';

export class CallCommands {
  readonly #server: CurrentServer;
  readonly #commands: CommandRunner;
  readonly #closed: AbortSignal;

  constructor(server: CurrentServer, commands: CommandRunner, closed: AbortSignal) {
    this.#server = server;
    this.#commands = commands;
    this.#closed = closed;
  }

  cancel(callId: string, message?: string): Promise<void> {
    return this.#commands.run({ name: 'cancel', callId, ...(message !== undefined && { message }) });
  }

  forget(callId: string): Promise<void> {
    return this.#commands.run({ name: 'forget-call', callId });
  }

  messages(callId: string, options: MessagesOptions): AsyncIterable<CallMessage> {
    return messagesOf(this.#server.handle, callId, options, this.#closed);
  }
}
