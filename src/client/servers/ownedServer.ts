/** A server in the tab that owns its connection: makes its client, and carries out commands with it. */
import type { Emitter } from '../../base/emitter.ts';
import { hideUrlKeys, lacksUrlKeys } from '../../base/urlKeys.ts';
import { shouldReconnect, type ConnectionState } from '../../log/state/connectionState.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import { shownState } from '../../log/state/shownState.ts';
import { withPath } from '../settings/address.ts';
import { BrowserMcpClient } from '../session/browserMcpClient.ts';
import { ALL_OFFERS } from '../settings/offers.ts';
import type { KnownServer } from './knownServer.ts';
import { performCommand } from './performCommand.ts';
import { redactLists, redactSession } from './redactStored.ts';
import type { ServerAccess } from './serverAccess.ts';
import type { ServerFacts } from './serverFacts.ts';
import type { Login } from './serverLogin.ts';
import type { StoredLog } from './storedLog.ts';
import type { Command } from '../tabs/tabChannel.ts';
import type { ServerEnvironment } from './serverEnvironment.ts';

export interface OwnedServerOptions {
  readonly env: ServerEnvironment;
  readonly access: ServerAccess;
  readonly log: ServerLog;
  readonly stored: StoredLog;
  readonly login: Login;
  readonly facts: ServerFacts;
  /** The URL or the settings were changed by a command. */
  readonly configured: Emitter<undefined>;
  /** The server was found at another URL of the same host. */
  readonly moved: Emitter<string>;
}

export class OwnedServer {
  readonly #options: OwnedServerOptions;
  #client: BrowserMcpClient;

  constructor(options: OwnedServerOptions, known: KnownServer) {
    this.#options = options;
    this.#client = makeClient(options, known);
  }

  get client(): BrowserMcpClient {
    return this.#client;
  }

  async comeBack(known: KnownServer, tookOver: boolean): Promise<void> {
    if (await this.#lacksCredentials(known)) return;
    const { env, access } = this.#options;
    await env.prepare(access.url);
    await this.#client.session.resume(tookOver ? { code: 'owner-tab-closed' } : undefined);
  }

  async perform(command: Command): Promise<unknown> {
    const { access, log, stored } = this.#options;
    switch (command.name) {
      case 'connect':
        return this.#performConnect(command);
      case 'authorized':
        if (command.sealedLogin !== undefined) access.tabLogin.text = command.sealedLogin;
        return performCommand(this.#client, command);
      case 'record-auth':
        log.append({ body: { kind: 'auth', ...command.body } });
        return log.folded();
      case 'record-app':
        log.append(...command.bodies.map((body) => ({ body: { kind: 'app', ...body } }) as const));
        return log.folded();
      case 'free-space':
        return stored.free(command.keepBytes);
      default:
        return performCommand(this.#client, command);
    }
  }

  async #performConnect({ url, settings, sealed, sealedLogin }: Command & { name: 'connect' }) {
    const { access, log, configured } = this.#options;
    await log.folded();
    const onlyLacked =
      isMissingCredentials(log.state.connection) && hideUrlKeys(url) === hideUrlKeys(access.url);
    if (sealed !== undefined) access.records.credentials.keepInTab(sealed);
    if (sealedLogin !== undefined) access.tabLogin.text = sealedLogin;
    await access.configure(url, settings);
    configured.emit(undefined);
    if (await this.#lacksCredentials(await access.known())) return this.#settled();
    return onlyLacked ? this.#goOn() : this.#connectAnew();
  }

  /** Another tab has the credentials, or they can't be opened: without them, the server is not asked. */
  async #lacksCredentials({ lacksCredentials }: KnownServer): Promise<boolean> {
    const { access, log } = this.#options;
    await log.folded();
    if (!lacksCredentials && !lacksUrlKeys(access.url)) return false;
    if (!isMissingCredentials(log.state.connection)) {
      const how = lacksCredentials ? 'other-tab' : 'not-decrypted';
      this.#client.lackCredentials({ code: 'credentials-needed', how });
    }
    return true;
  }

  /** The credentials are here again: the session that waited for them is taken up. */
  async #goOn(): Promise<ConnectionState> {
    await this.#client.close();
    const client = await this.#renew(await this.#options.access.known());
    await client.authorized({ code: 'credentials-entered' });
    return this.#settled();
  }

  /** A new session, with the URL and the credentials as they are now. */
  async #connectAnew(): Promise<ConnectionState> {
    if (shouldReconnect(this.#options.log.state.connection)) await this.#client.session.leave();
    await this.#client.close();
    const client = await this.#renew({ ...(await this.#options.access.known()), session: undefined });
    await client.session.connect();
    await this.#moveIfElsewhere();
    return this.#settled();
  }

  async #renew(known: KnownServer): Promise<BrowserMcpClient> {
    const { env, access, log } = this.#options;
    // It begins with the state that the log has.
    await log.folded();
    this.#client = makeClient(this.#options, known);
    await env.prepare(access.url);
    return this.#client;
  }

  async #settled(): Promise<ConnectionState> {
    await this.#options.stored.flushed();
    return shownState(this.#options.log.state);
  }

  /** The URL of the host was given, and the server responds at one of its usual paths: go there, and say so. */
  async #moveIfElsewhere(): Promise<void> {
    const { access, log, moved } = this.#options;
    await log.folded();
    const { connection: state } = log.state;
    if (state.name !== 'failed' || state.elsewhere === undefined) return;
    if (new URL(state.elsewhere).origin !== new URL(access.url).origin) return;
    // Only the path: the state is stored, and has placeholders for the keys.
    const url = withPath(access.url, new URL(state.elsewhere).pathname);
    const reason = { code: 'url-changed', url: hideUrlKeys(access.url), newUrl: hideUrlKeys(url) } as const;
    access.url = url;
    log.append({ body: { kind: 'note', level: 'warn', reason } });
    moved.emit(url);
    await this.#connectAnew();
  }
}

function makeClient(
  { env, access, log, login, facts }: OwnedServerOptions,
  { session, lists, preferences, credentials }: KnownServer,
): BrowserMcpClient {
  const { url, redactor, records, settings } = access;
  redactor.protect(credentials);
  return new BrowserMcpClient({
    url,
    credentials,
    tokens: async () => env.given?.tokens ?? login.tokens(),
    redactor,
    session,
    revision: settings.revision ?? 'auto',
    lists,
    preferences,
    log,
    clock: env.clock,
    fetch: env.fetch,
    budget: env.budgetFor(url),
    clientInfo: env.clientInfo,
    offers: env.offers ?? ALL_OFFERS,
    withheld: settings.withheld,
    pageOrigin: env.pageOrigin,
    isOnline: env.isOnline,
    whenStaying: env.whenStaying,
    untilLeaving: env.untilLeaving,
    saveSession: (next) => records.saveSession(url, next && redactSession(next, redactor)),
    saveLists: async (whole) => {
      const next = redactLists(whole, redactor);
      await records.saveLists(next);
      facts.tellLists(next);
    },
    // A history that can't be written costs no connection.
    keepInterface: async (whole, begun) => {
      const kept = [redactLists(whole, redactor), redactSession(begun, redactor), env.clock.now()] as const;
      await env.keepInterface?.(records, ...kept).catch(() => undefined);
    },
    askSkills: env.askSkills,
    savePreferences: async (next) => {
      await records.savePreferences(next);
      facts.tellPreferences(next);
    },
  });
}

function isMissingCredentials(state: ConnectionState): boolean {
  return state.name === 'authorizing' && state.ask === 'credentials';
}
