/**
 * The client of one server, in the one tab that leads it. It survives its page: whatever it knows is in the log, and
 * a new one made over the same log goes on where this one was.
 */
import type { Tool } from '@modelcontextprotocol/client';
import { ulid } from 'ulid';
import type { Authorizer } from '../auth/authorizer.ts';
import type { Clock } from '../base/clock.ts';
import { count, reason } from '../base/words.ts';
import { isWanted, type ConnectionState } from '../log/connectionState.ts';
import { STANDALONE, type Entry } from '../log/entry.ts';
import type { Log } from '../log/log.ts';
import type { ConnectionBudget } from '../wire/connectionBudget.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Redactor } from '../wire/redact.ts';
import { backoffMs } from './backoff.ts';
import { Calls, type CallOptions } from './calls.ts';
import { decideFates } from './comeBack.ts';
import type { Connection, Credentials, Session } from './connection.ts';
import { next, type ConnectionEvent } from './connectionMachine.ts';
import { diagnose } from './doctor.ts';
import { describeChanges, fetchLists, type Lists } from './lists.ts';
import { SeenEvents } from './seenEvents.ts';
import { SessionCheck } from './sessionCheck.ts';
import type { PostFailure, Trouble } from './streams.ts';

export interface BrowserMcpClientOptions {
  readonly url: string;
  readonly credentials: Credentials;
  readonly auth: Authorizer;
  readonly redactor: Redactor;
  readonly session: Session | undefined;
  readonly lists: Lists;
  readonly log: Log;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly budget: ConnectionBudget;
  readonly version: string;
  readonly pageOrigin: string;
  readonly isOnline: () => boolean;
  /** Resolves when everything in the log so far is stored. */
  readonly flushed: () => Promise<void>;
  /** Stored entries, for the ids of what was received before this page. */
  readonly storedSince: (seq: number) => AsyncIterable<readonly Entry[]>;
  readonly saveSession: (session: Session | undefined) => Promise<void>;
  readonly saveLists: (lists: Lists) => Promise<void>;
}

/** How long a server may take to say goodbye. */
const FAREWELL_MS = 3000;
/** The standalone stream can be as old as its session; this much of it is remembered against over-replay. */
const REMEMBERED_ENTRIES = 20_000;

