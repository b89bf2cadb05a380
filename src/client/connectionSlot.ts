/** The one connection that counts at the moment. What earlier ones report late is not heard any more. */
import { ulid } from 'ulid';
import type { Authorizer } from '../auth/authorizer.ts';
import type { EraVerdict, SessionsFound } from '../log/era.ts';
import type { Connection, ConnectionOptions, Session } from './connection.ts';
import { answers } from './doctor/probe.ts';
import { chooseEra } from './eras/chooseEra.ts';
import { StatelessLink, type StatelessLinkOptions } from './eras/statelessLink.ts';
import { trySession } from './eras/trySession.ts';
import { mayBeOldSse } from './oldSse/mayBeOldSse.ts';
import { SessionCheck } from './sessionCheck.ts';
import type { Revision } from './serverRecord.ts';
import type { PostFailure } from './streams/streams.ts';

export interface ConnectionSlotOptions
  extends
    Omit<ConnectionOptions, 'session' | 'isOldSse' | 'newId' | 'checkSession' | 'onUnauthorized'>,
    Pick<StatelessLinkOptions, 'note' | 'subscriptions' | 'onSubscriptions'> {
  readonly auth: Authorizer;
  /** The server asks for a login that only a person can give. */
  readonly onLoginNeeded: () => void;
}

/** A second way to a server that is reached already: its connection must not wait long for it. */
const TRY_SESSION_MS = 5000;
/** The SDK ends a handshake before this. */
const HANDSHAKE_MS = 35_000;

export class ConnectionSlot {
  readonly #o: ConnectionSlotOptions;
  readonly #sessionCheck: SessionCheck;
  #current: Connection | undefined;
  #stateless: StatelessLink | undefined;
  #lastFailure: PostFailure | undefined;
  #verdict: Omit<EraVerdict, 'at'> | undefined;

  constructor(options: ConnectionSlotOptions) {
    this.#o = options;
    this.#sessionCheck = new SessionCheck(() => answers(options.url, options.fetch));
  }

  get current(): Connection | undefined {
    return this.#current;
  }

  /** Beside its calls, a stateless server has one stream to listen on. */
  get stateless(): StatelessLink | undefined {
    return this.#stateless;
  }

  get lastFailure(): PostFailure | undefined {
    return this.#lastFailure;
  }

  /** Which way of the protocol the current connection speaks, and how that was found out. */
  get verdict(): Omit<EraVerdict, 'at'> | undefined {
    const { revision, log } = this.#o;
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
    const { revision } = this.#o;
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
    const known = this.#o.log.head.era?.sessions;
    const kept = known?.name === 'resumable' ? await this.#openKept(known) : undefined;
    if (kept) return kept;
    const connection = await this.#open(undefined, false);
    if (connection.requests.era === 'session') return connection;
    const server = serverText(connection.session);
    if (known && known.name !== 'unknown' && known.server === server) {
      this.#verdict = { ...connection.verdict, sessions: known };
      return connection;
    }
    return this.#chooseEra(connection, server);
  }

  /** Its sessions could be resumed: they are tried first, and the rest is found out anew where that has changed. */
  async #openKept(known: SessionsFound): Promise<Connection | undefined> {
    const connection = await this.#make(undefined, false, 'session');
    this.#use(connection);
    const tried = await trySession(connection, this.#o, HANDSHAKE_MS);
    if (tried.kind === 'no-answer') throw tried.error;
    const { era, why } = chooseEra(tried);
    if (era === 'session') {
      const isSame = serverText(connection.session) === known.server;
      const sessions = isSame ? known : this.#found('resumable', serverText(connection.session));
      this.#verdict = { ...connection.verdict, why, sessions };
      return connection;
    }
    await leave(connection);
    return undefined;
  }

  /** The server speaks 2026-07-28: does it keep sessions too? Those that are not used are ended. */
  async #chooseEra(stateless: Connection, server: string): Promise<Connection> {
    const { auth } = this.#o;
    const other = await this.#make(undefined, false, 'session');
    const { era, sessions, why } = chooseEra(await trySession(other, this.#o, TRY_SESSION_MS));
    // What was asked in vain on the way that is not used blocks nothing.
    auth.blocked = undefined;
    const [used, left] = era === 'session' ? [other, stateless] : [stateless, other];
    this.#current = used;
    await leave(left);
    const found = this.#found(sessions, server);
    this.#verdict = { ...used.verdict, why: `${stateless.verdict.why} ${why}`, sessions: found };
    return used;
  }

  #found(name: SessionsFound['name'], server: string): SessionsFound {
    return { name, checkedAt: this.#o.clock.now(), server };
  }

  async #open(session: Session | undefined, isOldSse: boolean): Promise<Connection> {
    const connection = await this.#make(session, isOldSse, this.#o.revision);
    this.#use(connection);
    await connection.open();
    return connection;
  }

  #use(connection: Connection): void {
    this.#current = connection;
    this.#lastFailure = undefined;
    this.#o.auth.blocked = undefined;
  }

  async #make(session: Session | undefined, isOldSse: boolean, revision: Revision): Promise<Connection> {
    // The SDK is most of the page's code: it is loaded beside the first paint, not before it.
    const { Connection } = await import('./connection.ts');
    const { auth } = this.#o;
    const connection: Connection = new Connection({
      ...this.#o,
      ...(session && { session }),
      revision,
      isOldSse,
      newId: ulid,
      checkSession: () => this.#sessionCheck.run(connection.client),
      onSessionGone: (cause) => {
        if (this.#current === connection) this.#o.onSessionGone(cause);
      },
      onUnauthorized: () => {
        const isBlocked = this.#current === connection && auth.blocked?.name === 'login';
        if (isBlocked) this.#o.onLoginNeeded();
        return isBlocked;
      },
      onTrouble: (trouble) => {
        if (this.#current === connection) this.#o.onTrouble(trouble);
      },
      onHealthy: () => {
        if (this.#current === connection) this.#o.onHealthy();
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
      ...this.#o,
      connection,
      newId: ulid,
      onTrouble: (trouble) => {
        if (isCurrent()) this.#o.onTrouble(trouble);
      },
      onHealthy: () => {
        if (isCurrent()) this.#o.onHealthy();
      },
    });
  }

  #postFailed(failure: PostFailure): void {
    this.#lastFailure = failure;
    if (failure.request === 'ping') this.#sessionCheck.pingFailed(failure.verdict);
    else this.#o.onPostFailed(failure);
  }
}

function serverText({ handshake: { serverInfo } }: Session): string {
  return `${serverInfo.name} ${serverInfo.version}`;
}

/** A session that is not used is not left to the server. */
async function leave(connection: Connection): Promise<void> {
  await connection.terminate().catch(() => undefined);
  await connection.close();
}
