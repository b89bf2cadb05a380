/** The login of one server: begun, finished and ended in whatever tab the person does it. */
import { Authorizer } from '../../auth/authorizer.ts';
import { AuthStore } from '../../auth/authStore.ts';
import type { FindWorker } from '../../auth/relayFetch.ts';
import { describeGrant, expireLocally, type GrantInfo } from '../../auth/grant.ts';
import type { Agreed, LoginPlan, LoginWay } from '../../auth/loginPlan.ts';
import type { TokenSource } from '../../auth/tokenSource.ts';
import type { Clock } from '../../base/clock.ts';
import { withoutUrlKeys } from '../../base/urlKeys.ts';
import type { AuthBody } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { Store } from '../../storage/store.ts';
import type { TabSecrets } from '../../storage/tabSecrets.ts';
import { Vault } from '../../storage/vault.ts';
import type { Fetch } from '../../wire/recordingFetch.ts';
import type { LocksLike } from '../../base/exclusive.ts';
import type { Command } from '../tabs/tabChannel.ts';
import type { ServerAccess } from './serverAccess.ts';
import type { StoredLog } from './storedLog.ts';

export interface LoginEnvironment {
  readonly store: Store;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly locks: LocksLike | undefined;
  /** Where authorization servers send the browser back to. */
  readonly redirectUrl: string;
  readonly findWorker: FindWorker;
  readonly clientMetadataUrl?: string;
  /** The name that the app registers with. */
  readonly clientName?: string;
  /** As in the names of the other locks. */
  readonly scope?: string;
}

/** The server that the login is for. */
export interface ServerLoginOptions {
  readonly access: ServerAccess;
  readonly log: ServerLog;
  readonly stored: StoredLog;
  readonly commands: CommandExecutor;
}

export interface CommandExecutor {
  /** Carries out a command here, or has the owner tab do it. */
  execute(command: Command): Promise<unknown>;
}

/** The login of a server as the rest of the client uses it. */
export type Login = Pick<ServerLogin, keyof ServerLogin>;

export class ServerLogin {
  readonly #env: LoginEnvironment;
  readonly #options: ServerLoginOptions;
  readonly #vault: Vault;

  constructor(env: LoginEnvironment, options: ServerLoginOptions) {
    this.#env = env;
    this.#options = options;
    this.#vault = new Vault(env.store);
  }

  /** Gives out the tokens of one connection. */
  tokens(): Promise<TokenSource> {
    return this.#authorizer();
  }

  /** Made when it is needed: the address and the client id may change. */
  async #authorizer(): Promise<Authorizer> {
    const { clock, fetch, locks, scope, redirectUrl, findWorker, clientMetadataUrl, clientName } = this.#env;
    const { access } = this.#options;
    return new Authorizer({
      serverUrl: this.#url,
      store: this.#store(),
      known: (await access.known()).credentials,
      redirectUrl,
      // The worker would keep the answer to a refresh for every tab.
      findWorker: this.#tabSecrets ? () => Promise.resolve(undefined) : findWorker,
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
      ...(clientName !== undefined && { clientName }),
      fetch,
      locks,
      ...(scope !== undefined && { scope }),
      now: () => clock.now(),
      redactor: access.redactor,
      record: (body) => this.#record(body),
    });
  }

  /** Where the person can log in. What the callback will need is stored when this resolves. */
  async begin(way: LoginWay, agreed: Agreed): Promise<URL> {
    const url = await (await this.#authorizer()).beginLogin(way, agreed);
    await this.#options.stored.flushed();
    return url;
  }

  async plan(): Promise<LoginPlan | undefined> {
    return (await this.#authorizer()).plan();
  }

  async awaits(state: string): Promise<boolean> {
    return (await this.#authorizer()).awaits(state);
  }

  async isNeeded(): Promise<boolean> {
    return (await this.#authorizer()).needsLogin();
  }

  async finish(parameters: URLSearchParams): Promise<void> {
    const problem = await (await this.#authorizer()).finishLogin(parameters);
    await this.#options.commands.execute(
      problem === undefined
        ? { name: 'authorized', reason: { code: 'logged-in' } }
        : { name: 'login-failed', reason: problem },
    );
  }

  /** Goes on with the rights that there are. */
  async decline(): Promise<void> {
    await this.#store().forgetChallenge();
    await this.#options.commands.execute({ name: 'authorized', reason: { code: 'login-skipped' } });
  }

  /** Ends the session and the login, at the server as well as here. */
  async logOut(): Promise<void> {
    await this.#options.commands.execute({ name: 'disconnect' });
    await (await this.#authorizer()).logOut();
  }

  grant(): Promise<GrantInfo | undefined> {
    return describeGrant(this.#store());
  }

  async refresh(): Promise<boolean> {
    return (await this.#authorizer()).refreshNow();
  }

  expire(): Promise<void> {
    return expireLocally(this.#store(), this.#env.clock.now());
  }

  forget(): Promise<void> {
    return this.#store().forgetAll();
  }

  /** Authorization servers get the URL of the server, as the resource that the token is for. */
  get #url(): string {
    return withoutUrlKeys(this.#options.access.url);
  }

  /** Where the secrets of the login are, if this tab alone keeps them. */
  get #tabSecrets(): TabSecrets | undefined {
    const { settings, tabLogin } = this.#options.access;
    return settings.keepSecrets === 'tab' ? tabLogin : undefined;
  }

  #store(): AuthStore {
    const own = this.#tabSecrets;
    return new AuthStore(this.#vault, this.#url, own && new Vault(this.#env.store, own));
  }

  /** In the log, by the tab that writes it. */
  #record(body: AuthBody): void {
    const { log, stored, commands } = this.#options;
    if (stored.isWritten) log.append({ body: { kind: 'auth', ...body } });
    else void commands.execute({ name: 'record-auth', body }).catch(() => undefined);
  }
}
