/** One server in one tab: shows its log from the first moment, and leads the connection when no other tab does. */
import { exclusive } from '../../base/exclusive.ts';
import { Emitter } from '../../base/emitter.ts';
import { loadPartPatiently } from '../../base/loadPart.ts';
import { shouldReconnect, type ConnectionState } from '../../log/state/connectionState.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { shownState } from '../../log/state/shownState.ts';
import type { Session } from '../link/session.ts';
import type { ResultLimit } from './earlierResults.ts';
import { ServerFacts } from './serverFacts.ts';
import { TabRole, type Role } from '../tabs/tabRole.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { OwnedServer, OwnedServerOptions } from './ownedServer.ts';
import type { CommandExecutor, Login } from './serverLogin.ts';
import type { SavedServer } from '../settings/savedServer.ts';
import { restoreServer, StoredServer, type RestoredServer } from './storedServer.ts';
import { TabChannel, type Command, type TabMessage } from '../tabs/tabChannel.ts';
import { completeCommand, refuse } from '../tabs/tabCommand.ts';
import { placeOf, type ServerEnvironment } from './serverEnvironment.ts';
import type { ServerPreferences } from '../settings/preferences.ts';

/** Older results than these are read when somebody looks at them. */
const RESULTS_IN_MEMORY: ResultLimit = { calls: 50, sizeBytes: 20_000_000 };
const NEWEST_RESULT: ResultLimit = { calls: 1, sizeBytes: Infinity };

export class ServerHandle extends StoredServer implements CommandExecutor {
  readonly login: Login;
  /** This tab has written more of the log to disk, or has removed some of it. */
  readonly stored = new Emitter<undefined>();
  /** Everything that is stored of this server was removed, here or in another tab. */
  readonly forgotten = new Emitter<undefined>();
  /** The server was found at another address than the one that was given. */
  readonly moved = new Emitter<string>();
  /** Resolves when the role is decided and, for a leader with a session, coming back was tried once. */
  readonly ready: Promise<void>;
  readonly #env: ServerEnvironment;
  readonly #role: TabRole;
  readonly #channel: TabChannel;
  readonly #facts: ServerFacts;
  #owned: OwnedServer | undefined;
  #firstTry: Promise<void> | undefined;

  static async open(env: ServerEnvironment, record: SavedServer): Promise<ServerHandle> {
    const tab = new ServerHandle(env, record, await restoreServer(env, record));
    try {
      await tab.results.loadNewest(env.resultsAtOpen ?? NEWEST_RESULT);
    } catch (error) {
      // A tab that nobody gets must not lead.
      await tab.close();
      throw error;
    }
    return tab;
  }

