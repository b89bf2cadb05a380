/**
 * The link to one server: the connection that counts at the moment, and what it reports. Another connection takes its
 * place after a restart; what an earlier one reports late is not heard any more.
 */
import type { Blocked } from '../../auth/login.ts';
import { Emitter } from '../../base/emitter.ts';
import { loadPart } from '../../base/loadPart.ts';
import type { EraVerdict } from '../../log/protocol/era.ts';
import { shouldReconnect, type ConnectionState } from '../../log/state/connectionState.ts';
import { CommandError } from '../commandError.ts';
import { answers } from '../doctor/probe.ts';
import { SessionCheck } from '../exchange/sessionCheck.ts';
import { mayBeOldSse } from '../protocol/oldSse/mayBeOldSse.ts';
import type { Revision } from '../settings/savedServer.ts';
import type { LinkEvent, RequestFailure } from '../streams/linkEvent.ts';
import type { Attempt } from './attempt.ts';
import type { Connection } from './connection.ts';
import type { LinkOptions } from './linkOptions.ts';
import { openBetterEra, serverText } from './openBetterEra.ts';
import type { Session, WireName } from './session.ts';
import { StatelessLink } from './statelessLink.ts';
import type { Wire } from './wires.ts';

export interface OpenOptions {
  /** The way that was used before. */
  readonly last?: WireName;
  readonly recalled?: Attempt['recalled'];
}

export class ServerLink {
  readonly events = new Emitter<LinkEvent>();
  /** As the session has it: the log shows it a moment later. */
  state: ConnectionState;
  readonly #options: LinkOptions;
  readonly #sessionCheck: SessionCheck;
  #connection: Connection | undefined;
  /** The connection that was used last: what it has found out is of use after it's closed. */
  #last: Connection | undefined;
  #stateless: StatelessLink | undefined;
  #lastFailure: RequestFailure | undefined;
  #verdict: Omit<EraVerdict, 'at'> | undefined;
  #recalled: Promise<void> | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.state = options.log.state.connection;
    this.#sessionCheck = new SessionCheck(() => this.responds());
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Beside its calls, a stateless server has one stream to listen on. */
  get stateless(): StatelessLink | undefined {
    return this.#stateless;
  }

  /** The last request that failed since a connection was begun. */
  get lastFailure(): RequestFailure | undefined {
    return this.#lastFailure;
  }

  /** What the last refusal has led to, where a token could not help. */
  get blocked(): Blocked | undefined {
    return this.#last?.blocked;
  }

  /** Can a request of the server be answered now? */
  get canReply(): boolean {
    return this.#connection !== undefined && this.state.name === 'connected';
  }

  /** Which way of the protocol the current connection speaks, and how that was found out. */
  get verdict(): Omit<EraVerdict, 'at'> | undefined {
    const { revision, log } = this.#options;
    const current = this.#connection;
    const sessions = revision === 'auto' ? undefined : log.state.era?.sessions;
    if (this.#verdict || !current || sessions?.server !== serverText(current.session))
      return this.#verdict ?? current?.verdict;
    return { ...current.verdict, sessions };
  }

  /** Throws, with a sentence, where there is no connection. */
  require(): Connection {
    const isConnectionWanted = shouldReconnect(this.state);
    if (this.#connection && isConnectionWanted) return this.#connection;
    throw new CommandError(
      'not-connected',
      isConnectionWanted
        ? 'Reconnecting. Try again in a moment.'
        : 'Not connected. Connect to the server first.',
    );
  }

  /** Does anything answer at the server's URL? */
  responds(): Promise<boolean> {
    return answers(this.#options.url, this.#options.fetch);
  }

  /** With a session to take up, or for a new one. */
  async open(session: Session | undefined, { last, recalled }: OpenOptions = {}): Promise<Connection> {
    this.#verdict = undefined;
    this.#recalled = recalled;
    const connection = await this.#openEither(session, last);
    if (connection.driver.closeCancels) {
      this.#stateless = new StatelessLink(this.#options, connection, (event) =>
        this.#heed(connection, event),
      );
    }
    return connection;
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#stateless?.close();
    this.#stateless = undefined;
    await connection?.close();
  }

  async #openEither(session: Session | undefined, last?: WireName): Promise<Connection> {
    const { revision } = this.#options;
    if (revision === 'sse') return this.#open(undefined, 'old-sse');
    const old = last === 'old-sse' ? await this.#tryOldSse() : undefined;
    if (old) return old;
    try {
      return revision === 'auto' && !session
        ? await this.#openBetter()
        : await this.#open(session, 'streamable-http');
    } catch (error) {
      const failure = this.#lastFailure;
      const second = revision === 'auto' && mayBeOldSse(failure) ? await this.#tryOldSse() : undefined;
      if (second) return second;
      // Where there is no such transport either, the first refusal is the one to explain.
      this.#lastFailure = failure;
      throw error;
    }
  }

  /** @returns nothing where the server does not speak it; throws where it does and something else is wrong */
  async #tryOldSse(): Promise<Connection | undefined> {
    await this.close();
    try {
      return await this.#open(undefined, 'old-sse');
    } catch (error) {
      // By its name: the class is in the part of the page that comes later.
      if (!(error instanceof Error) || error.name !== 'NotOldSse') throw error;
      await this.close();
      return undefined;
    }
  }

  /** A new connection, on the way of the protocol on which a reload loses less. */
  async #openBetter(): Promise<Connection> {
    const { connection, verdict } = await openBetterEra({
      ...this.#options,
      make: (revision) => this.#make(undefined, 'streamable-http', revision),
      use: (one) => this.#use(one),
      isUsed: (one) => this.#connection === one,
    });
    this.#verdict = verdict;
    return connection;
  }

  async #open(session: Session | undefined, wire: WireName): Promise<Connection> {
    const connection = await this.#make(session, wire, this.#options.revision);
    this.#use(connection);
    await connection.open();
    return connection;
  }

  #use(connection: Connection): void {
    this.#connection = connection;
    this.#last = connection;
    this.#lastFailure = undefined;
  }

  async #make(session: Session | undefined, wire: WireName, revision: Revision): Promise<Connection> {
    // Loaded beside the first paint, not before it.
    const [{ Connection, STREAMABLE_HTTP }, tokens] = await Promise.all([
      loadPart(() => import('./connection.ts')),
      this.#options.tokens(),
    ]);
    const connection: Connection = new Connection(this.#options, {
      session,
      wire: wire === 'old-sse' ? await loadOldSse() : STREAMABLE_HTTP,
      revision,
      tokens,
      sessionCheck: this.#sessionCheck,
      recalled: this.#recalled,
      emit: (event) => this.#heed(connection, event),
    });
    return connection;
  }

  #heed(connection: Connection, event: LinkEvent): void {
    if (this.#connection !== connection) return;
    if (event.kind === 'request-failed') {
      this.#lastFailure = event.failure;
      if (event.failure.request === 'ping') return this.#sessionCheck.pingFailed(event.failure.verdict);
    }
    this.events.emit(event);
  }
}

async function loadOldSse(): Promise<Wire> {
  return (await loadPart(() => import('./oldSse/oldSseWire.ts'))).OLD_SSE;
}
