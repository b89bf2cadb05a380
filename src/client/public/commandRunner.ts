/** Carries out what an app asks for, once there is a connection, and says in codes why it could not. */
import type { Command } from '../tabs/tabChannel.ts';
import { abortable } from './abortable.ts';
import { clientErrorOf, closedError } from './clientError.ts';
import type { ConnectionWatch } from './connectionWatch.ts';
import type { CurrentServer } from './currentServer.ts';

export class CommandRunner {
  readonly #server: CurrentServer;
  readonly #connection: ConnectionWatch;
  readonly #closed: AbortSignal;

  constructor(server: CurrentServer, connection: ConnectionWatch, closed: AbortSignal) {
    this.#server = server;
    this.#connection = connection;
    this.#closed = closed;
  }

  /** Now, or not at all. */
  async run(command: Command): Promise<void> {
    this.requireOpen();
    try {
      await this.#unlessClosed(this.#server.handle.execute(command));
    } catch (error) {
      throw clientErrorOf(error);
    }
  }

  /** Waits while the connection is on its way, also if it breaks in between. */
  async whenConnected(command: Command, signal?: AbortSignal): Promise<unknown> {
    return abortable(this.#untilDone(command), signal);
  }

  requireOpen(): void {
    if (this.#closed.aborted) throw closedError();
  }

  async #untilDone(command: Command): Promise<unknown> {
    for (;;) {
      await this.#connection.connected();
      try {
        return await this.#unlessClosed(this.#server.handle.execute(command));
      } catch (error) {
        const failed = clientErrorOf(error);
        if (failed.code !== 'not-connected') throw failed;
        // The log is about to say that the connection has broken.
        await this.#connection.until(({ name }) => name !== 'connected');
      }
    }
  }

  #unlessClosed<T>(work: Promise<T>): Promise<T> {
    return abortable(work, this.#closed).catch((error: unknown) => {
      throw this.#closed.aborted ? closedError() : error;
    });
  }
}
