/** Performs what the session machine asks for. It decides nothing: what happens next is a row of the machine's table. */
import type { Clock } from '../../base/clock.ts';
import { hideUrlKeys } from '../../base/urlKeys.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import { farewell } from '../link/farewell.ts';
import { wireOf, type Session as StoredSession } from '../link/session.ts';
import type { ServerLink } from '../link/serverLink.ts';
import type { LinkEvent, RequestFailure } from '../streams/linkEvent.ts';
import type { FailureContext } from './explainFailure.ts';
import { serverChange } from '../catalog/catalog.ts';
import type { Primitives } from '../catalog/primitives.ts';
import type { CatalogSync } from '../catalog/catalogSync.ts';
import { explain } from './explain.ts';
import { settleFailedRequest } from './failedRequest.ts';
import { SessionLists } from './sessionLists.ts';
import { returnCost, type Before } from './returnCost.ts';
import {
  isBeginning,
  newSession,
  next,
  type Moment,
  type Session,
  type SessionEffect,
  type SessionEvent,
} from './sessionMachine.ts';
import { giveUpOldSse, resumeStreams, resumeStateless, untilTried, type Open } from './resume.ts';

export interface ServerSessionOptions extends Open, Omit<FailureContext, 'lastFailure' | 'blocked'> {
  readonly session: StoredSession | undefined;
  readonly clock: Clock;
  readonly link: ServerLink;
  readonly lists: CatalogSync;
  readonly primitives: Primitives;
  readonly saveSession: (session: StoredSession | undefined) => Promise<void>;
}

const PAGE_LOADED: Reason = { code: 'page-loaded' };

export class ServerSession {
  readonly #options: ServerSessionOptions;
  readonly #lists: SessionLists;
  readonly #stopListening: () => void;
  #session: Session;
  #stored: StoredSession | undefined;
  #cancelTimer: (() => void) | undefined;
  /** What the session that is over was like. */
  #before: Before | undefined;
  /** What a reload meant for the calls, to be said when the server has answered. */
  #reloaded: Reason | undefined;

  constructor(options: ServerSessionOptions) {
    this.#options = options;
    this.#stored = options.session;
    this.#lists = new SessionLists(options);
    this.#session = newSession(options.log.state.connection);
    this.#stopListening = options.link.events.on((event) => this.#heed(event));
  }

  get stored(): StoredSession | undefined {
    return this.#stored;
  }

