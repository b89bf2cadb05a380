/** The state of the connection as the app sees it: what the log says, but for what only the last page knew. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { loadPart } from '../../base/loadPart.ts';
import type { EntryBatch } from '../../log/entry/entryBatch.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { ClientError, closedError } from './clientError.ts';
import { isOnItsWay, isSameState, publicStateOf, restoredState, type FailureTexts } from './publicState.ts';
import type { ConnectionState } from './stateTypes.ts';

const CLOSED: ConnectionState = { name: 'closed', reason: 'closed' };
const FORGOTTEN: ConnectionState = {
  name: 'disconnected',
  why: 'The stored data of this server was removed.',
};
const NOT_LOADED: FailureTexts = {
  why: () => 'Can’t connect to the server.',
  fix: () => 'Look at the browser’s console and network log.',
};

export interface WatchedServer {
  readonly handle: Pick<ServerHandle, 'role' | 'state'>;
}

export class ConnectionWatch {
  /** Any change, also of how much was recovered. */
  readonly changed = new Emitter<ConnectionState>();
  readonly #server: WatchedServer;
  readonly #clock: Clock;
  /** The state in the log is the one that the last page has left. */
  #isRestored = true;
  #end: ConnectionState | undefined;
  #texts: FailureTexts | undefined;
  #state: ConnectionState;

  constructor(server: WatchedServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
    this.#state = { name: 'connecting' };
    this.look();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  heed({ others }: EntryBatch): void {
    if (others.some(({ kind }) => kind === 'state')) this.#isRestored = false;
    this.look();
  }

  look(): void {
    const { role, state } = this.#server.handle;
    if (role === 'follows') this.#isRestored = false;
    const logged = this.#isRestored ? restoredState(state, this.#clock.now()) : state;
    const next = this.#end ?? publicStateOf(logged, this.#texts);
    // Until the sentences about a failure are there, the state before it stays.
    if (!next) void this.#loadTexts();
    else if (!isSameState(next, this.#state)) {
      this.#state = Object.freeze(next);
      this.changed.emit(this.#state);
    }
  }

  close(): void {
    this.#end = CLOSED;
    this.look();
  }

  /** Nothing is stored any more, until the app connects again. */
  set isForgotten(isForgotten: boolean) {
    if (this.#end === CLOSED) return;
    this.#end = isForgotten ? FORGOTTEN : undefined;
    this.#isRestored = true;
    this.look();
  }

  /** The first state that is not on its way to another one. */
  settled(): Promise<ConnectionState> {
    return this.until((state) => !isOnItsWay(state));
  }

  /** Resolves once connected. @throws ClientError where only the app or its user can help */
  async connected(): Promise<void> {
    const state = await this.settled();
    if (state.name === 'connected') return;
    if (state.name === 'closed') throw closedError();
    const why = 'why' in state ? ` ${state.why}` : '';
    throw new ClientError('not-connected', `Not connected (${state.name}).${why}`);
  }

  until(isReached: (state: ConnectionState) => boolean): Promise<ConnectionState> {
    if (isReached(this.#state)) return Promise.resolve(this.#state);
    return new Promise((resolve) => {
      const stop = this.changed.on((state) => {
        if (!isReached(state) && state.name !== 'closed') return;
        stop();
        resolve(state);
      });
    });
  }

  async #loadTexts(): Promise<void> {
    const texts = await loadPart(() => import('./failureTexts.ts')).catch(() => undefined);
    this.#texts ??= texts?.FAILURE_TEXTS ?? NOT_LOADED;
    this.look();
  }
}
