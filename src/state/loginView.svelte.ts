/** The authorization of one server as the screen sees it: what it waits for, its steps, and what is known of the login. */
import type { GrantInfo } from '../auth/grant.ts';
import type { Agreed, LoginPlan, LoginWay } from '../auth/loginPlan.ts';
import { openLogin } from '../auth/loginWindow.ts';
import type { ConnectionState } from '../log/state/connectionState.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { ShownServer } from './shownServer.ts';

type AuthEntry = Extract<Entry, { kind: 'auth' }>;

/** A login has about ten. */
const SHOWN_STEPS = 60;

export class LoginView {
  readonly #tab: ShownServer;
  /** The tab, for whatever is drawn from it: it is drawn again when the tab changes. */
  readonly #track: () => ShownServer;
  #grant = $state.raw<GrantInfo>();
  #plan = $state.raw<LoginPlan>();

  constructor(tab: ShownServer, track: () => ShownServer) {
    this.#tab = tab;
    this.#track = track;
    tab.log.appended.on(({ others }) => {
      // The token is stored after the step that brought it, and before the connection is made with it.
      if (!others.some(({ kind }) => kind === 'auth' || kind === 'state')) return;
      void this.loadGrant();
      if (this.#plan) void this.loadPlan();
    });
  }

  /** What the server waits for, if it waits for a person. */
  get awaited(): Extract<ConnectionState, { readonly name: 'authorizing' }> | undefined {
    const { state } = this.#track();
    return state.name === 'authorizing' ? state : undefined;
  }

  /** The newest steps of the authorization, in the order in which they were taken. */
  get steps(): readonly AuthEntry[] {
    const { tail } = this.#track().log;
    return tail.filter((entry) => entry.kind === 'auth').slice(-SHOWN_STEPS);
  }

  /** What is known of the login, without its secrets. */
  get grant(): GrantInfo | undefined {
    return this.#grant;
  }

  async loadGrant(): Promise<void> {
    this.#grant = await this.#tab.login.grant();
  }

  /** Where a login leads. */
  get plan(): LoginPlan | undefined {
    return this.#plan;
  }

  /** Who gets a client ID that is typed by hand. */
  get issuer(): string | undefined {
    return this.#plan?.name === 'login' ? this.#plan.issuer : undefined;
  }

  async loadPlan(): Promise<void> {
    this.#plan = await this.#tab.login.plan();
  }

  /** Leaves for the login page that was shown, or opens it beside this one. */
  async begin(way: LoginWay, agreed: Agreed): Promise<void> {
    try {
      await openLogin(way, () => this.#tab.login.begin(way, agreed));
    } finally {
      await this.loadPlan();
    }
  }

  async refresh(): Promise<void> {
    await this.#tab.login.refresh();
    await this.loadGrant();
  }

  async expire(): Promise<void> {
    await this.#tab.login.expire();
    await this.loadGrant();
  }

  async logOut(): Promise<void> {
    await this.#tab.login.logOut();
    await this.loadGrant();
  }

  async decline(): Promise<void> {
    await this.#tab.login.decline();
  }
}
