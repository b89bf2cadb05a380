/**
 * The authorization at one server: gives out the token, renews it, and says when only a login helps. It never leaves
 * the page: that takes a click.
 */
import { count, reason } from '../base/words.ts';
import type { AuthBody } from '../log/entry.ts';
import type { Redactor } from '../wire/redact.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { AuthStore, Challenge, KeptTokens } from './authStore.ts';
import { whyLogin, whyNoMetadata, wordsOf } from './authWords.ts';
import type { FindWorker } from './carryFetch.ts';
import { expiresSoon } from './expiry.ts';
import { endGrant } from './grant.ts';
import type * as Flow from './flow.ts';
import { OAuthProvider, type KnownClient } from './oauthProvider.ts';
import { oneAtATime, type LocksLike } from './oneAtATime.ts';
import { recordSent } from './recordedFields.ts';
import { createStepFetch } from './stepFetch.ts';

export interface AuthorizerOptions {
  readonly serverUrl: string;
  readonly store: AuthStore;
  readonly known: KnownClient;
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  readonly fetch: Fetch;
  readonly findWorker: FindWorker;
  readonly locks: LocksLike | undefined;
  readonly now: () => number;
  readonly redactor: Redactor;
  readonly record: (body: AuthBody) => void;
}

/** What a refusal of the server has led to, when no token could be had without a person. */
export type Blocked =
  | { readonly name: 'login'; readonly why: string; readonly ask: 'login' | 'client' }
  | { readonly name: 'refused'; readonly why: string; readonly fix: string };

export type LoginWay = 'redirect' | 'popup';

/** MCP 2025-11-25, "Step-Up Authorization Flow": a client SHOULD limit how often it tries. */
const MAX_STEP_UPS = 2;

export class Authorizer {
  /** Set by the last refusal that a token could not cure. */
  blocked: Blocked | undefined;
  readonly #o: AuthorizerOptions;
  readonly #fetch: Fetch;
  readonly #onSecrets: (values: readonly string[]) => void;

  constructor(options: AuthorizerOptions) {
    this.#o = options;
    this.#onSecrets = (values) => options.redactor.protectValues(values);
    this.#fetch = this.#recorded(options.fetch);
  }

