/** The login of one server: begun, finished and ended in whatever tab the person does it. */
import { Authorizer } from '../../auth/authorizer.ts';
import { AuthStore } from '../../auth/authStore.ts';
import type { FindWorker } from '../../auth/relayFetch.ts';
import { describeGrant, expireLocally, type GrantInfo } from '../../auth/grant.ts';
import type { Agreed, LoginPlan, LoginWay } from '../../auth/loginPlan.ts';
import type { Clock } from '../../base/clock.ts';
import type { AuthBody } from '../../log/entry/entry.ts';
import type { Store } from '../../storage/store.ts';
import type { TabSecrets } from '../../storage/tabSecrets.ts';
import { Vault } from '../../storage/vault.ts';
import type { Fetch } from '../../wire/recordingFetch.ts';
import type { Redactor } from '../../wire/redact.ts';
import type { Credentials } from '../settings/credentials.ts';
import type { LockManagerLike } from '../tabs/leadership.ts';
import type { Command } from '../tabs/tabChannel.ts';

export interface LoginEnvironment {
  readonly store: Store;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly locks: LockManagerLike | undefined;
  /** Where authorization servers send the browser back to. */
  readonly redirectUrl: string;
  readonly findWorker: FindWorker;
  readonly clientMetadataUrl?: string;
  /** The name that the app registers with. */
  readonly clientName?: string;
  /** As in the names of the other locks. */
  readonly scope?: string;
}

export interface ServerLoginOptions {
  readonly url: () => string;
  readonly credentials: () => Promise<Credentials>;
  /** Where the secrets of the login are, if this tab alone keeps them. */
  readonly tabSecrets: () => TabSecrets | undefined;
  readonly redactor: Redactor;
  readonly record: (body: AuthBody) => void;
  /** Resolves when everything in the log so far is stored. */
  readonly flushed: () => Promise<void>;
  readonly execute: (command: Command) => Promise<unknown>;
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

  /** Made when it is needed: the address and the client id may change. */
  async authorizer(): Promise<Authorizer> {
    const { clock, fetch, locks, scope, redirectUrl, findWorker, clientMetadataUrl, clientName } = this.#env;
    return new Authorizer({
      serverUrl: this.#options.url(),
      store: this.#store(),
      known: await this.#options.credentials(),
      redirectUrl,
      // The worker would keep the answer to a refresh for every tab.
      findWorker: this.#options.tabSecrets() ? () => Promise.resolve(undefined) : findWorker,
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
      ...(clientName !== undefined && { clientName }),
      fetch,
      locks,
      ...(scope !== undefined && { scope }),
      now: () => clock.now(),
      redactor: this.#options.redactor,
      record: this.#options.record,
    });
  }

  /** Where the person can log in. What the callback will need is stored when this resolves. */
  async begin(way: LoginWay, agreed: Agreed): Promise<URL> {
    const url = await (await this.authorizer()).beginLogin(way, agreed);
    await this.#options.flushed();
    return url;
  }

  async plan(): Promise<LoginPlan | undefined> {
    return (await this.authorizer()).plan();
  }

  async awaits(state: string): Promise<boolean> {
    return (await this.authorizer()).awaits(state);
  }

  async isNeeded(): Promise<boolean> {
    return (await this.authorizer()).needsLogin();
  }

  async finish(parameters: URLSearchParams): Promise<void> {
    const problem = await (await this.authorizer()).finishLogin(parameters);
    await this.#options.execute(
      problem === undefined
        ? { name: 'authorized', reason: { code: 'logged-in' } }
        : { name: 'login-failed', reason: problem },
    );
  }

  /** Goes on with the rights that there are. */
  async decline(): Promise<void> {
    await this.#store().forgetChallenge();
    await this.#options.execute({ name: 'authorized', reason: { code: 'login-skipped' } });
  }

  /** Ends the session and the login, at the server as well as here. */
  async logOut(): Promise<void> {
    await this.#options.execute({ name: 'disconnect' });
    await (await this.authorizer()).logOut();
  }

  grant(): Promise<GrantInfo | undefined> {
    return describeGrant(this.#store());
  }

  async refresh(): Promise<boolean> {
    return (await this.authorizer()).refreshNow();
  }

  expire(): Promise<void> {
    return expireLocally(this.#store(), this.#env.clock.now());
  }

  forget(): Promise<void> {
    return this.#store().forgetAll();
  }

  #store(): AuthStore {
    const own = this.#options.tabSecrets();
    return new AuthStore(this.#vault, this.#options.url(), own && new Vault(this.#env.store, own));
  }
}
