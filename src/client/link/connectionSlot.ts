/** The one connection that counts at the moment. What earlier ones report late is not heard any more. */
import { ulid } from 'ulid';
import type { TokenSource } from '../../auth/tokenSource.ts';
import { loadPart } from '../../base/loadPart.ts';
import type { EraVerdict } from '../../log/protocol/era.ts';
import type { Connection, ConnectionOptions, Session } from './connection.ts';
import { answers } from '../doctor/probe.ts';
import { openBetterEra, serverText } from './openBetterEra.ts';
import { StatelessLink, type StatelessLinkOptions } from './statelessLink.ts';
import { mayBeOldSse } from '../protocol/oldSse/mayBeOldSse.ts';
import { SessionCheck } from '../exchange/sessionCheck.ts';
import type { Revision } from '../settings/savedServer.ts';
import type { PostFailure } from '../streams/streamsOptions.ts';

export interface ConnectionSlotOptions
  extends
    Omit<ConnectionOptions, 'session' | 'isOldSse' | 'newId' | 'checkSession' | 'onUnauthorized'>,
    Pick<StatelessLinkOptions, 'note' | 'subscriptions' | 'onSubscriptions'> {
  readonly auth: TokenSource;
  /** The server asks for a login that only a person can give. */
  readonly onLoginNeeded: () => void;
}

export class ConnectionSlot {
  readonly #options: ConnectionSlotOptions;
  readonly #sessionCheck: SessionCheck;
  #current: Connection | undefined;
  #stateless: StatelessLink | undefined;
  #lastFailure: PostFailure | undefined;
  #verdict: Omit<EraVerdict, 'at'> | undefined;

  constructor(options: ConnectionSlotOptions) {
    this.#options = options;
    this.#sessionCheck = new SessionCheck(() => this.responds());
  }

  get current(): Connection | undefined {
    return this.#current;
  }

  /** Beside its calls, a stateless server has one stream to listen on. */
  get stateless(): StatelessLink | undefined {
    return this.#stateless;
  }

  /** Does anything answer at the server's URL? */
  responds(): Promise<boolean> {
    return answers(this.#options.url, this.#options.fetch);
  }

  get lastFailure(): PostFailure | undefined {
    return this.#lastFailure;
  }

  /** Which way of the protocol the current connection speaks, and how that was found out. */
  get verdict(): Omit<EraVerdict, 'at'> | undefined {
    const { revision, log } = this.#options;
    const current = this.#current;
    const sessions = revision === 'auto' ? undefined : log.head.era?.sessions;
    if (this.#verdict || !current || sessions?.server !== serverText(current.session))
      return this.#verdict ?? current?.verdict;
    return { ...current.verdict, sessions };
  }

  /** With a session to take up, or for a new one. `isOldSse`: it last spoke nothing newer. */
  async open(session: Session | undefined, isOldSse: boolean): Promise<Connection> {
    this.#verdict = undefined;
    const connection = await this.#openEither(session, isOldSse);
    if (connection.requests.era === 'stateless') this.#stateless = this.#linkTo(connection);
    return connection;
  }

  async #openEither(session: Session | undefined, isOldSse: boolean): Promise<Connection> {
    const { revision } = this.#options;
    if (revision === 'sse') return this.#open(undefined, true);
    const old = isOldSse ? await this.#tryOldSse() : undefined;
    if (old) return old;
    try {
      return revision === 'auto' && !session ? await this.#openBetter() : await this.#open(session, false);
    } catch (error) {
      const failure = this.#lastFailure;
      const second = revision === 'auto' && mayBeOldSse(failure) ? await this.#tryOldSse() : undefined;
      if (second) return second;
      // Where there is no such transport either, the first refusal is the one to explain.
      this.#lastFailure = failure;
      throw error;
    }
  }

  async close(): Promise<void> {
    const connection = this.#current;
    this.#current = undefined;
    this.#stateless?.close();
    this.#stateless = undefined;
    await connection?.close();
  }

  /** @returns nothing where the server does not speak it; throws where it does and something else is wrong */
  async #tryOldSse(): Promise<Connection | undefined> {
    await this.close();
    try {
      return await this.#open(undefined, true);
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
      make: (revision) => this.#make(undefined, false, revision),
      use: (one) => this.#use(one),
      isUsed: (one) => this.#current === one,
    });
    this.#verdict = verdict;
    return connection;
  }

  async #open(session: Session | undefined, isOldSse: boolean): Promise<Connection> {
    const connection = await this.#make(session, isOldSse, this.#options.revision);
    this.#use(connection);
    await connection.open();
    return connection;
  }

  #use(connection: Connection): void {
    this.#current = connection;
    this.#lastFailure = undefined;
    this.#options.auth.blocked = undefined;
  }

  async #make(session: Session | undefined, isOldSse: boolean, revision: Revision): Promise<Connection> {
    // The SDK is most of the page's code: it is loaded beside the first paint, not before it.
    const { Connection } = await loadPart(() => import('./connection.ts'));
    const { auth } = this.#options;
    const connection: Connection = new Connection({
      ...this.#options,
      ...(session && { session }),
      revision,
      isOldSse,
      newId: ulid,
      checkSession: () => this.#sessionCheck.run(connection.client),
      onSessionGone: (cause) => {
        if (this.#current === connection) this.#options.onSessionGone(cause);
      },
      onUnauthorized: () => {
        const isBlocked = this.#current === connection && auth.blocked?.name === 'login';
        if (isBlocked) this.#options.onLoginNeeded();
        return isBlocked;
      },
      onTrouble: (trouble) => {
        if (this.#current === connection) this.#options.onTrouble(trouble);
      },
      onHealthy: () => {
        if (this.#current === connection) this.#options.onHealthy();
      },
      onPostFailed: (failure) => {
        if (this.#current === connection) this.#postFailed(failure);
      },
    });
    return connection;
  }

  #linkTo(connection: Connection): StatelessLink {
    const isCurrent = () => this.#current === connection;
    return new StatelessLink({
      ...this.#options,
      connection,
      newId: ulid,
      onTrouble: (trouble) => {
        if (isCurrent()) this.#options.onTrouble(trouble);
      },
      onHealthy: () => {
        if (isCurrent()) this.#options.onHealthy();
      },
    });
  }

  #postFailed(failure: PostFailure): void {
    this.#lastFailure = failure;
    if (failure.request === 'ping') this.#sessionCheck.pingFailed(failure.verdict);
    else this.#options.onPostFailed(failure);
  }
}