  /** The token for the next request, renewed if it is about to end. */
  async token(): Promise<string | undefined> {
    const kept = await this.#kept();
    if (!kept || !expiresSoon(kept, this.#o.now()) || kept.tokens.refresh_token === undefined) {
      return kept?.tokens.access_token;
    }
    const { access_token: token } = kept.tokens;
    return (await this.#alone(() => this.#renew(token))) ?? token;
  }

  /** After a 401 or 403: a token that is worth a second try, if there is one. Else `blocked` says what is the matter. */
  async recover(response: Response, used: string | undefined): Promise<string | undefined> {
    const { extractWWWAuthenticateParams } = await loadFlow();
    const { scope, error, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    if (response.status === 403 && error !== 'insufficient_scope') return undefined;
    return this.#alone(async () => {
      const kept = await this.#kept();
      // Another tab, or another request of this one, was quicker.
      if (kept && kept.tokens.access_token !== used) return kept.tokens.access_token;
      // Streams that are refused together ask for one login together.
      if (this.blocked?.name === 'login') return undefined;
      this.blocked = undefined;
      this.#recordChallenge(response, scope);
      const challenge = {
        ...(scope !== undefined && { scope }),
        ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
      };
      if (response.status === 403) return this.#stepUp(kept, challenge);
      const renewed = kept && (await this.#renew(used));
      if (renewed !== undefined) return renewed;
      const isAway = kept?.tokens.refresh_token !== undefined && (await this.#kept()) !== undefined;
      if (!isAway) await this.#ask({ ...challenge, why: whyLogin(kept), ask: 'login' });
      return undefined;
    });
  }

  /** A renewed token was refused too: renewing it again would go on for ever, so a person is asked. */
  async refusedAgain(response: Response, used: string): Promise<void> {
    const { extractWWWAuthenticateParams } = await loadFlow();
    const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    await this.#alone(async () => {
      if ((await this.#kept())?.tokens.access_token !== used || this.blocked) return;
      this.#recordChallenge(response, scope);
      await this.#ask({
        ...(scope !== undefined && { scope }),
        ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
        why: 'The server refuses a token that was just renewed.',
        ask: 'login',
      });
    });
  }

  /** Begins a login; the address is for the person to go to. */
  async beginLogin(way: LoginWay): Promise<URL> {
    const { prepareLogin } = await loadFlow();
    const challenge = await this.#o.store.challenge();
    const provider = await this.#provider({ way });
    const url = await prepareLogin(provider, { ...this.#asked(), ...challenge });
    await provider.saveLogin();
    this.#o.record({
      step: 'login',
      url: this.#o.redactor.text(url.href),
      sent: recordSent(url.searchParams),
    });
    return url;
  }

  /** Was this login begun here? */
  async awaits(state: string): Promise<boolean> {
    return (await this.#o.store.login())?.state === state;
  }

  /** Takes the answer of the authorization server, once. @returns what went wrong, in words */
  async finishLogin(parameters: URLSearchParams): Promise<string | undefined> {
    const { store, serverUrl, record, redactor } = this.#o;
    this.#onSecrets([parameters.get('code') ?? '', parameters.get('state') ?? '']);
    const login = await store.login();
    // Whatever comes of it, the same answer is not taken twice.
    await store.forgetLogin();
    const sent = recordSent([...parameters].map(([name, value]) => [name, redactor.text(value)]));
    if (!login || login.state !== parameters.get('state')) {
      const problem = 'This login was not begun here, or was finished before. It was ignored.';
      record({ step: 'callback', sent, problem });
      return problem;
    }
    this.#onSecrets([login.verifier]);
    try {
      const { redeem } = await loadFlow();
      const provider = await this.#provider({ verifier: login.verifier });
      await this.#alone(() => redeem(provider, serverUrl, parameters, this.#fetch));
    } catch (error) {
      const problem = redactor.text(`The login did not succeed: ${wordsOf(error, parameters)}`);
      record({ step: 'callback', sent, problem });
      return problem;
    }
    record({ step: 'callback', sent });
    return undefined;
  }

  /** Renews the token now. @returns whether there is a new one */
  async refreshNow(): Promise<boolean> {
    const used = (await this.#kept())?.tokens.access_token;
    return (await this.#alone(() => this.#renew(used))) !== undefined;
  }

  logOut(): Promise<void> {
    return this.#alone(() => endGrant(this.#o.store, this.#fetch));
  }

  /** Does anything but a login stand between the page and the server? */
  async needsLogin(): Promise<boolean> {
    return (await this.#o.store.challenge()) !== undefined;
  }

  /** A token that is not the one that was used; only one refresh is ever made of it. */
  async #renew(used: string | undefined): Promise<string | undefined> {
    const kept = await this.#kept();
    if (!kept) return undefined;
    if (kept.tokens.access_token !== used) return kept.tokens.access_token;
    if (kept.tokens.refresh_token === undefined) return undefined;
    const { refresh, createCarryFetch } = await loadFlow();
    const { fetch, findWorker, store } = this.#o;
    const carried = createCarryFetch({ fetch, findWorker, place: store.carriedPlace });
    const refreshed = await refresh(await this.#provider(), kept, this.#recorded(carried));
    if (refreshed.name === 'over') await store.forgetTokens();
    return refreshed.name === 'refreshed' ? (await this.#kept())?.tokens.access_token : undefined;
  }

  async #stepUp(kept: KeptTokens | undefined, challenge: Partial<Challenge>): Promise<undefined> {
    const { computeScopeUnion, isStrictScopeSuperset } = await loadFlow();
    const { store } = this.#o;
    const granted = kept?.tokens.scope;
    const wanted = computeScopeUnion(granted, challenge.scope) ?? '';
    if (!isStrictScopeSuperset(wanted, granted) || (await store.stepUps(wanted)) >= MAX_STEP_UPS) {
      this.blocked = {
        name: 'refused',
        why: `The server still asks for rights (${wanted}) after ${count(MAX_STEP_UPS, 'login')} for them.`,
        fix: 'Log in as somebody who has these rights, or look at what the authorization server grants.',
      };
      return;
    }
    await store.countStepUp(wanted);
    const why = `The server asks for more rights: ${challenge.scope ?? wanted}.`;
    await this.#ask({ ...challenge, scope: wanted, why, ask: 'login' });
  }

  async #ask(challenge: Challenge): Promise<void> {
    const { store } = this.#o;
    const { discover, prepareLogin } = await loadFlow();
    const asked = { ...this.#asked(), ...challenge };
    try {
      await store.saveDiscovery(await discover(asked));
    } catch (error) {
      this.blocked = { name: 'refused', why: this.#o.redactor.text(whyNoMetadata(error)), fix: FIX };
      return;
    }
    try {
      await prepareLogin(await this.#provider(), asked);
      await this.#block(challenge);
    } catch (error) {
      const discovery = await store.discovery();
      const metadata = discovery?.authorizationServerMetadata;
      if (!metadata && !discovery?.resourceMetadata) return;
      if (metadata && /regist/i.test(reason(error))) {
        const why = `The authorization server does not register this page by itself (${reason(error)}).`;
        await this.#block({ ...challenge, why: this.#o.redactor.text(why), ask: 'client' });
      } else {
        this.blocked = { name: 'refused', why: this.#o.redactor.text(reason(error)), fix: FIX };
      }
    }
  }

  async #block(challenge: Challenge): Promise<void> {
    await this.#o.store.saveChallenge(challenge);
    this.blocked = { name: 'login', why: challenge.why, ask: challenge.ask };
  }

  #recordChallenge(response: Response, scope: string | undefined): void {
    const header = response.headers.get('www-authenticate');
    const problem =
      header === null && response.status === 401
        ? 'There is no WWW-Authenticate header that this page may read (Access-Control-Expose-Headers).'
        : undefined;
    this.#o.record({
      step: 'challenge',
      status: response.status,
      ...(header !== null && { answer: this.#o.redactor.text(header) }),
      ...(scope !== undefined && { sent: { scope } }),
      ...(problem !== undefined && { problem }),
    });
  }

  async #kept(): Promise<KeptTokens | undefined> {
    const kept = await this.#o.store.tokens();
    if (kept) this.#onSecrets([kept.tokens.access_token, kept.tokens.refresh_token ?? '']);
    return kept;
  }

  async #provider(login: { way?: LoginWay; verifier?: string } = {}): Promise<OAuthProvider> {
    const { store, known, redirectUrl, clientMetadataUrl, now } = this.#o;
    const discovery = await store.discovery();
    const authMethods = discovery?.authorizationServerMetadata?.token_endpoint_auth_methods_supported;
    return new OAuthProvider({
      store,
      known,
      redirectUrl,
      now,
      onSecrets: this.#onSecrets,
      newState: () => `${login.way ?? 'redirect'}.${crypto.randomUUID()}${crypto.randomUUID()}`,
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
      ...(login.verifier !== undefined && { verifier: login.verifier }),
      ...(authMethods && { authMethods }),
    });
  }

  #recorded(fetch: Fetch): Fetch {
    const { serverUrl, record, redactor } = this.#o;
    const redact = (text: string): string => redactor.text(text);
    return createStepFetch({ fetch, serverUrl, record, redact, onSecrets: this.#onSecrets });
  }

  #asked(): Flow.Asked {
    return { serverUrl: this.#o.serverUrl, fetch: this.#fetch };
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return oneAtATime(this.#o.locks, `reprise/auth/${this.#o.serverUrl}`, work);
  }
}

const FIX = 'Look at the steps of the authorization: they show what each server answered.';

const loadFlow = (): Promise<typeof Flow> => import('./flow.ts');
