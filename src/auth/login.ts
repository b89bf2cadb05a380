/** One login: finds out where it would lead, begins it when the user agrees, and takes the response. */
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { loadPart } from '../base/loadPart.ts';
import { reason } from '../base/words.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Challenge } from './authStore.ts';
import { NO_METADATA, NO_PKCE, NO_REGISTRATION, whyNoMetadata, wordsOf } from './authWords.ts';
import { createProvider, type AuthorizationOptions } from './createProvider.ts';
import type * as Flow from './flow.ts';
import { planLogin, planMetadata, type Agreed, type LoginPlan, type LoginWay } from './loginPlan.ts';
import { whyNotTaken } from './pendingLogin.ts';
import { recordSent } from './recordedFields.ts';
import { clientKind, redirectUrlFor, type ClientFacts } from './redirectUrl.ts';

/** What a refusal of the server has led to, when no token could be had without a person. */
export type Blocked =
  | { readonly name: 'login'; readonly why: string; readonly ask: 'login' | 'client' }
  | { readonly name: 'refused'; readonly why: string; readonly fix: string };

const FIX = 'Look at the steps of the authorization: they show what each server answered.';

export class Login {
  readonly #o: AuthorizationOptions;
  /** Records each step. */
  readonly #fetch: Fetch;

  constructor(options: AuthorizationOptions, fetch: Fetch) {
    this.#o = options;
    this.#fetch = fetch;
  }

  /** The server wants a login. Until the user agrees, nothing is registered and no local service is asked. */
  async ask(challenge: Challenge): Promise<Blocked> {
    const { store, serverUrl } = this.#o;
    const { discover, checkDiscovery } = await loadFlow();
    let found: Flow.Found;
    try {
      found = await discover(this.#asked(challenge), 'not yet');
    } catch (error) {
      return this.#refused(whyNoMetadata(error));
    }
    if (found.name === 'ask-first') return this.#block({ ...challenge, askFirst: found.url });
    await store.saveDiscovery(found.state);
    try {
      checkDiscovery(serverUrl, found.state);
    } catch (error) {
      return this.#refused(reason(error));
    }
    return this.#block({ ...challenge, ...(await this.#missing(found.state)) });
  }

  /** Where a login leads. */
  async plan(): Promise<LoginPlan | undefined> {
    const { store, serverUrl, known } = this.#o;
    const askFirst = (await store.challenge())?.askFirst;
    if (askFirst !== undefined) return planMetadata(serverUrl, askFirst);
    const facts = await this.#clientFacts();
    return facts && planLogin({ ...facts, serverUrl, kind: clientKind(facts), clientId: known.clientId });
  }

  async begin(way: LoginWay, agreed: Agreed): Promise<URL> {
    await this.#finishDiscovery();
    const [plan, facts] = [await this.plan(), await this.#clientFacts()];
    if (plan?.name !== 'login' || !facts) throw new Error('There is no login to start. Connect again.');
    // What was found since then isn't what the user has seen.
    if (plan.host !== agreed.host) throw new Error(`The login is at ${plan.host}. Log in again to go there.`);
    const { withoutPkce } = agreed;
    if (plan.refusal && !withoutPkce) throw new Error(NO_PKCE);
    const { store, record, redactor } = this.#o;
    const { prepareLogin } = await loadFlow();
    const redirectUrl = await redirectUrlFor(this.#o.redirectUrl, clientKind(facts), facts);
    const provider = await createProvider(this.#o, { way, redirectUrl, ...(withoutPkce && { withoutPkce }) });
    const url = await prepareLogin(provider, this.#asked(await store.challenge()));
    await provider.saveLogin();
    record({
      step: 'login',
      url: redactor.text(url.href),
      sent: recordSent(url.searchParams),
      ...(plan.refusal && { problem: `${NO_PKCE} You continued anyway.` }),
    });
    return url;
  }

  /** Takes the answer of the authorization server, once. @returns what went wrong, in words */
  async finish(parameters: URLSearchParams): Promise<string | undefined> {
    const { store, serverUrl, record, redactor } = this.#o;
    redactor.protectValues([parameters.get('code') ?? '', parameters.get('state') ?? '']);
    const login = await store.login();
    // Whatever comes of it, the same answer is not taken twice.
    await store.forgetLogin();
    const sent = recordSent([...parameters].map(([name, value]) => [name, redactor.text(value)]));
    const end = (problem?: string): string | undefined => {
      record({ step: 'callback', sent, ...(problem !== undefined && { problem }) });
      return problem;
    };
    const refusal = whyNotTaken(login, parameters, this.#o.now());
    if (!login || refusal !== undefined) return end(refusal);
    redactor.protectValues([login.verifier]);
    try {
      const { redeem } = await loadFlow();
      await redeem(await createProvider(this.#o, login), serverUrl, parameters, this.#fetch);
    } catch (error) {
      return end(redactor.text(`The login did not succeed: ${wordsOf(error, parameters)}`));
    }
    return end();
  }

  /** What a login needs beside the user. */
  async #missing({
    authorizationServerMetadata: metadata,
    ...found
  }: OAuthDiscoveryState): Promise<Partial<Challenge>> {
    if (!metadata && !found.resourceMetadata) return { why: NO_METADATA };
    const facts = await this.#clientFacts();
    const hasClient = facts !== undefined && (facts.stored !== undefined || clientKind(facts) === 'fixed');
    if (!metadata || hasClient || metadata.registration_endpoint !== undefined) return {};
    return { why: NO_REGISTRATION, ask: 'client' };
  }

  /** The user has agreed to the host where the discovery stopped. */
  async #finishDiscovery(): Promise<void> {
    const { store, serverUrl } = this.#o;
    const challenge = await store.challenge();
    if (challenge?.askFirst === undefined) return;
    const { discover, checkDiscovery } = await loadFlow();
    const found = await discover(this.#asked(challenge), 'agreed');
    if (found.name !== 'found') return;
    checkDiscovery(serverUrl, found.state);
    await store.saveDiscovery(found.state);
    const { askFirst: _, ...rest } = challenge;
    await store.saveChallenge(rest);
  }

  async #block(challenge: Challenge): Promise<Blocked> {
    await this.#o.store.saveChallenge(challenge);
    return { name: 'login', why: challenge.why, ask: challenge.ask };
  }

  #refused(why: string): Blocked {
    return { name: 'refused', why: this.#o.redactor.text(why), fix: FIX };
  }

  async #clientFacts(): Promise<(ClientFacts & { readonly authorizationServerUrl: string }) | undefined> {
    const { store, known, clientMetadataUrl } = this.#o;
    const discovery = await store.discovery();
    if (!discovery) return undefined;
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = discovery;
    const issuer = metadata?.issuer ?? authorizationServerUrl;
    const stored = await store.client(issuer);
    const bound = known.clientId === undefined ? undefined : await store.boundIssuer(known.clientId);
    return { known, clientMetadataUrl, metadata, stored, bound, issuer, authorizationServerUrl };
  }

  #asked(challenge: Partial<Challenge> = {}): Flow.Asked {
    return { ...challenge, serverUrl: this.#o.serverUrl, fetch: this.#fetch };
  }
}

const loadFlow = (): Promise<typeof Flow> => loadPart(() => import('./flow.ts'));
