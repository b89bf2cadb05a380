/** One server in one tab: shows its log from the first moment, and leads the connection when no other tab does. */
import type { Implementation } from '@modelcontextprotocol/client';
import { ulid } from 'ulid';
import { oneAtATime } from '../auth/oneAtATime.ts';
import type { TokenSource } from '../auth/tokenSource.ts';
import { Emitter } from '../base/emitter.ts';
import { hideUrlKeys, lacksUrlKeys, withoutUrlKeys } from '../base/urlKeys.ts';
import { isWanted, type ConnectionState } from '../log/connectionState.ts';
import type { AuthBody, Entry } from '../log/entry.ts';
import { Log } from '../log/log.ts';
import { LogReader, type RestoredLog } from '../storage/logReader.ts';
import type { LogWriterOptions } from '../storage/logWriter.ts';
import type { CredentialTerms, TabTexts } from '../storage/credentialPlace.ts';
import { ServerRecords } from '../storage/serverRecords.ts';
import type { StoredShare } from '../storage/storageLimit.ts';
import { TabSecrets } from '../storage/tabSecrets.ts';
import type { LogSource } from '../timeline/logSource.ts';
import type { ConnectionBudget } from '../wire/connectionBudget.ts';
import { Redactor } from '../wire/redact.ts';
import { withPath } from './address.ts';
import { BrowserMcpClient } from './browserMcpClient.ts';
import { DEFAULT_BACKGROUND_MS } from './calls.ts';
import { ALL_OFFERS, type Offers } from './offers.ts';
import type { Credentials, Session } from './connection.ts';
import { EarlierResults, type ResultLimit } from './earlierResults.ts';
import { loadKnownServer, type KnownServer } from './knownServer.ts';
import type { KeepInterface } from './interface/keepInterface.ts';
import { Leadership } from './leadership.ts';
import type { Lists } from './lists.ts';
import { performCommand } from './performCommand.ts';
import { redactLists, redactSession } from './redactStored.ts';
import type { Login, LoginEnvironment, ServerLoginOptions } from './serverLogin.ts';
import { settingsOf, type ServerRecord, type ServerSettings } from './serverRecord.ts';
import { StoredLog } from './storedLog.ts';
import { newTraceparent } from './traceparent.ts';
import { TabChannel, type Command, type TabMessage } from './tabChannel.ts';
import type { Wishes } from './wishes.ts';

export interface TabEnvironment extends LoginEnvironment, LogWriterOptions {
  /** The first part of the names of locks and channels: two apps on one origin must not share them. `reprise` if left out. */
  readonly scope?: string;
  readonly makeLogin: (env: LoginEnvironment, options: ServerLoginOptions) => Login;
  /** Keeps the interfaces that a server had. Without it, none is kept. */
  readonly keepInterface?: KeepInterface;
  /** What an app gives with each page load, in the place of what is stored. */
  readonly given?: GivenAccess;
  /** What an app wants of every server, in the place of what is stored. */
  readonly preset?: Partial<Wishes>;
  /** How many results of earlier pages are read before the tab is open. One, if left out. */
  readonly resultsAtOpen?: ResultLimit;
  readonly budgetFor: (url: string) => ConnectionBudget;
  /** Opens the channel of a name that all tabs share; `BroadcastChannel` if left out. */
  readonly openChannel?: (name: string) => BroadcastChannel;
  /** What is kept for this tab alone. */
  readonly tabTexts: TabTexts;
  readonly clientInfo: Implementation;
  /** Everything, if left out. */
  readonly offers?: Offers;
  readonly pageOrigin: string;
  readonly isOnline: () => boolean;
  /** For the logs of all servers together. */
  readonly storageLimitBytes?: () => number;
  /** Resolves while the page is not about to be left. */
  readonly whenStaying?: () => Promise<void>;
  /** When the page before this one was left, if this one is a reload. */
  readonly pageLeftAt?: number | undefined;
  /** Something may have to be ready before a server answers: the embedded demo is a service worker. */
  readonly prepare: (url: string) => Promise<void>;
}

/** Never stored. */
export interface GivenAccess extends Omit<Credentials, 'bearer'> {
  /** Without it, tokens come from the login. */
  readonly tokens?: TokenSource;
}

