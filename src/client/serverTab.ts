/** One server in one tab: shows its log from the first moment, and leads the connection when no other tab does. */
import { Authorizer, type LoginWay } from '../auth/authorizer.ts';
import { AuthStore } from '../auth/authStore.ts';
import { describeGrant, expireLocally, type GrantInfo } from '../auth/grant.ts';
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { isObject } from '../base/json.ts';
import type { Call } from '../log/call.ts';
import { isWanted, type ConnectionState } from '../log/connectionState.ts';
import type { AuthBody, Entry } from '../log/entry.ts';
import { Log, messageOf } from '../log/log.ts';
import { LogReader, type RestoredLog } from '../storage/logReader.ts';
import { LogWriter, type LogLimits } from '../storage/logWriter.ts';
import { ServerRecords } from '../storage/serverRecords.ts';
import type { Store } from '../storage/store.ts';
import { Vault } from '../storage/vault.ts';
import type { ConnectionBudget } from '../wire/connectionBudget.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import { Redactor } from '../wire/redact.ts';
import { BrowserMcpClient } from './browserMcpClient.ts';
import type { Credentials, Session } from './connection.ts';
import { Leadership, type LockManagerLike } from './leadership.ts';
import { NO_LISTS, type Lists } from './lists.ts';
import { TabChannel, type Command, type TabMessage } from './tabChannel.ts';

export interface TabEnvironment {
  readonly store: Store;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly locks: LockManagerLike | undefined;
  readonly budgetFor: (url: string) => ConnectionBudget;
  readonly version: string;
  readonly pageOrigin: string;
  readonly isOnline: () => boolean;
  /** Where authorization servers send the browser back to. */
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  readonly limits?: LogLimits;
  /** Something may have to be ready before a server answers: the embedded demo is a service worker. */
  readonly prepare: (url: string) => Promise<void>;
}

/** Older results than these are read when somebody looks at them. */
const RESULTS_IN_MEMORY = { calls: 50, sizeBytes: 20_000_000 };

export type Role = 'undecided' | 'leads' | 'follows';

export class ServerTab {
  readonly id: string;
  url: string;
  readonly log: Log;
  /** The role, or the lists, have changed. (The log tells of itself.) */
  readonly changed = new Emitter<undefined>();
  /** Resolves when the role is decided and, for a leader with a session, coming back was tried once. */
  readonly ready: Promise<void>;
  readonly #env: TabEnvironment;
  readonly #reader: LogReader;
  readonly #records: ServerRecords;
  readonly #leadership: Leadership;
  readonly #channel: TabChannel;
  readonly #redactor = new Redactor();
  readonly #vault: Vault;
  #segments: RestoredLog['segments'];
  #role: Role = 'undecided';
  #lists: Lists;
  #writer: LogWriter | undefined;
  #client: BrowserMcpClient | undefined;
  #firstTry: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  #behind = false;

  static async open(env: TabEnvironment, id: string, url: string): Promise<ServerTab> {
    const reader = new LogReader(env.store, id);
    const records = new ServerRecords(env.store, id);
    const [restored, { lists }] = await Promise.all([reader.restore(), records.load()]);
    const tab = new ServerTab(env, id, url, reader, records, restored, isLists(lists) ? lists : NO_LISTS);
    await tab.#loadResults({ calls: 1, sizeBytes: Infinity });
    return tab;
  }

