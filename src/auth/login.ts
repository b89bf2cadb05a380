/** One login: finds out where it would lead, begins it when the user agrees, and takes the response. */
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { loadPart } from '../base/loadPart.ts';
import { errorMessage } from '../base/format.ts';
import type { Reason } from '../log/reasons/reason.ts';
import { factOf, ReasonError } from '../log/reasons/reasonError.ts';
import { hideInFacts } from '../wire/hideInTexts.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Challenge } from './authStore.ts';
import { loginFailure, metadataTrouble } from './authWords.ts';
import { createProvider, type AuthorizationOptions } from './createProvider.ts';
import type * as Flow from './flow.ts';
import { planLogin, planMetadata, type Agreed, type LoginPlan, type LoginWay } from './loginPlan.ts';
import { whyNotTaken } from './pendingLogin.ts';
import { recordSent } from './recordedFields.ts';
import { clientKind, redirectUrlFor, type ClientFacts } from './redirectUrl.ts';

/** What a refusal of the server has led to, when no token could be had without a person. */
export type Blocked =
  | { readonly name: 'login'; readonly reason: Reason; readonly ask: 'login' | 'client' }
  | { readonly name: 'refused'; readonly reason: Reason };

export class Login {
  readonly #options: AuthorizationOptions;
  /** Records each step. */
  readonly #fetch: Fetch;

  constructor(options: AuthorizationOptions, fetch: Fetch) {
    this.#options = options;
    this.#fetch = fetch;
  }