export class BrowserMcpClient {
  readonly #o: BrowserMcpClientOptions;
  readonly #log: Log;
  readonly #seen = new SeenEvents();
  readonly #sessionCheck = new SessionCheck();
  readonly #calls: Calls;
  readonly #stopListening: () => void;
  #connection: Connection | undefined;
  #session: Session | undefined;
  #lists: Lists;
  #lastFailure: PostFailure | undefined;
  /** A new session is being begun: that its streams open is not yet news. */
  #isBeginning = false;
  #restarts = 0;
  #cancelRestart: (() => void) | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(options: BrowserMcpClientOptions) {
    this.#o = options;
    this.#log = options.log;
    this.#session = options.session;
    this.#lists = options.lists;
    this.#calls = new Calls({
      ...options,
      connection: () => this.#connection,
      isRepeatable: (tool) => isRepeatable(this.#lists.tools.find(({ name }) => name === tool)),
    });
    this.#stopListening = this.#log.appended.on((entries) => {
      this.#watchLists(entries);
    });
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** Begins a new session. */
  async connect(): Promise<ConnectionState> {
    await this.#closeConnection();
    this.#dispatch({ type: 'connect', url: this.#o.url });
    try {
      await this.#begin();
    } catch (error) {
      if (await this.#awaitLogin()) return this.#log.head.state;
      await this.#closeConnection();
      const { why, fix } = await this.#explain(error);
      this.#dispatch({ type: 'failed', why, fix });
      return this.#log.head.state;
    }
    this.#dispatch({ type: 'handshake-done' });
    await this.#readLists();
    return this.#log.head.state;
  }

  /** Takes up the stored session, with every stream that was open; resolves when that was tried once. */
  async reconnect(why = 'The page was loaded again.'): Promise<ConnectionState> {
    if (!this.#session) return this.connect();
    await this.#closeConnection();
    this.#dispatch({ type: 'come-back', why, now: this.#o.clock.now() });
    await this.#remember();
    const tried = this.#untilTried();
    const connection = await this.#openConnection(this.#session);
    const { head } = this.#log;
    const fates = decideFates({
      calls: head.calls.values(),
      streams: head.streams,
      hasSession: this.#session.sessionId !== undefined,
      namesPositions: head.namesPositions,
    });
    // Some servers end a session whose ping is not answered, and pings come on the standalone stream: it goes first.
    connection.streams.resume(STANDALONE, undefined, head.streams.get(STANDALONE)?.cursor);
    for (const fate of fates) {
      if (fate.name === 'follow') {
        connection.streams.resume(fate.callId, fate.callId, fate.cursor);
        this.#calls.watch(fate.callId);
      } else {
        this.#calls.change(fate.callId, fate);
      }
    }
    await tried;
    return head.state;
  }

  /** A person has logged in, or goes on without. */
  async authorized(why: string): Promise<ConnectionState> {
    if (this.#log.head.state.name !== 'authorizing') return this.#log.head.state;
    if (!this.#session) return this.connect();
    await this.reconnect(why);
    // A server may shake hands with everybody, and ask who it is when its lists are read.
    await this.#readLists();
    return this.#log.head.state;
  }

  loginFailed(why: string): void {
    this.#dispatch({ type: 'authorize', why, ask: 'login' });
  }

  /** Leaves for good: the server is told, so that it need not keep the session. */
  async disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#cancelRestart?.();
    this.#dispatch({ type: 'disconnected', why: 'You disconnected.' });
    this.#expireQuestions('The session was ended before it was answered.');
    this.#calls.loseAll('The session was ended while this call was running.');
    // A server may refuse to end sessions (405), or be gone; neither keeps anybody here.
    const told = connection?.terminate().catch(() => undefined);
    await Promise.race([told, new Promise<void>((resolve) => this.#o.clock.after(FAREWELL_MS, resolve))]);
    await this.#closeConnection();
    this.#session = undefined;
    await this.#o.saveSession(undefined);
    await this.#o.flushed();
  }

  /** Resolves with the call's id once its intent is stored. */
  call(tool: string, args: object = {}, options: CallOptions = {}): Promise<string> {
    return this.#calls.begin(this.#requireConnection(), tool, args, options);
  }

  cancel(callId: string): Promise<void> {
    return this.#calls.cancel(callId, 'Cancelled by the user.');
  }

  answer(requestId: string, result: object): Promise<void> {
    return this.#reply(requestId, (connection, id) => connection.answer(id, { ...result }));
  }

  /** A person does not want to answer: for requests whose result has no way to say so. */
  decline(requestId: string): Promise<void> {
    return this.#reply(requestId, (connection, id) => connection.decline(id, 'The user declined.'));
  }

  async refreshLists(): Promise<Lists> {
    if (this.#connection) await this.#refreshLists();
    return this.#lists;
  }

  /** The network is back, or the page is visible again. */
  hurry(): void {
    this.#connection?.streams.hurry();
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#cancelRestart?.();
    this.#calls.close();
    await this.#closeConnection();
  }

  async #reply(
    requestId: string,
    send: (connection: Connection, id: string | number) => Promise<void>,
  ): Promise<void> {
    const question = this.#log.head.questions.get(requestId);
    if (!question) throw new Error(`There is no open question ${requestId}.`);
    await send(this.#requireConnection(), question.rpcId);
    this.#log.append({ body: { kind: 'question', requestId, change: { name: 'answered' } } });
    await this.#o.flushed();
  }

  async #begin(): Promise<void> {
    this.#seen.clear();
    const connection = await this.#openConnection(undefined);
    this.#session = connection.session;
    await this.#o.saveSession(this.#session);
    const { serverInfo } = this.#session.handshake;
    this.#log.append({
      body: {
        kind: 'session',
        protocolVersion: this.#session.protocolVersion,
        serverName: serverInfo.title ?? serverInfo.name,
      },
    });
  }

  async #openConnection(session: Session | undefined): Promise<Connection> {
    // The SDK is most of the page's code: it is loaded beside the first paint, not before it.
    const { Connection } = await import('./connection.ts');
    const { session: _, ...options } = this.#o;
    const connection: Connection = new Connection({
      ...options,
      ...(session && { session }),
      seen: this.#seen,
      newId: ulid,
      checkSession: () => this.#sessionCheck.run(connection.client),
      onSessionGone: (why) => {
        if (this.#connection === connection) void this.#restart(why);
      },
      onUnauthorized: () => {
        const isBlocked = this.#connection === connection && this.#o.auth.blocked?.name === 'login';
        if (isBlocked) void this.#awaitLogin();
        return isBlocked;
      },
      onTrouble: (trouble) => {
        if (this.#connection === connection) this.#inTrouble(trouble);
      },
      onHealthy: () => {
        if (this.#connection === connection && !this.#isBeginning) this.#dispatch({ type: 'came-back' });
      },
      onPostFailed: (failure) => {
        if (this.#connection === connection) this.#postFailed(failure);
      },
    });
    this.#connection = connection;
    this.#lastFailure = undefined;
    this.#o.auth.blocked = undefined;
    await connection.open();
    return connection;
  }

  /** Only a person can help: the streams are let go, and the calls wait where they are. */
  async #awaitLogin(): Promise<boolean> {
    const { blocked } = this.#o.auth;
    if (blocked?.name !== 'login') return false;
    await this.#closeConnection();
    this.#dispatch({ type: 'authorize', why: blocked.why, ask: blocked.ask });
    return true;
  }

  async #closeConnection(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  /** The server has forgotten the session: begin a new one, and say what that has cost. */
  async #restart(why: string): Promise<void> {
    await this.#closeConnection();
    this.#session = undefined;
    const expired = this.#expireQuestions(`${why} Nobody waits for the answer any more.`);
    const lost = this.#calls.loseAll(`${why} The result of this call is not reachable.`);
    this.#dispatch({ type: 'come-back', why: `${why} A new session is started.`, now: this.#o.clock.now() });
    // The old session stays stored until the new one takes its place: a page that is loaded in between finds out again.
    await this.#beginAgain(lost, expired);
  }

  async #beginAgain(lost: number, expired: number): Promise<void> {
    const before = this.#lists;
    try {
      this.#isBeginning = true;
      await this.#begin();
    } catch (error) {
      if (await this.#awaitLogin()) return;
      const verdict = this.#lastFailure?.verdict;
      await this.#closeConnection();
      if (verdict?.name !== 'no-answer' && verdict?.name !== 'retry') {
        const { why, fix } = await this.#explain(error);
        this.#dispatch({ type: 'failed', why, fix });
        return;
      }
      this.#restarts += 1;
      const { clock } = this.#o;
      const delayMs = backoffMs(this.#restarts, 'calm', clock.random());
      this.#inTrouble({ attempt: this.#restarts, retryAt: clock.now() + delayMs, why: verdict.why });
      this.#cancelRestart = clock.after(delayMs, () => void this.#beginAgain(lost, expired));
      return;
    }
    this.#restarts = 0;
    await this.#refreshLists().catch(() => undefined);
    const costs = [
      ...(lost > 0 ? [`${count(lost, 'call')} lost`] : []),
      ...(expired > 0 ? [`${count(expired, 'question')} expired`] : []),
      'lists refreshed',
    ];
    const changes = describeChanges(before, this.#lists);
    const note = `Server restarted: ${costs.join(', ')}.${changes === '' ? '' : ` ${changes}`}`;
    this.#dispatch({ type: 'restarted', note });
    this.#isBeginning = false;
    // Somebody disconnected while the new session was being begun.
    if (!isWanted(this.#log.head.state)) await this.disconnect();
  }

  #postFailed(failure: PostFailure): void {
    const { request, callId, verdict, outcome } = failure;
    this.#lastFailure = failure;
    if (request === 'ping') {
      this.#sessionCheck.pingFailed(verdict);
      return;
    }
    const { blocked } = this.#o.auth;
    if (verdict.name === 'unauthorized' && blocked) {
      const message = `${blocked.why} The call was refused, so it was not run.`;
      if (callId !== undefined) this.#calls.change(callId, { name: 'failed', error: { code: 403, message } });
      if (request !== 'initialize') void this.#awaitLogin();
      return;
    }
    if (callId !== undefined) this.#calls.fail(callId, verdict, outcome);
    if (verdict.name === 'session-gone') void this.#restart(verdict.why);
  }

  /** Reads back the ids of what earlier pages received: all of an open call, and the newest of everything else. */
  async #remember(): Promise<void> {
    this.#seen.clear();
    const { head } = this.#log;
    const since = Math.min(head.neededSince(), head.nextSeq - REMEMBERED_ENTRIES);
    for await (const entries of this.#o.storedSince(since)) {
      for (const entry of entries) {
        if (!('eventId' in entry) || entry.eventId === undefined) continue;
        this.#seen.add(entry.stream, entry.eventId, entry.kind === 'received' ? entry.raw : '');
      }
    }
  }

  /** Resolves at the first outcome of coming back, good or bad. */
  #untilTried(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#log.appended.on((entries) => {
        if (!entries.some(({ kind }) => kind === 'state')) return;
        stop();
        resolve();
      });
    });
  }

  async #readLists(): Promise<void> {
    try {
      await this.#refreshLists();
    } catch (error) {
      if (this.#o.auth.blocked?.name === 'login') return;
      this.#note('warn', `The lists could not be read: ${reason(error)}.`);
    }
  }

  async #refreshLists(): Promise<void> {
    const client = this.#connection?.client;
    if (!client) return;
    this.#refreshing ??= fetchLists(client)
      .then(async (lists) => {
        this.#lists = lists;
        await this.#o.saveLists(lists);
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    await this.#refreshing;
  }

  #watchLists(entries: readonly Entry[]): void {
    const changed = entries.some(
      (entry) => entry.kind === 'received' && entry.method?.endsWith('/list_changed') === true,
    );
    if (changed) void this.#refreshLists().catch(() => undefined);
  }

  #expireQuestions(why: string): number {
    const open = [...this.#log.head.questions.keys()];
    for (const requestId of open) {
      this.#log.append({ body: { kind: 'question', requestId, change: { name: 'expired', why } } });
    }
    return open.length;
  }

  #inTrouble(trouble: Trouble): void {
    this.#dispatch({ type: 'trouble', ...trouble });
  }

  #dispatch(event: ConnectionEvent): void {
    const state = next(this.#log.head.state, event);
    if (state !== this.#log.head.state) this.#log.append({ body: { kind: 'state', state } });
  }

  #note(level: 'info' | 'warn', text: string): void {
    this.#log.append({ body: { kind: 'note', level, text } });
  }

  async #explain(error: unknown): Promise<{ why: string; fix: string }> {
    const verdict = this.#lastFailure?.verdict;
    switch (verdict?.name) {
      case 'no-answer': {
        const { url, pageOrigin, fetch, isOnline } = this.#o;
        return diagnose(url, pageOrigin, fetch, isOnline());
      }
      case 'unauthorized':
        return this.#o.auth.blocked?.name === 'refused' ? this.#o.auth.blocked : verdict;
      case 'refused':
        return verdict;
      case 'retry':
        return { why: verdict.why, fix: 'Try again in a moment, or look at the log of the server.' };
      default:
        return {
          why: `The handshake failed: ${reason(error)}`,
          fix: 'Look at the exchange in the timeline: it shows what the server sent.',
        };
    }
  }

  #requireConnection(): Connection {
    if (this.#connection && isWanted(this.#log.head.state)) return this.#connection;
    throw new Error('There is no connection. Connect to the server first.');
  }
}

function isRepeatable(tool: Tool | undefined): boolean {
  return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true;
}