/** Older results than these are read when somebody looks at them. */
const RESULTS_IN_MEMORY: ResultLimit = { calls: 50, sizeBytes: 20_000_000 };
const NEWEST_RESULT: ResultLimit = { calls: 1, sizeBytes: Infinity };

export type Role = 'undecided' | 'leads' | 'follows';

export class ServerTab {
  readonly id: string;
  name: string;
  /** With its keys: they are in memory and sealed, and nowhere else. */
  url: string;
  readonly log: Log;
  readonly login: Login;
  /** The role, the lists or the wishes have changed. (The log tells of itself.) */
  readonly changed = new Emitter<undefined>();
  /** This tab has written more of the log to disk, or has removed some of it. */
  readonly stored = new Emitter<undefined>();
  /** Everything that is stored of this server was removed, here or in another tab. */
  readonly forgotten = new Emitter<undefined>();
  /** The server was found at another address than the one that was given. */
  readonly moved = new Emitter<string>();
  /** Resolves when the role is decided and, for a leader with a session, coming back was tried once. */
  readonly ready: Promise<void>;
  /** The log came from a file: it can be read, and there is no server behind it. */
  readonly isImported: boolean;
  /** The entries, for whoever looks at them. */
  readonly source: LogSource;
  readonly #env: TabEnvironment;
  readonly #stored: StoredLog;
  readonly #records: ServerRecords;
  readonly #leadership: Leadership;
  readonly #channel: TabChannel;
  readonly #redactor = new Redactor();
  readonly #results: EarlierResults;
  /** The login, while it is kept for this tab only. */
  readonly #tabLogin: TabSecrets;
  #settings: ServerSettings;
  #role: Role = 'undecided';
  #lists: Lists;
  #storedSession: Session | undefined;
  #wishes: Wishes;
  #client: BrowserMcpClient | undefined;
  #firstTry: Promise<void> | undefined;

  static async open(env: TabEnvironment, record: ServerRecord): Promise<ServerTab> {
    const reader = new LogReader(env.store, record.id);
    const records = new ServerRecords(env.store, env.tabTexts, record.id);
    const [restored, known] = await Promise.all([reader.restore(), loadKnownServer(records, record)]);
    const tab = new ServerTab(env, record, reader, records, restored, known);
    try {
      await tab.#results.loadNewest(env.resultsAtOpen ?? NEWEST_RESULT);
    } catch (error) {
      // A tab that nobody gets must not lead.
      await tab.close();
      throw error;
    }
    return tab;
  }