  private constructor(env: ServerEnvironment, record: SavedServer, restored: RestoredServer) {
    super(env, record, restored);
    const { known } = restored;
    const place = placeOf(env, record.id);
    this.#env = env;
    const { openChannel = (name) => new BroadcastChannel(name) } = env;
    this.#channel = new TabChannel(openChannel(place), (message) => this.#hear(message));
    const preferences = { ...known.preferences, ...env.preset };
    this.#facts = new ServerFacts(this.#channel, { ...known, preferences });
    const { access, log, storedLog } = this;
    this.login = env.makeLogin(env, { access, log, stored: storedLog, commands: this });
    this.#role = new TabRole(place, env.locks, this.isImported ? 'leads' : 'undecided');
    log.stored.on(() => this.#tellStored());
    for (const { changed } of [this.#role, this.#facts]) changed.on(() => this.changed.emit(undefined));
    this.ready = this.isImported ? Promise.resolve() : this.#start();
  }

  get role(): Role {
    return this.#role.current;
  }

  get lists(): Catalog {
    return this.#facts.lists;
  }

  get preferences(): ServerPreferences {
    return this.#facts.preferences;
  }

  /** As it is, or as the tab that leads has stored it. */
  get session(): Session | undefined {
    return this.#owned ? this.#owned.client.session.stored : this.#facts.session;
  }

  get state(): ConnectionState {
    return shownState(this.log.state);
  }

  /** Carries out a command here, or has the leading tab do it. */
  async execute(wanted: Command): Promise<unknown> {
    if (this.isImported) return refuse(wanted);
    const command = completeCommand(wanted, this.settings);
    await this.#role.decided();
    if (this.#owned) return this.#owned.perform(command);
    const tookOver = new AbortController();
    const asked = this.#channel.ask(this.access.withSealed(command));
    // The tab that was asked may close before it answers: what it has not begun is carried out here.
    const taken = this.#role.leads(tookOver.signal).then(() => this.#owned?.perform(command));
    return Promise.race([asked, taken]).finally(() => tookOver.abort());
  }

  /** Is there a token or a header that is sent along? */
  async hasSecrets(): Promise<boolean> {
    return Object.keys(await this.credentials()).length > 0 || (await this.login.grant()) !== undefined;
  }

  /** Removes the oldest entries until so much is left; the tab that writes the log does it. */
  async free(keepBytes: number): Promise<void> {
    if (!this.isImported) {
      await this.execute({ name: 'free-space', keepBytes });
      return;
    }
    // No tab writes a log that was imported: this one does for a moment.
    await exclusive(this.#env.locks, `${placeOf(this.#env, this.id)}/free`, async () => {
      await this.storedLog.lead();
      await this.storedLog.free(keepBytes);
      await this.storedLog.follows();
    });
  }

  retryNow(): void {
    this.#owned?.client.retryNow();
  }

  /** Takes everything that is stored of this server away, here and in the other tabs. A login belongs to a URL. */
  async forget({ keepsLogin }: { readonly keepsLogin: boolean }): Promise<void> {
    await this.#stop();
    await this.access.records.forget();
    if (!keepsLogin) await this.login.forget();
    this.#channel.tell({ type: 'forgotten' });
    this.#channel.close();
    // Not before the others know: one of them would take over, and begin the log again.
    this.#role.resign();
  }

  async close(): Promise<void> {
    await this.#stop();
    this.#channel.close();
    this.#role.resign();
  }

  async #stop(): Promise<void> {
    await this.#owned?.client.close();
    await this.storedLog.close();
  }

  async #start(): Promise<void> {
    // Not before the constructor is done, which this is called from.
    const results = Promise.resolve().then(() => this.results.loadNewest(RESULTS_IN_MEMORY));
    const led = this.#role.seek(() => this.#lead());
    this.#channel.tell({ type: 'who-leads' });
    await Promise.race([led, this.#role.decided()]);
    await Promise.all([this.#firstTry, results]);
  }

  async #lead(): Promise<void> {
    const tookOver = this.#role.current === 'follows';
    const loading = loadPartPatiently(() => import('./ownedServer.ts'));
    const [{ damage, segments }, known] = await Promise.all([this.storedLog.lead(), this.access.known()]);
    // The tab before has removed the server, log and all. That it's gone is told in a moment.
    if (tookOver && segments.length === 0 && this.log.state.nextSeq > 1) return;
    if (tookOver) this.log.beginLoad('took over');
    else this.log.beginLoad('opened', this.#env.pageLeftAt);
    for (const reason of damage) this.log.append({ body: { kind: 'note', level: 'error', reason } });
    const { OwnedServer } = await loading;
    const owned = new OwnedServer(this.#ownedOptions(), known);
    this.#owned = owned;
    const comesBack = shouldReconnect(this.log.state.connection) || (await this.#isLoggedIn());
    this.#role.set('leads');
    this.#channel.tell({ type: 'i-lead' });
    if (comesBack) this.#firstTry = owned.comeBack(known, tookOver);
  }

  #ownedOptions(): OwnedServerOptions {
    return {
      env: this.#env,
      access: this.access,
      log: this.log,
      stored: this.storedLog,
      login: this.login,
      facts: this.#facts,
      configured: this.changed,
      moved: this.moved,
    };
  }

  #tellStored(): void {
    this.#channel.tell({ type: 'stored' });
    this.stored.emit(undefined);
  }

  /** The login was finished, and the page left before it could go on. */
  async #isLoggedIn(): Promise<boolean> {
    return this.log.state.connection.name === 'authorizing' && !(await this.login.isNeeded());
  }

  #hear(message: TabMessage): void {
    switch (message.type) {
      case 'stored':
        if (!this.storedLog.isWritten) this.storedLog.follow();
        return;
      case 'who-leads':
        if (this.#role.current === 'leads') this.#channel.tell({ type: 'i-lead' });
        return;
      case 'i-lead':
        if (this.#role.current !== 'undecided') return;
        this.#role.set('follows');
        // What was stored since this tab has read, and before it heard of it.
        this.storedLog.follow();
        return;
      case 'lists':
      case 'wishes':
        return this.#facts.hear(message);
      case 'command':
        if (this.#owned) void this.#channel.reply(message.id, this.#owned.perform(message.command));
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
  protected async heedFollowed(entries: readonly Entry[]): Promise<void> {
    if (!entries.some(({ kind }) => kind === 'session')) return;
    this.#facts.session = (await this.access.known()).session;
  }
}