  private constructor(
    env: TabEnvironment,
    id: string,
    url: string,
    reader: LogReader,
    records: ServerRecords,
    restored: RestoredLog,
    lists: Lists,
  ) {
    this.#env = env;
    this.#vault = new Vault(env.store);
    this.id = id;
    this.url = url;
    this.#reader = reader;
    this.#records = records;
    this.#segments = restored.segments;
    this.#lists = lists;
    this.log = new Log(id, env.clock, restored);
    this.#channel = new TabChannel(id, (message) => {
      this.#hear(message);
    });
    this.#leadership = new Leadership(`reprise/${id}`, env.locks);
    this.ready = this.#start();
  }

  get role(): Role {
    return this.#role;
  }

  get lists(): Lists {
    return this.#lists;
  }

  get session(): Session | undefined {
    return this.#client?.session;
  }

  get state(): ConnectionState {
    const { state, recovered } = this.log.head;
    return state.name === 'connected' && state.how === 'resumed' ? { ...state, recovered } : state;
  }

  /** Carries out a command here, or has the leading tab do it. */
  async execute(command: Command): Promise<unknown> {
    await this.#decided();
    return this.#client ? this.#perform(this.#client, command) : this.#channel.ask(command);
  }

  async setCredentials(credentials: Credentials): Promise<void> {
    await this.#records.saveCredentials(credentials);
  }

  /** All entries, oldest first, from storage and memory. */
  async entries(): Promise<readonly Entry[]> {
    await this.#writer?.flushed();
    const all: Entry[] = [];
    for await (const entries of this.#reader.entriesSince(this.#index())) all.push(...entries);
    const stored = all.at(-1)?.seq ?? 0;
    return [...all, ...this.log.tail.filter(({ seq }) => seq > stored)];
  }

  /** Results of calls of earlier pages stand in the log; this reads the one of a call back, if it is there. */
  async loadResult(callId: string): Promise<void> {
    const call = this.log.head.calls.get(callId);
    if (!call || !lacksResult(call)) return;
    const entry =
      this.log.tail.find(({ seq }) => seq === call.resultSeq) ??
      (await this.#reader.entry(this.#index(), call.resultSeq));
    const message = entry && messageOf(entry);
    if (message) this.log.head.attachResult(callId, message);
    this.changed.emit(undefined);
  }

  /** Reads back the newest results: the one to be painted first, and then as many as a page may hold. */
  async #loadResults(limit: { calls: number; sizeBytes: number }): Promise<void> {
    let { sizeBytes } = limit;
    const newest = [...this.log.head.calls.values()].reverse().filter(lacksResult).slice(0, limit.calls);
    for (const { id, resultSeq } of newest) {
      const segment = this.#index().find(({ first, last }) => first <= resultSeq && resultSeq <= last);
      sizeBytes -= segment?.sizeBytes ?? 0;
      if (sizeBytes < 0) return;
      await this.loadResult(id);
    }
  }

  /** Where the person can log in. What the callback will need is stored when this resolves. */
  async beginLogin(way: LoginWay): Promise<URL> {
    const auth = await this.#authorizer();
    const url = await auth.beginLogin(way);
    await this.#writer?.flushed();
    return url;
  }

  async awaitsLogin(state: string): Promise<boolean> {
    return (await this.#authorizer()).awaits(state);
  }

  async finishLogin(parameters: URLSearchParams): Promise<void> {
    await this.#decided();
    const problem = await (await this.#authorizer()).finishLogin(parameters);
    await this.execute(
      problem === undefined
        ? { name: 'authorized', why: 'You logged in.' }
        : { name: 'login-failed', why: problem },
    );
  }

  grant(): Promise<GrantInfo | undefined> {
    return describeGrant(this.#authStore());
  }

  async refreshToken(): Promise<boolean> {
    return (await this.#authorizer()).refreshNow();
  }

  expireToken(): Promise<void> {
    return expireLocally(this.#authStore(), this.#env.clock.now());
  }

  /** Ends the session and the login, at the server as well as here. */
  async logOut(): Promise<void> {
    await this.execute({ name: 'disconnect' });
    await (await this.#authorizer()).logOut();
    this.changed.emit(undefined);
  }

  /** Goes on with the rights that there are. */
  async declineLogin(): Promise<void> {
    await this.#authStore().forgetChallenge();
    await this.execute({ name: 'authorized', why: 'You went on without a login.' });
  }

  hurry(): void {
    this.#client?.hurry();
  }

  /** Takes everything that is stored of this server away, here and in the other tabs. */
  async forget(): Promise<void> {
    await this.close();
    await this.#records.forget();
    await this.#authStore().forgetAll();
    this.#channel.tell({ type: 'forgotten' });
    this.#channel.close();
  }

  async close(): Promise<void> {
    await this.#client?.close();
    await this.#writer?.close();
    this.#leadership.resign();
  }

  async #start(): Promise<void> {
    // Not before the constructor is done, which this is called from.
    const results = Promise.resolve().then(() => this.#loadResults(RESULTS_IN_MEMORY));
    const led = this.#leadership.seek(() => this.#lead());
    this.#channel.tell({ type: 'who-leads' });
    await Promise.race([led, this.#decided()]);
    await Promise.all([this.#firstTry, results]);
  }

  async #lead(): Promise<void> {
    const tookOver = this.#role === 'follows';
    await this.#following;
    // The tab before this one may have written after this one has read.
    const restored = await this.#reader.restore();
    await this.#catchUp(restored);
    const { session, lists, credentials } = await this.#records.load();
    this.#writer = new LogWriter(this.#env.store, this.log, restored, this.#env.limits);
    this.#writer.stored.on(() => {
      this.#channel.tell({ type: 'stored' });
    });
    this.log.beginLoad(tookOver ? 'took over' : 'opened');
    for (const text of restored.damage) this.log.append({ body: { kind: 'note', level: 'error', text } });
    const client = await this.#makeClient(
      isSession(session) ? session : undefined,
      isLists(lists) ? lists : NO_LISTS,
      isObject(credentials) ? credentials : {},
    );
    this.#client = client;
    const comesBack = isWanted(this.log.head.state) || (await this.#isLoggedIn());
    this.#setRole('leads');
    this.#channel.tell({ type: 'i-lead' });
    if (comesBack) this.#firstTry = this.#comeBack(client, tookOver);
  }

  /** The login was finished, and the page left before it could go on. */
  async #isLoggedIn(): Promise<boolean> {
    return this.log.head.state.name === 'authorizing' && !(await (await this.#authorizer()).needsLogin());
  }

  /** Made when it is needed: the address and the client id may change. */
  async #authorizer(): Promise<Authorizer> {
    const { clock, fetch, locks, redirectUrl, clientMetadataUrl } = this.#env;
    const { credentials } = await this.#records.load();
    return new Authorizer({
      serverUrl: this.url,
      store: this.#authStore(),
      known: isObject(credentials) ? credentials : {},
      redirectUrl,
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
      fetch,
      locks,
      now: () => clock.now(),
      redactor: this.#redactor,
      record: (body) => this.#recordAuth(body),
    });
  }

  #authStore(): AuthStore {
    return new AuthStore(this.#vault, this.url);
  }

  #recordAuth(body: AuthBody): void {
    if (this.#writer) this.log.append({ body: { kind: 'auth', ...body } });
    else void this.execute({ name: 'record-auth', body }).catch(() => undefined);
  }

  async #comeBack(client: BrowserMcpClient, tookOver: boolean): Promise<void> {
    await this.#env.prepare(this.url);
    await client.reconnect(tookOver ? 'The tab that led before is gone.' : undefined);
  }

  async #makeClient(
    session: Session | undefined,
    lists: Lists,
    credentials: Credentials,
  ): Promise<BrowserMcpClient> {
    const { env, url } = { env: this.#env, url: this.url };
    this.#redactor.protect(credentials);
    return new BrowserMcpClient({
      url,
      credentials,
      auth: await this.#authorizer(),
      redactor: this.#redactor,
      session,
      lists,
      log: this.log,
      clock: env.clock,
      fetch: env.fetch,
      budget: env.budgetFor(url),
      version: env.version,
      pageOrigin: env.pageOrigin,
      isOnline: env.isOnline,
      flushed: () => this.#writer?.flushed() ?? Promise.resolve(),
      storedSince: (seq) => this.#reader.entriesSince(this.#index(), seq),
      saveSession: (next) => this.#records.saveSession(next),
      saveLists: async (next) => {
        await this.#records.saveLists(next);
        this.#setLists(next);
        this.#channel.tell({ type: 'lists', lists: next });
      },
    });
  }

  async #perform(client: BrowserMcpClient, command: Command): Promise<unknown> {
    switch (command.name) {
      case 'connect':
        return this.#connectAnew(client);
      case 'disconnect':
        await client.disconnect();
        return undefined;
      case 'call':
        return client.call(command.tool, command.args, command.options);
      case 'cancel':
        await client.cancel(command.callId);
        return undefined;
      case 'answer':
        await client.answer(command.requestId, command.result);
        return undefined;
      case 'decline':
        await client.decline(command.requestId);
        return undefined;
      case 'lists':
        return client.refreshLists();
      case 'authorized':
        return client.authorized(command.why);
      case 'login-failed':
        client.loginFailed(command.why);
        return undefined;
      case 'record-auth':
        this.log.append({ body: { kind: 'auth', ...command.body } });
        return undefined;
    }
  }

  /** A new session, with the address and the credentials as they are now. */
  async #connectAnew(old: BrowserMcpClient): Promise<ConnectionState> {
    if (isWanted(this.log.head.state)) await old.disconnect();
    await old.close();
    const { lists, credentials } = await this.#records.load();
    const client = await this.#makeClient(
      undefined,
      isLists(lists) ? lists : NO_LISTS,
      isObject(credentials) ? credentials : {},
    );
    this.#client = client;
    await this.#env.prepare(this.url);
    await client.connect();
    await this.#writer?.flushed();
    return this.state;
  }

  #hear(message: TabMessage): void {
    switch (message.type) {
      case 'stored':
        if (this.#role !== 'leads') this.#follow();
        return;
      case 'who-leads':
        if (this.#role === 'leads') this.#channel.tell({ type: 'i-lead' });
        return;
      case 'i-lead':
        if (this.#role === 'undecided') this.#setRole('follows');
        return;
      case 'lists':
        this.#setLists(message.lists);
        return;
      case 'command':
        if (this.#client) void this.#channel.reply(message.id, this.#perform(this.#client, message.command));
        return;
      case 'forgotten':
        void this.close();
        return;
      case 'reply':
        return;
    }
  }

  /** Reads what the leader has stored since. What comes while it reads is read after that. */
  #follow(): void {
    this.#behind = true;
    this.#following ??= (async () => {
      while (this.#behind && this.#role !== 'leads') {
        this.#behind = false;
        await this.#catchUp(await this.#reader.restore());
      }
    })().finally(() => {
      this.#following = undefined;
    });
  }

  async #catchUp(restored: RestoredLog): Promise<void> {
    this.#segments = restored.segments;
    for await (const entries of this.#reader.entriesSince(restored.segments, this.log.head.nextSeq)) {
      this.log.adopt(entries);
    }
  }

  #index(): RestoredLog['segments'] {
    return this.#writer?.segments ?? this.#segments;
  }

  #decided(): Promise<void> {
    if (this.#role !== 'undecided') return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.changed.on(() => {
        if (this.#role === 'undecided') return;
        stop();
        resolve();
      });
    });
  }

  #setLists(lists: Lists): void {
    this.#lists = lists;
    this.changed.emit(undefined);
  }

  #setRole(role: Role): void {
    this.#role = role;
    this.changed.emit(undefined);
  }
}

function lacksResult(call: Call): call is Call & { resultSeq: number } {
  return call.resultSeq !== undefined && call.result === undefined && call.error === undefined;
}

function isSession(value: unknown): value is Session {
  return isObject(value) && typeof value['protocolVersion'] === 'string' && isObject(value['handshake']);
}

function isLists(value: unknown): value is Lists {
  return (
    isObject(value) &&
    ['tools', 'resources', 'resourceTemplates', 'prompts'].every((name) => Array.isArray(value[name]))
  );
}