  private constructor(
    env: TabEnvironment,
    record: ServerRecord,
    reader: LogReader,
    records: ServerRecords,
    restored: RestoredLog,
    { url, session, lists, wishes, credentials }: KnownServer,
  ) {
    const { id } = record;
    const place = placeOf(env, id);
    this.#env = env;
    this.id = id;
    this.name = record.name;
    this.url = url;
    this.#settings = settingsOf(record);
    this.#records = records;
    this.#tabLogin = new TabSecrets(env.tabTexts, id);
    this.#lists = lists;
    this.#wishes = { ...wishes, ...env.preset };
    this.#redactor.protect(env.given ?? credentials);
    this.#redactor.protectUrl(url);
    this.#redactor.protectSessionIds([session?.sessionId ?? '']);
    this.#storedSession = session;
    this.log = new Log(id, env.clock, restored, (body) => this.#redactor.body(body));
    this.#stored = new StoredLog(this.log, reader, restored, (entries) => this.#heedFollowed(entries));
    this.#results = new EarlierResults({
      log: this.log,
      segments: () => this.#stored.segments,
      readEntry: (seq) => reader.entry(this.#stored.segments, seq),
    });
    this.login = env.makeLogin(env, {
      // Authorization servers get the URL of the server, as the resource that the token is for.
      url: () => withoutUrlKeys(this.url),
      credentials: () => this.credentials(),
      tabSecrets: () => (this.#settings.keepSecrets === 'tab' ? this.#tabLogin : undefined),
      redactor: this.#redactor,
      record: (body) => {
        this.#recordAuth(body);
      },
      flushed: () => this.#stored.flushed(),
      execute: (command) => this.execute(command),
    });
    const { openChannel = (name) => new BroadcastChannel(name) } = env;
    this.#channel = new TabChannel(openChannel(place), (message) => {
      this.#hear(message);
    });
    this.#leadership = new Leadership(place, env.locks);
    this.source = this.#stored.source;
    this.isImported = restored.isImported === true;
    if (this.isImported) this.#role = 'leads';
    this.ready = this.isImported ? Promise.resolve() : this.#start();
  }

  get role(): Role {
    return this.#role;
  }

  get lists(): Lists {
    return this.#lists;
  }

  get wishes(): Wishes {
    return this.#wishes;
  }

  /** As it is, or as the tab that leads has stored it. */
  get session(): Session | undefined {
    return this.#client ? this.#client.session : this.#storedSession;
  }

  get state(): ConnectionState {
    const { state, recovered } = this.log.head;
    return state.name === 'connected' && state.how === 'resumed' ? { ...state, recovered } : state;
  }

  get settings(): ServerSettings {
    return this.#settings;
  }

  /** The URL and the settings take effect with the next connection. @param url it may have placeholders for its keys */
  async configure({
    name,
    url,
    ...settings
  }: Pick<ServerRecord, 'name' | 'url'> & ServerSettings): Promise<void> {
    const { keepSecrets } = settings;
    const terms: CredentialTerms = { url, ...(keepSecrets && { keepSecrets }) };
    const whole = lacksUrlKeys(url) ? (await this.#records.credentials.load(terms)).url : url;
    this.name = name;
    this.url = whole;
    this.#redactor.protectUrl(whole);
    this.#settings = settingsOf(settings);
    this.changed.emit(undefined);
  }

  /** Carries out a command here, or has the leading tab do it. */
  async execute(wanted: Command): Promise<unknown> {
    if (this.isImported) return refuse(wanted);
    const command = withTrace(withCallId(withTimeout(wanted, this.settings)), this.settings);
    await this.#decided();
    if (this.#client) return this.#perform(this.#client, command);
    const tookOver = new AbortController();
    const asked = this.#channel.ask(this.#withSealed(command));
    // The tab that was asked may close before it answers: what it has not begun is carried out here.
    const taken = this.#leads(tookOver.signal).then((client) => this.#perform(client, command));
    return Promise.race([asked, taken]).finally(() => tookOver.abort());
  }

  /** The interfaces that the server had, as they are stored. */
  interfaces(): Promise<unknown> {
    return this.#records.loadInterfaces();
  }

  /** Those that may be sent to the server's URL. */
  async credentials(): Promise<Credentials> {
    return (await this.#known()).credentials;
  }

  /** Is there a token or a header that is sent along? */
  async hasSecrets(): Promise<boolean> {
    return !isEmpty(await this.credentials()) || (await this.login.grant()) !== undefined;
  }

  /** All entries, oldest first, when everything so far is stored. */
  entries(): AsyncGenerator<readonly Entry[]> {
    return this.#stored.entries();
  }

  /** The newest entries that pass, oldest first, from storage and memory. */
  newestEntries(count: number, passes: (entry: Entry) => boolean): Promise<readonly Entry[]> {
    return this.#stored.newest(count, passes);
  }

  /** All entries as they may be shared. */
  async *sharedEntries(): AsyncGenerator<readonly Entry[]> {
    for await (const entries of this.entries()) yield entries.map((entry) => this.shared(entry));
  }

  /** An entry as it may be shared: a log of an earlier version may hold what is hidden today. */
  shared(entry: Entry): Entry {
    return this.#redactor.entry(entry);
  }

  /** What its log takes on disk. */
  get share(): StoredShare {
    const { head } = this.log;
    const { segments } = this.#stored;
    return { id: this.id, segments, usedAt: head.usedAt, neededSince: head.neededSince() };
  }

  /** Does this tab write the log? */
  get isWritten(): boolean {
    return this.#stored.isWritten;
  }

  /** Removes the oldest entries until so much is left; the tab that writes the log does it. */
  async free(keepBytes: number): Promise<void> {
    if (!this.isImported) {
      await this.execute({ name: 'free-space', keepBytes });
      return;
    }
    // No tab writes a log that was imported: this one does for a moment.
    await oneAtATime(this.#env.locks, `${placeOf(this.#env, this.id)}/free`, async () => {
      await this.#stored.lead(this.#env, () => this.#tellStored());
      await this.#stored.free(keepBytes);
      await this.#stored.follows();
    });
  }

  async loadResult(callId: string): Promise<void> {
    await this.#results.load(callId);
    this.changed.emit(undefined);
  }

  hurry(): void {
    this.#client?.hurry();
  }

  /** The documents of MCP Apps that were shown, newest last: a reload shows the same one. */
  loadViews(): Promise<unknown> {
    return this.#records.loadViews();
  }

  saveViews(views: readonly object[]): Promise<void> {
    return this.#records.saveViews(views);
  }

  /** Takes everything that is stored of this server away, here and in the other tabs. A login belongs to a URL. */
  async forget({ keepsLogin }: { readonly keepsLogin: boolean }): Promise<void> {
    await this.#stop();
    await this.#records.forget();
    if (!keepsLogin) await this.login.forget();
    this.#channel.tell({ type: 'forgotten' });
    this.#channel.close();
    // Not before the others know: one of them would take over, and begin the log again.
    this.#leadership.resign();
  }

  async close(): Promise<void> {
    await this.#stop();
    this.#channel.close();
    this.#leadership.resign();
  }

  async #stop(): Promise<void> {
    await this.#client?.close();
    await this.#stored.close();
  }

  async #start(): Promise<void> {
    // Not before the constructor is done, which this is called from.
    const results = Promise.resolve().then(() => this.#results.loadNewest(RESULTS_IN_MEMORY));
    const led = this.#leadership.seek(() => this.#lead());
    this.#channel.tell({ type: 'who-leads' });
    await Promise.race([led, this.#decided()]);
    await Promise.all([this.#firstTry, results]);
  }

  async #lead(): Promise<void> {
    const tookOver = this.#role === 'follows';
    const { damage, segments } = await this.#stored.lead(this.#env, () => this.#tellStored());
    // The tab before has removed the server, log and all. That it's gone is told in a moment.
    if (tookOver && segments.length === 0 && this.log.head.nextSeq > 1) return;
    const known = await this.#known();
    if (tookOver) this.log.beginLoad('took over');
    else this.log.beginLoad('opened', this.#env.pageLeftAt);
    for (const reason of damage) this.log.append({ body: { kind: 'note', level: 'error', reason } });
    const client = await this.#makeClient(known);
    this.#client = client;
    const comesBack = isWanted(this.log.head.state) || (await this.#isLoggedIn());
    this.#setRole('leads');
    this.#channel.tell({ type: 'i-lead' });
    if (comesBack) this.#firstTry = this.#comeBack(client, tookOver);
  }

  #tellStored(): void {
    this.#channel.tell({ type: 'stored' });
    this.stored.emit(undefined);
  }

  /** The login was finished, and the page left before it could go on. */
  async #isLoggedIn(): Promise<boolean> {
    return this.log.head.state.name === 'authorizing' && !(await this.login.isNeeded());
  }

  #recordAuth(body: AuthBody): void {
    if (this.#stored.isWritten) this.log.append({ body: { kind: 'auth', ...body } });
    else void this.execute({ name: 'record-auth', body }).catch(() => undefined);
  }

  async #known(): Promise<KnownServer> {
    const { keepSecrets } = this.#settings;
    const { given, preset } = this.#env;
    const terms: CredentialTerms = { url: this.url, ...(keepSecrets && { keepSecrets }) };
    const known = await loadKnownServer(this.#records, terms);
    const { tokens: _, ...credentials } = given ?? {};
    return {
      ...known,
      wishes: { ...known.wishes, ...preset },
      ...(given && { credentials, lacksCredentials: false }),
    };
  }

  /** Another tab has the credentials, or they can't be opened: without them, the server is not asked. */
  async #lacksCredentials(): Promise<boolean> {
    const { lacksCredentials } = await this.#known();
    if (!lacksCredentials && !lacksUrlKeys(this.url)) return false;
    if (!isMissingCredentials(this.state)) {
      const how = lacksCredentials ? 'other-tab' : 'not-decrypted';
      const reason = { code: 'credentials-needed', how } as const;
      this.log.append({
        body: { kind: 'state', state: { name: 'authorizing', reason, ask: 'credentials' } },
      });
    }
    return true;
  }

  #withSealed(command: Command): Command {
    if (command.name !== 'connect' && command.name !== 'authorized') return command;
    const sealed = command.name === 'connect' ? this.#records.credentials.inTab : undefined;
    const { text: sealedLogin } = this.#tabLogin;
    return {
      ...command,
      ...(sealed !== undefined && { sealed }),
      ...(sealedLogin !== undefined && { sealedLogin }),
    };
  }

  async #comeBack(client: BrowserMcpClient, tookOver: boolean): Promise<void> {
    if (await this.#lacksCredentials()) return;
    await this.#env.prepare(this.url);
    await client.reconnect(tookOver ? { code: 'owner-tab-closed' } : undefined);
  }

  async #makeClient({ session, lists, wishes, credentials }: KnownServer): Promise<BrowserMcpClient> {
    const { env, url } = { env: this.#env, url: this.url };
    this.#redactor.protect(credentials);
    return new BrowserMcpClient({
      url,
      credentials,
      auth: env.given?.tokens ?? (await this.login.authorizer()),
      redactor: this.#redactor,
      session,
      revision: this.#settings.revision ?? 'auto',
      lists,
      wishes,
      log: this.log,
      clock: env.clock,
      fetch: env.fetch,
      budget: env.budgetFor(url),
      clientInfo: env.clientInfo,
      offers: env.offers ?? ALL_OFFERS,
      withheld: this.#settings.withheld,
      pageOrigin: env.pageOrigin,
      isOnline: env.isOnline,
      whenStaying: env.whenStaying,
      flushed: () => this.#stored.flushed(),
      storedSince: (seq) => this.#stored.since(seq),
      saveSession: (next) => this.#records.saveSession(url, next && redactSession(next, this.#redactor)),
      saveLists: async (whole) => {
        const next = redactLists(whole, this.#redactor);
        await this.#records.saveLists(next);
        this.#setLists(next);
        this.#channel.tell({ type: 'lists', lists: next });
      },
      keepInterface: (whole, session) => this.#keepInterface(redactLists(whole, this.#redactor), session),
      saveWishes: async (next) => {
        await this.#records.saveWishes(next);
        this.#setWishes(next);
        this.#channel.tell({ type: 'wishes', wishes: next });
      },
    });
  }

  /** A history that can't be written costs no connection. */
  async #keepInterface(lists: Lists, session: Session): Promise<void> {
    const { keepInterface, clock } = this.#env;
    const safe = redactSession(session, this.#redactor);
    await keepInterface?.(this.#records, lists, safe, clock.now()).catch(() => undefined);
  }

  async #perform(client: BrowserMcpClient, command: Command): Promise<unknown> {
    switch (command.name) {
      case 'connect':
        return this.#performConnect(client, command);
      case 'authorized':
        if (command.sealedLogin !== undefined) this.#tabLogin.text = command.sealedLogin;
        return performCommand(client, command);
      case 'record-auth':
        this.log.append({ body: { kind: 'auth', ...command.body } });
        return undefined;
      case 'record-app':
        this.log.appendAll(command.bodies.map((body) => ({ body: { kind: 'app', ...body } })));
        return undefined;
      case 'free-space':
        return this.#stored.free(command.keepBytes);
      default:
        return performCommand(client, command);
    }
  }

  async #performConnect(client: BrowserMcpClient, command: Command & { name: 'connect' }): Promise<unknown> {
    const { url, settings, sealed, sealedLogin } = command;
    const onlyLacked = isMissingCredentials(this.state) && hideUrlKeys(url) === hideUrlKeys(this.url);
    if (sealed !== undefined) this.#records.credentials.keepInTab(sealed);
    if (sealedLogin !== undefined) this.#tabLogin.text = sealedLogin;
    await this.configure({ name: this.name, url, ...settings });
    if (await this.#lacksCredentials()) return this.state;
    return onlyLacked ? this.#goOn(client) : this.#connectAnew(client);
  }

  /** The credentials are here again: the session that waited for them is taken up. */
  async #goOn(old: BrowserMcpClient): Promise<ConnectionState> {
    await old.close();
    const client = await this.#makeClient(await this.#known());
    this.#client = client;
    await this.#env.prepare(this.url);
    await client.authorized({ code: 'credentials-entered' });
    await this.#stored.flushed();
    return this.state;
  }

  /** A new session, with the address and the credentials as they are now. */
  async #connectAnew(old: BrowserMcpClient): Promise<ConnectionState> {
    if (isWanted(this.log.head.state)) await old.disconnect();
    await old.close();
    const client = await this.#makeClient({ ...(await this.#known()), session: undefined });
    this.#client = client;
    await this.#env.prepare(this.url);
    await client.connect();
    await this.#moveIfElsewhere();
    await this.#stored.flushed();
    return this.state;
  }

  /** Somebody gave the address of the host, and the server answers at one of its usual paths: go there, and say so. */
  async #moveIfElsewhere(): Promise<void> {
    const { state } = this;
    if (state.name !== 'failed' || state.elsewhere === undefined || !this.#client) return;
    if (new URL(state.elsewhere).origin !== new URL(this.url).origin) return;
    // Only the path: the state is stored, and has placeholders for the keys.
    const url = withPath(this.url, new URL(state.elsewhere).pathname);
    const reason = { code: 'url-changed', url: hideUrlKeys(this.url), newUrl: hideUrlKeys(url) } as const;
    this.url = url;
    this.log.append({ body: { kind: 'note', level: 'warn', reason } });
    this.moved.emit(this.url);
    await this.#connectAnew(this.#client);
  }

  #hear(message: TabMessage): void {
    switch (message.type) {
      case 'stored':
        if (!this.#stored.isWritten) this.#stored.follow();
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
      case 'wishes':
        this.#setWishes(message.wishes);
        return;
      case 'command':
        if (this.#client) void this.#channel.reply(message.id, this.#perform(this.#client, message.command));
        return;
      case 'forgotten':
        void this.close();
        this.forgotten.emit(undefined);
        return;
      case 'reply':
        return;
    }
  }

  /** What the leader has written may name a new session. */
  async #heedFollowed(entries: readonly Entry[]): Promise<void> {
    if (!entries.some(({ kind }) => kind === 'session')) return;
    this.#storedSession = (await this.#known()).session;
  }

  /** Resolves when this tab has taken over; never, once the signal aborts. */
  #leads(signal: AbortSignal): Promise<BrowserMcpClient> {
    return new Promise((resolve) => {
      const stop = this.changed.on(() => {
        if (this.#role === 'leads' && this.#client) resolve(this.#client);
      });
      signal.addEventListener('abort', stop);
    });
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

  #setWishes(wishes: Wishes): void {
    this.#wishes = wishes;
    this.changed.emit(undefined);
  }

  #setRole(role: Role): void {
    this.#role = role;
    this.changed.emit(undefined);
  }
}