  /** The server wants a login. Until the user agrees, nothing is registered and no local service is asked. */
  async ask(challenge: Challenge): Promise<Blocked> {
    const { store } = this.#options;
    const { discover, checkDiscovery } = await loadFlow();
    let found: Flow.Found;
    try {
      found = await discover(this.#asked(challenge), 'not yet');
    } catch (error) {
      return this.#refused({ code: 'metadata-unusable', ...factOf(error, metadataTrouble) });
    }
    if (found.name === 'ask-first') return this.#block({ ...challenge, askFirst: found.url });
    await store.saveDiscovery(found.state);
    try {
      checkDiscovery(this.#resource(challenge), found.state);
    } catch (error) {
      return this.#refused({ code: 'metadata-rejected', ...factOf(error, errorMessage) });
    }
    return this.#block({ ...challenge, ...(await this.#missing(found.state)) });
  }

  /** Where a login leads. */
  async plan(): Promise<LoginPlan | undefined> {
    const { store, known } = this.#options;
    const challenge = await store.challenge();
    const serverUrl = this.#resource(challenge);
    if (challenge?.askFirst !== undefined) return planMetadata(serverUrl, challenge.askFirst);
    const facts = await this.#clientFacts();
    return facts && planLogin({ ...facts, serverUrl, kind: clientKind(facts), clientId: known.clientId });
  }

  async begin(way: LoginWay, agreed: Agreed): Promise<URL> {
    await this.#finishDiscovery();
    const [plan, facts] = [await this.plan(), await this.#clientFacts()];
    if (plan?.name !== 'login' || !facts) {
      throw new ReasonError({ code: 'login-not-started', how: 'nothing-to-start' });
    }
    // What was found since then isn't what the user has seen.
    if (plan.host !== agreed.host) {
      throw new ReasonError({ code: 'login-not-started', how: 'host-changed', host: plan.host });
    }
    const { withoutPkce } = agreed;
    if (plan.refusal && !withoutPkce) throw new ReasonError({ code: 'no-pkce', how: 'refused' });
    const { store, record, redactor } = this.#options;
    const { prepareLogin } = await loadFlow();
    const redirectUrl = await redirectUrlFor(this.#options.redirectUrl, clientKind(facts), facts);
    const provider = await createProvider(this.#options, {
      way,
      redirectUrl,
      ...(withoutPkce && { withoutPkce }),
    });
    const url = await prepareLogin(provider, this.#asked(await store.challenge()));
    await provider.saveLogin();
    record({
      step: 'login',
      url: redactor.text(url.href),
      sent: recordSent(url.searchParams),
      ...(plan.refusal && { reason: { code: 'no-pkce', how: 'continued' } }),
    });
    return url;
  }

  /** Takes the answer of the authorization server, once. @returns what went wrong */
  async finish(parameters: URLSearchParams): Promise<Reason | undefined> {
    const { store, record, redactor } = this.#options;
    redactor.protectValues([parameters.get('code') ?? '', parameters.get('state') ?? '']);
    const login = await store.login();
    // Whatever comes of it, the same answer is not taken twice.
    await store.forgetLogin();
    const sent = recordSent([...parameters].map(([name, value]) => [name, redactor.text(value)]));
    let isRecorded = false;
    /** Once, and before the request for the token, which is the next step. */
    const came = (reason?: Reason): Reason | undefined => {
      if (!isRecorded) record({ step: 'callback', sent, ...(reason && { reason }) });
      isRecorded = true;
      return reason;
    };
    const refusal = whyNotTaken(login, parameters, this.#options.now());
    if (!login || refusal) return came(refusal);
    redactor.protectValues([login.verifier]);
    try {
      const { redeem } = await loadFlow();
      const resource = this.#resource(await store.challenge());
      const provider = await createProvider(this.#options, login);
      await redeem(provider, resource, parameters, (input, init) => {
        came();
        return this.#fetch(input, init);
      });
    } catch (error) {
      return came(hideInFacts(loginFailure(error, parameters), (text) => redactor.text(text)));
    }
    return came();
  }

  /** What a login needs beside the user. */
  async #missing({
    authorizationServerMetadata: metadata,
    ...found
  }: OAuthDiscoveryState): Promise<Partial<Challenge>> {
    if (!metadata && !found.resourceMetadata) return { reason: { code: 'login-needed', how: 'no-metadata' } };
    const facts = await this.#clientFacts();
    const hasClient = facts !== undefined && (facts.stored !== undefined || clientKind(facts) === 'fixed');
    if (!metadata || hasClient || metadata.registration_endpoint !== undefined) return {};
    return { reason: { code: 'client-needed' }, ask: 'client' };
  }

  /** The user has agreed to the host where the discovery stopped. */
  async #finishDiscovery(): Promise<void> {
    const { store } = this.#options;
    const challenge = await store.challenge();
    if (challenge?.askFirst === undefined) return;
    const { discover, checkDiscovery } = await loadFlow();
    const found = await discover(this.#asked(challenge), 'agreed');
    if (found.name !== 'found') return;
    checkDiscovery(this.#resource(challenge), found.state);
    await store.saveDiscovery(found.state);
    const { askFirst: _, ...rest } = challenge;
    await store.saveChallenge(rest);
  }

  async #block(challenge: Challenge): Promise<Blocked> {
    await this.#options.store.saveChallenge(challenge);
    return { name: 'login', reason: challenge.reason, ask: challenge.ask };
  }

  #refused(refusal: Reason): Blocked {
    return { name: 'refused', reason: hideInFacts(refusal, (text) => this.#options.redactor.text(text)) };
  }

  async #clientFacts(): Promise<(ClientFacts & { readonly authorizationServerUrl: string }) | undefined> {
    const { store, known, clientMetadataUrl } = this.#options;
    const discovery = await store.discovery();
    if (!discovery) return undefined;
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = discovery;
    const issuer = metadata?.issuer ?? authorizationServerUrl;
    const stored = await store.client(issuer);
    const bound = known.clientId === undefined ? undefined : await store.boundIssuer(known.clientId);
    return { known, clientMetadataUrl, metadata, stored, bound, issuer, authorizationServerUrl };
  }

  /** What a token is for. */
  #resource(challenge: Partial<Challenge> = {}): string {
    return challenge.resource ?? this.#options.serverUrl;
  }

  #asked(challenge: Partial<Challenge> = {}): Flow.Asked {
    return { ...challenge, serverUrl: this.#options.serverUrl, fetch: this.#fetch };
  }
}

const loadFlow = (): Promise<typeof Flow> => loadPart(() => import('./flow.ts'));
