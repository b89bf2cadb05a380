/**
 * The authorization at one server: gives out the token, renews it, and says when only a login helps. It never leaves
 * the page: that takes a click.
 */
import { loadPart } from '../base/loadPart.ts';
import type { Reason } from '../log/reasons/reason.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Challenge, KeptTokens } from './authStore.ts';
import { bridgedResource } from './bridgedResource.ts';
import { createProvider, type AuthorizationOptions } from './createProvider.ts';
import { expiresSoon } from './expiry.ts';
import type * as Flow from './flow.ts';
import { endGrant } from './grant.ts';
import { Login, type Blocked } from './login.ts';
import type { Agreed, LoginPlan, LoginWay } from './loginPlan.ts';
import { exclusive } from '../base/exclusive.ts';
import { createStepFetch } from './stepFetch.ts';
import type { Recovery, TokenSource } from './tokenSource.ts';

/** MCP 2025-11-25, "Step-Up Authorization Flow": a client SHOULD limit how often it tries. */
const MAX_STEP_UPS = 2;

export class Authorizer implements TokenSource {
  readonly #options: AuthorizationOptions;
  readonly #fetch: Fetch;
  readonly #login: Login;
  /** What the last refusal has led to. */
  #blocked: Blocked | undefined;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
    this.#fetch = this.#recorded(options.fetch);
    this.#login = new Login(options, this.#fetch);
  }

  /** The token for the next request, renewed if it is about to end. */
  async token(): Promise<string | undefined> {
    const kept = await this.#kept();
    if (!kept || !expiresSoon(kept, this.#options.now()) || kept.tokens.refresh_token === undefined) {
      return kept?.tokens.access_token;
    }
    const { access_token: token } = kept.tokens;
    return (await this.#alone(() => this.#renew(token))) ?? token;
  }

  /** After a 401 or 403: a token that is worth a second try, or what is the matter. */
  async recover(response: Response, used: string | undefined): Promise<Recovery | undefined> {
    const { error, ...challenge } = await this.#read(response);
    if (response.status === 403 && error !== 'insufficient_scope') return undefined;
    return this.#alone(async () => {
      const kept = await this.#kept();
      // Another tab, or another request of this one, was quicker.
      if (kept && kept.tokens.access_token !== used) return tokenOf(kept.tokens.access_token);
      // Streams that are refused together ask for one login together.
      if (this.#blocked?.name === 'login') return this.#blocked;
      this.#blocked = undefined;
      this.#recordChallenge(response, challenge.scope);
      const renewed = response.status === 401 && kept ? await this.#renew(used) : undefined;
      if (renewed !== undefined) return tokenOf(renewed);
      this.#blocked = await (response.status === 403
        ? this.#stepUp(kept, challenge)
        : this.#askUnlessAway(kept, challenge));
      return this.#blocked;
    });
  }

  /** A renewed token was refused too: renewing it again would go on for ever, so a person is asked. */
  async refusedAgain(response: Response, used: string): Promise<Blocked | undefined> {
    const { error: _, ...challenge } = await this.#read(response);
    return this.#alone(async () => {
      if ((await this.#kept())?.tokens.access_token !== used || this.#blocked) return this.#blocked;
      this.#recordChallenge(response, challenge.scope);
      this.#blocked = await this.#login.ask({
        ...challenge,
        reason: { code: 'login-needed', how: 'token-refused' },
        ask: 'login',
      });
      return this.#blocked;
    });
  }

  /** Where a login leads, for the bar that offers it. */
  plan(): Promise<LoginPlan | undefined> {
    return this.#login.plan();
  }

  /** Begins a login that the user has agreed to; the address is for them to go to. */
  beginLogin(way: LoginWay, agreed: Agreed): Promise<URL> {
    return this.#alone(() => this.#login.begin(way, agreed));
  }

  /** Takes the answer of the authorization server, once. @returns what went wrong */
  finishLogin(parameters: URLSearchParams): Promise<Reason | undefined> {
    return this.#alone(() => this.#login.finish(parameters));
  }

  /** Was this login begun here? */
  async awaits(state: string): Promise<boolean> {
    return (await this.#options.store.login())?.state === state;
  }

  /** Renews the token now. @returns whether there is a new one */
  async refreshNow(): Promise<boolean> {
    const used = (await this.#kept())?.tokens.access_token;
    return (await this.#alone(() => this.#renew(used))) !== undefined;
  }

  logOut(): Promise<void> {
    return this.#alone(() => endGrant(this.#options.store, this.#fetch));
  }

  /** Does anything but a login stand between the page and the server? */
  async needsLogin(): Promise<boolean> {
    return (await this.#options.store.challenge()) !== undefined;
  }

  /** A token that is not the one that was used; only one refresh is ever made of it. */
  async #renew(used: string | undefined): Promise<string | undefined> {
    const kept = await this.#kept();
    if (!kept) return undefined;
    if (kept.tokens.access_token !== used) return kept.tokens.access_token;
    if (kept.tokens.refresh_token === undefined) return undefined;
    const { refresh, createRelayFetch } = await loadFlow();
    const { fetch, findWorker, store, serverUrl } = this.#options;
    const carried = createRelayFetch({ fetch, findWorker, place: store.relayPlace });
    const asked = { serverUrl, fetch: this.#recorded(carried) };
    const refreshed = await refresh(await createProvider(this.#options), kept, asked);
    if (refreshed.name === 'over') await store.forgetTokens();
    return refreshed.name === 'refreshed' ? (await this.#kept())?.tokens.access_token : undefined;
  }

  /** While the authorization server can't be reached, the token that it would renew is still worth something. */
  async #askUnlessAway(
    kept: KeptTokens | undefined,
    challenge: Partial<Challenge>,
  ): Promise<Blocked | undefined> {
    const isAway = kept?.tokens.refresh_token !== undefined && (await this.#kept()) !== undefined;
    if (isAway) return undefined;
    const reason = { code: 'login-needed', how: kept ? 'over' : 'first' } as const;
    return this.#login.ask({ ...challenge, reason, ask: 'login' });
  }

  async #stepUp(kept: KeptTokens | undefined, challenge: Partial<Challenge>): Promise<Blocked> {
    const { computeScopeUnion, isStrictScopeSuperset } = await loadFlow();
    const { store } = this.#options;
    const granted = kept?.tokens.scope;
    const wanted = computeScopeUnion(granted, challenge.scope) ?? '';
    if (!isStrictScopeSuperset(wanted, granted) || (await store.stepUps(wanted)) >= MAX_STEP_UPS) {
      return {
        name: 'refused',
        reason: { code: 'scope-not-granted', scope: wanted, logins: MAX_STEP_UPS },
      };
    }
    await store.countStepUp(wanted);
    const reason = { code: 'login-needed', how: 'scope', scope: challenge.scope ?? wanted } as const;
    return this.#login.ask({ ...challenge, scope: wanted, reason, ask: 'login' });
  }

  /** What the refusal says of a login. */
  async #read(response: Response): Promise<Partial<Challenge> & { readonly error?: string }> {
    const { extractWWWAuthenticateParams } = await loadFlow();
    const { scope, error, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    const resource = this.#bridgedResource(response);
    return {
      ...(scope !== undefined && { scope }),
      ...(error !== undefined && { error }),
      ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
      ...(resource !== undefined && { resource }),
    };
  }

  #bridgedResource(response: Response): string | undefined {
    return bridgedResource(response, this.#options.serverUrl, this.#options.redirectUrl);
  }

  #recordChallenge(response: Response, scope: string | undefined): void {
    const header = response.headers.get('www-authenticate');
    const isHidden = header === null && response.status === 401;
    this.#options.record({
      step: 'challenge',
      status: response.status,
      ...(header !== null && { answer: this.#options.redactor.text(header) }),
      ...(scope !== undefined && { sent: { scope } }),
      ...(isHidden && { reason: { code: 'challenge-hidden' } }),
    });
  }

  async #kept(): Promise<KeptTokens | undefined> {
    const kept = await this.#options.store.tokens();
    if (kept)
      this.#options.redactor.protectValues([kept.tokens.access_token, kept.tokens.refresh_token ?? '']);
    return kept;
  }

  #recorded(fetch: Fetch): Fetch {
    const { serverUrl, record, redactor } = this.#options;
    const redact = (text: string): string => redactor.text(text);
    const onSecrets = (values: readonly string[]): void => redactor.protectValues(values);
    const resourceOf = (response: Response): string => this.#bridgedResource(response) ?? serverUrl;
    return createStepFetch({ fetch, resourceOf, record, redact, onSecrets });
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const { locks, scope = 'reprise', serverUrl } = this.#options;
    return exclusive(locks, `${scope}/auth/${encodeURIComponent(serverUrl)}`, work);
  }
}

const tokenOf = (token: string): Recovery => ({ name: 'token', token });

const loadFlow = (): Promise<typeof Flow> => loadPart(() => import('./flow.ts'));