/** Names the lock and the channel of a server. */
const placeOf = ({ scope = 'reprise' }: TabEnvironment, id: string): string =>
  `${scope}/server/${encodeURIComponent(id)}`;

function isEmpty(credentials: Credentials): boolean {
  return Object.keys(credentials).length === 0;
}

function isMissingCredentials(state: ConnectionState): boolean {
  return state.name === 'authorizing' && state.ask === 'credentials';
}

/** A call that names no limit of its own has the server's. */
function withTimeout(command: Command, { timeoutMs }: ServerSettings): Command {
  if (command.name !== 'call' || timeoutMs === undefined) return command;
  if (command.options.timeoutMs !== undefined) return command;
  return { ...command, options: { backgroundMs: DEFAULT_BACKGROUND_MS, ...command.options, timeoutMs } };
}

/** So that a call which one tab has begun is not begun again by the tab that takes over. */
function withCallId(command: Command): Command {
  if (command.name !== 'call') return command;
  return { ...command, options: { callId: ulid(), ...command.options } };
}

/** One trace for each call: a call that is made again is another one. */
function withTrace(command: Command, { sendsTrace }: ServerSettings): Command {
  if (command.name !== 'call' || !sendsTrace) return command;
  const { options } = command;
  return { ...command, options: { ...options, meta: { ...options.meta, traceparent: newTraceparent() } } };
}

/** There is nothing to disconnect from; everything else needs a server. */
function refuse({ name }: Command): undefined {
  if (name === 'disconnect') return undefined;
  throw new Error('This log was imported: there is no server behind it. Connect to one to call its tools.');
}