  connect(): Promise<void> {
    return this.tell({ kind: 'connect', url: hideUrlKeys(this.#options.url) });
  }

  /** Resumes the stored session, with every stream that was open; resolves when that was tried once. */
  async resume(reason: Reason = PAGE_LOADED): Promise<void> {
    if (!this.#stored) return this.connect();
    this.#lists.markOld();
    await this.tell({ kind: 'resume', how: wireOf(this.#stored), reason, ...this.#moment() });
  }

  /** Leaves for good: the server is told, so that it need not keep the session. */
  leave(): Promise<void> {
    return this.tell({ kind: 'leave', reason: { code: 'user-disconnected', how: 'connection' } });
  }

  async tell(event: SessionEvent): Promise<void> {
    const before = this.#session;
    const { session, effects } = next(before, event);
    this.#session = session;
    if (session.phase !== before.phase) this.#cancelTimer?.();
    if (session.state !== before.state) this.show(session.state);
    for (const effect of effects) {
      await this.#perform(effect);
      // Something else has happened meanwhile: what is left of this is over.
      if (this.#session.phase !== session.phase) return;
    }
  }

  /** As it is from now on, for everybody who looks at this server. */
  show(state: ConnectionState): void {
    const { log, link } = this.#options;
    this.#session = { ...this.#session, state };
    link.state = state;
    log.append({ body: { kind: 'state', state } });
  }

  readLists(): Promise<void> {
    return this.#lists.read();
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#cancelTimer?.();
    await this.#close();
  }

  #heed(event: LinkEvent): void {
    switch (event.kind) {
      case 'healthy':
        void this.#healthy();
        return;
      case 'trouble':
      case 'login-needed':
        void this.tell(event);
        return;
      case 'session-gone':
        void this.#sessionGone(event.reason);
        return;
      case 'request-failed':
        return this.#requestFailed(event.failure);
      case 'subscribed':
        void this.#options.primitives.subscriptionsAcknowledged(event);
    }
  }

  #requestFailed(failure: RequestFailure): void {
    const left = settleFailedRequest(failure, this.#options);
    if (left === 'login-needed') void this.#awaitLogin();
    if (left === 'session-gone') void this.#sessionGone(failure.verdict.reason);
  }

  #sessionGone(reason: Reason): Promise<void> {
    return this.tell({ kind: 'session-gone', reason, ...this.#moment() });
  }

  /** The server is there again. */
  #healthy(): Promise<void> {
    return this.tell({ kind: 'healthy', ...(this.#reloaded && { reason: this.#reloaded }) });
  }

  /** Only the user can help: the streams are let go, and the calls wait where they are. */
  async #awaitLogin(): Promise<boolean> {
    const { blocked } = this.#options.link;
    if (blocked?.name !== 'login') return false;
    const { reason, ask } = blocked;
    await this.tell({ kind: 'login-needed', reason, ask });
    return true;
  }

  async #perform(effect: SessionEffect): Promise<void> {
    const { clock, log, link, calls, questions, tasks } = this.#options;
    switch (effect.kind) {
      case 'close':
        return this.#close();
      case 'begin':
        return this.#begin(effect.attempt);
      case 'resume':
        return this.#resume();
      case 'giveUp':
        await log.folded();
        if (this.#stored) this.#before = { ...this.#before, handshake: this.#stored.handshake };
        // It stays in storage until the new one takes its place: a page that is loaded in between finds out again.
        this.#stored = undefined;
        questions.expireAll({ ...effect.reason, so: 'answer-not-awaited' });
        calls.loseAll({ ...effect.reason, so: 'result-unreachable' });
        return;
      case 'giveUpOldSse':
        await log.folded();
        giveUpOldSse(this.#options, effect.reason);
        return;
      case 'readLists':
        return this.#lists.read();
      case 'compareLists':
        return this.#compareLists();
      case 'followLists':
        this.#reloaded = undefined;
        this.#lists.followIfOld();
        return;
      case 'followTasks':
        tasks.resume();
        return;
      case 'startTimer':
        this.#cancelTimer = clock.after(effect.delayMs, () => void this.tell({ kind: 'timer' }));
        return;
      case 'explain': {
        const failure = await explain(effect.error, this.#options);
        return this.tell({ kind: 'explained', failure });
      }
      case 'leave':
        await log.folded();
        questions.expireAll({ code: 'user-disconnected', how: 'question' });
        calls.loseAll({ code: 'user-disconnected', how: 'call' });
        await farewell(link.connection, clock);
        await this.#close();
        this.#stored = undefined;
        // The log first: a page that finds no session begins one, and would leave the calls of this one open.
        await log.flushed();
        await this.#options.saveSession(undefined);
    }
  }

  #moment(): Moment {
    const { clock } = this.#options;
    return { now: clock.now(), random: clock.random() };
  }

  async #close(): Promise<void> {
    this.#options.tasks.pause();
    await this.#options.link.close();
  }

  async #begin(attempt: number): Promise<void> {
    const { log, lists, clock } = this.#options;
    await log.folded();
    this.#before = { ...this.#before, lists: lists.current, era: log.state.era };
    try {
      await this.#handshake(attempt);
    } catch (error) {
      return this.#beginFailed(attempt, error);
    }
    await this.tell({ kind: 'began', attempt, now: clock.now() });
  }

  async #handshake(attempt: number): Promise<void> {
    const { link, clock, log, saveSession, primitives } = this.#options;
    log.forgetEvents();
    const connection = await link.open(undefined, { last: wireOf(this.#stored) });
    if (!isBeginning(this.#session.phase, attempt)) {
      await farewell(connection, clock);
      return connection.close();
    }
    const stored = { ...connection.session, startedAt: clock.now() };
    this.#stored = stored;
    await saveSession(stored);
    const { protocolVersion, handshake } = stored;
    const { name, title = name } = handshake.serverInfo;
    log.append(
      { body: { kind: 'era', ...(link.verdict ?? connection.verdict) } },
      { body: { kind: 'session', protocolVersion, serverName: title } },
    );
    void primitives.renew('new');
  }

  async #beginFailed(attempt: number, error: unknown): Promise<void> {
    const { phase } = this.#session;
    if (!isBeginning(phase, attempt)) return;
    if (await this.#awaitLogin()) return;
    const { link } = this.#options;
    const verdict = link.lastFailure?.verdict;
    await this.#close();
    const mayPass = phase.because && verdict?.name === 'no-answer';
    const isBlocked = mayPass ? await link.responds() : false;
    await this.tell({ kind: 'begin-failed', attempt, error, verdict, isBlocked, ...this.#moment() });
  }

  async #resume(): Promise<void> {
    const { log, link, primitives } = this.#options;
    const stored = this.#stored;
    const recalled = log.recallEvents();
    await log.folded();
    // The user may have disconnected meanwhile.
    if (!stored || this.#stored !== stored) return recalled;
    const tried = untilTried(log);
    const { streams } = await link.open(stored, { recalled });
    if (link.stateless) {
      this.#reloaded = await resumeStateless(this.#options);
      const isThere = await link.stateless.comeBack(() => this.#lists.follow());
      if (isThere) await this.#healthy();
    } else {
      resumeStreams(this.#options, streams);
      await tried;
    }
    void primitives.renew('same');
  }

  async #compareLists(): Promise<void> {
    const { lists, log, link } = this.#options;
    const { phase } = this.#session;
    const areRead = await lists.refresh().then(
      () => true,
      () => false,
    );
    await log.folded();
    if (this.#session.phase !== phase || phase.name !== 'comparing') return;
    if (!areRead && link.lastFailure?.verdict.name === 'session-gone')
      return this.#sessionGone(phase.because);
    const { handshake } = this.#before ?? {};
    const cost = returnCost(this.#before ?? {}, { state: log.state, lists: lists.current, areRead });
    this.#before = undefined;
    await this.tell({ kind: 'compared', cost });
    const change = handshake && this.#stored && serverChange(handshake, this.#stored.handshake);
    if (change) log.append({ body: { kind: 'note', level: 'info', reason: change } });
  }
}
